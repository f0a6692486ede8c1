"""The resolver `camp`: texts in, documents out, every link with its reason; and how bold its rules may be."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from os import PathLike

from referee.exceptions import SettingError
from referee.language.pipelines import load_pipeline
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.base import Resolver, names_in
from referee.resolvers.camp.discourse import BOLDEST, Boldness, Discourse, Entity
from referee.resolvers.camp.given_layers import GivenLayers
from referee.resolvers.camp.lexicon import DATA, guidelines_named, lexicon
from referee.resolvers.camp.pipeline import chosen_components, discourse_of, run_components
from referee.resolvers.camp.spacy_parsing import parsed_text
from referee.resolvers.precision import beyond_notices

GOAL = 80.0  # the paper's: most recall at this precision
USUAL_CAUTION = 0.0  # of a threshold that is given: a pronoun's antecedent must be likelier than none


@cache
def knob() -> list[dict[str, float]]:
    """List the settings that were measured, the boldest first."""
    settings: list[dict[str, float]] = tomllib.loads((DATA / "knob.toml").read_text("utf-8"))["settings"]
    return settings


def boldness_for(
    precision: float = GOAL, *, threshold: float | None = None, recall: bool = False
) -> Boldness:
    """Choose the boldest setting that reached a precision, or with `recall` the boldest of all.

    With a `threshold`, rules that were right less often do not link.
    """
    if recall:
        return BOLDEST
    if threshold is not None:
        return Boldness(threshold, USUAL_CAUTION)
    if not 0 <= precision <= 100:
        raise SettingError(f"precision={precision:g} must be between 0 and 100")
    reached = [row for row in knob() if row["precision"] >= precision] or knob()[-1:]
    return Boldness(reached[0]["threshold"], reached[0]["caution"])


@dataclass(frozen=True)
class Camp(Resolver):
    """Coreference by rules.

    `only`, `until` and `skip` choose components; `precision` (in percent), `threshold` or `recall` says how
    bold they are; `guidelines` say what is a mention; `rules` is a TOML file with more words and other
    weights; `nlp` names a spaCy pipeline. Instead of spaCy's annotation, `layers` takes that of a CoNLL-U
    file or folder, and `corpus_layers` names layers that the texts have. Names are a list, or a string with
    commas.
    """

    precision: float = GOAL
    threshold: float | None = None
    recall: bool = False
    guidelines: str = "ontonotes"
    only: Sequence[str] | str = ()
    until: str | None = None
    skip: Sequence[str] | str = ()
    rules: str | None = None
    nlp: str | None = None
    layers: str | PathLike[str] | None = None
    corpus_layers: Sequence[str] | str = ()

    @property
    def notices(self) -> list[str]:
        """Say where the precision that is asked for is beyond what was measured."""
        measured = [row["precision"] for row in knob()]
        return beyond_notices(self.precision, measured[0], measured[-1])

    def resolve(self, texts: Iterable[Text]) -> Iterator[Document]:
        """Resolve texts one by one."""
        return (document for document, _ in self.explained(texts))

    def explained(self, texts: Iterable[Text]) -> Iterator[tuple[Document, Discourse | None]]:
        """Resolve texts, and give what was linked by which rule; nothing for a text without words."""
        names = self._components
        for text, whole in self.parsed(texts):
            if not whole.length:
                yield Document(whole, ()), None
                continue
            discourse = self.discourse(whole)
            run_components(discourse, names)
            yield resolved_document(text if text.words else whole, discourse), discourse

    @property
    def _components(self) -> tuple[str, ...]:
        return chosen_components(names_in(self.only), self.until, names_in(self.skip))

    def resolve_parsed(self, text: Text) -> Document:
        """Resolve a text that has all layers already."""
        discourse = self.discourse(text)
        run_components(discourse, self._components)
        return resolved_document(text, discourse)

    def parsed(self, texts: Iterable[Text]) -> Iterator[tuple[Text, Text]]:
        """Parse texts: each as it was given, and with the layers that the rules need."""
        nlp = load_pipeline(self.nlp)
        given = GivenLayers(self.layers, self.corpus_layers)
        for text in texts:
            yield text, parsed_text(*given.of(text), nlp)

    def discourse(self, text: Text) -> Discourse:
        """Find the markables of a parsed text."""
        boldness = boldness_for(self.precision, threshold=self.threshold, recall=self.recall)
        return discourse_of(text, lexicon(self.rules), guidelines_named(self.guidelines), boldness)


def resolved_document(text: Text, discourse: Discourse) -> Document:
    """Make a document of the entities that the guidelines want."""
    scores = {link.anaphor.number: link.score for link in discourse.links}
    return Document(
        text, tuple(_cluster(str(n), entity, scores) for n, entity in enumerate(discourse.annotated()))
    )


def _cluster(id_: str, entity: Entity, scores: dict[int, float]) -> Cluster:
    mentions = [
        Mention(((markable.start, markable.end),), head=markable.head, link_score=scores.get(markable.number))
        for markable in sorted(entity.markables, key=lambda markable: markable.number)
    ]
    return Cluster(id_, tuple(mentions))
