"""The resolver `camp`: texts in, documents out, every link with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from referee.model import Cluster, Document, Mention, Text
from referee.resolve.camp.discourse import Discourse, Entity
from referee.resolve.camp.lexicon import guidelines_named, lexicon
from referee.resolve.camp.pipeline import chosen_components, discourse_of, run_components
from referee.resolve.camp.spacy_parsing import parsed, pipeline_named
from referee.resolve.resolver import Resolver


@dataclass(frozen=True)
class Camp(Resolver):
    """Coreference by rules.

    `only`, `until` and `skip` choose components; `guidelines` say what is a mention; `rules` is a TOML file
    with more words and other weights; `nlp` names a spaCy pipeline.
    """

    guidelines: str = "ontonotes"
    only: Sequence[str] = ()
    until: str | None = None
    skip: Sequence[str] = ()
    rules: str | None = None
    nlp: str | None = None

    def resolve(self, texts: Iterable[Text]) -> Iterator[Document]:
        """Resolve texts one by one."""
        return (document for document, _ in self.explained(texts))

    def explained(self, texts: Iterable[Text]) -> Iterator[tuple[Document, Discourse | None]]:
        """Resolve texts, and give what was linked by which rule; nothing for a text without words."""
        names = chosen_components(self.only, self.until, self.skip)
        words, style = lexicon(self.rules), guidelines_named(self.guidelines)
        for text in texts:
            whole = parsed(replace(text, layers={}), pipeline_named(self.nlp))
            if not whole.length:
                yield Document(whole, ()), None
                continue
            discourse = discourse_of(whole, words, style, 0.0)
            run_components(discourse, names)
            yield _document(text if text.words else whole, discourse), discourse


def _document(text: Text, discourse: Discourse) -> Document:
    least = 1 if discourse.guidelines.singletons else 2
    entities = [entity for entity in discourse.entities if len(entity.markables) >= least]
    scores = {link.anaphor.number: link.score for link in discourse.links}
    return Document(text, tuple(_cluster(str(n), entity, scores) for n, entity in enumerate(entities)))


def _cluster(id_: str, entity: Entity, scores: dict[int, float]) -> Cluster:
    mentions = [
        Mention(((markable.start, markable.end),), head=markable.head, score=scores.get(markable.number))
        for markable in sorted(entity.markables, key=lambda markable: markable.number)
    ]
    return Cluster(id_, tuple(mentions))
