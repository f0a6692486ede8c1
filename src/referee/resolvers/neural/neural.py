"""The resolver `neural`: texts in, documents out, every mention and link with its probability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referee.arrays import IntArray
from referee.exceptions import FormatError, ProtocolError, SettingError
from referee.language.languages import ENGLISH
from referee.language.narration import narration_of
from referee.language.recognition import beginning_of, clearly_another, name_of, recognised
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.base import Resolver
from referee.resolvers.neural import ANY, DROP, EVERYTHING, FOUND, GOLD, KEEP, PEOPLE
from referee.resolvers.neural.calibration import PlattScaling
from referee.resolvers.neural.cutting import cut_raw, cut_words, sentence_numbers, speakers_of, words_of
from referee.resolvers.neural.models import facts_in, guidelines_of, language_of, languages_of, model_named
from referee.resolvers.neural.running import Linked, open_model
from referee.resolvers.notices import Choice
from referee.resolvers.people.layout import layout_of
from referee.resolvers.people.second_pass import with_people
from referee.resolvers.precision import PrecisionCurve
from referee.resolvers.replacing.people import people_of

FOR_NOVELS = "litbank"  # guidelines; CoNLL on LitBank's dev books is 58.7 by OntoNotes's and 70.4 by its own
JUDGED = 40_000  # characters at the beginning of a text, by which its genre is judged


@dataclass(frozen=True)
class Neural(Resolver):
    """Coreference by a network.

    `model` is a folder or the name of an installed model; `language` is that of the texts, which is otherwise
    recognised; `find` says in plain words what is looked for:
    everything, what recurs, or people. `guidelines` say what is a mention; of raw text, or with `find`, they
    are chosen by the text. `precision` is how often links should be right, in percent, and `threshold` what a
    link must score, in log odds: more of either gives fewer links. With `singletons="keep"` mentions that are
    linked to nothing are clusters of one; with `mentions="gold"` a document's given mentions are linked, and
    no others looked for. With `links_only` there is no second pass, in which the names of people decide over
    the whole text. `threads` work on one text; by default as many as there are cores.
    """

    model: str | None = None
    language: str | None = None
    find: str | None = None
    guidelines: str | None = None
    precision: float | None = None
    threshold: float | None = None
    mentions: str = FOUND
    singletons: str = DROP
    links_only: bool = False
    threads: int = 0

    @property
    def notices(self) -> list[str]:
        """Say where the precision that is asked for is beyond what was measured, and what `any` means."""
        if self.precision is None and self.language != ANY:
            return []
        about = facts_in(model_named(self.model).folder)
        said = []
        if self.language == ANY:
            known = ", ".join(map(name_of, languages_of(about)))
            said.append(
                f"language='{ANY}': the model knows {known}; what it finds in others was not measured"
            )
        if self.precision is not None:
            curve = self._curve(about, self.guidelines or guidelines_of(about)[0])
            said += curve.notices(self.precision)
        return said

    def choice_for(self, text: Text) -> Choice | None:
        """Choose the guidelines of a text: LitBank's for a novel, and the model's first for all others."""
        is_raw = bool(text.running) and not text.words
        if self.guidelines or not (is_raw or self.find):
            return None
        about = facts_in(model_named(self.model).folder)
        known = guidelines_of(about)
        if FOR_NOVELS not in known or self._language_of(text, about) != ENGLISH:
            return None
        words, length = text.words, text.length
        if is_raw:
            beginning, length = (text.running or "")[:JUDGED], len((text.running or "").split())
            words = tuple(beginning[start:end] for start, end in cut_words(beginning))
        told = narration_of(words, length)
        return Choice(FOR_NOVELS if told.is_novel else known[0], told.reason)

    def _language_of(self, text: Text, about: Mapping[str, Any]) -> str:
        """Choose the language of a text, of those that the model knows."""
        known = languages_of(about) or (ENGLISH,)
        if self.language in known:
            return str(self.language)
        if not languages_of(about):
            return ENGLISH
        beginning = beginning_of(text)
        if self.language != ANY and (other := clearly_another(beginning, known)):
            names = ", ".join(f"{name_of(code)} ({code})" for code in known)
            raise FormatError(
                f"{text.id}: this looks like {other}; the model knows {names}; language='{ANY}' resolves it "
                "all the same"
            )
        code = recognised(beginning) if len(known) > 1 else known[0]
        return code if code in known else known[0]

    def _curve(self, about: Mapping[str, Any], guidelines: str) -> PrecisionCurve:
        """Take what was measured for the guidelines and the mentions, found or given."""
        measured = about.get("precision", {}).get(guidelines, {})
        if self.mentions not in measured:
            raise SettingError(
                f"the model's precision was not measured for guidelines='{guidelines}' and "
                f"mentions='{self.mentions}'; `referee tune` measures it, or give threshold="
            )
        return PrecisionCurve.of(measured[self.mentions])

    def _link_threshold(self, about: Mapping[str, Any], guidelines: str) -> float:
        """What a link must score: as given, as the precision needs it, or the model's."""
        if self.precision is not None:
            return self._curve(about, guidelines).threshold_for(self.precision)
        return float(about.get("threshold", 0.0)) if self.threshold is None else self.threshold

    def resolve(self, texts: Iterable[Text]) -> Iterator[Document]:
        """Resolve texts one by one."""
        for text in texts:
            if self.mentions == GOLD:
                raise ProtocolError(
                    f"{text.id}: mentions='gold' needs a corpus with mentions; this is a text"
                )
            yield self._resolved(Document(text, ()))

    def respond_to(self, document: Document) -> Document:
        """Resolve an annotated document: its text, or with `mentions="gold"` the links of its mentions."""
        return self._resolved(document if self.mentions == GOLD else replace(document, clusters=()))

    def _resolved(self, document: Document) -> Document:
        text = document.text
        given = visible_mentions(document)
        model = open_model(model_named(self.model).folder, self.threads)
        language = self._language_of(text, model.about)
        choice = self.choice_for(text)
        text = cut_raw(text, language) if text.running and not text.words else text
        if not text.length or (self.mentions == GOLD and not given):
            return Document(text, ())
        keeps = self.singletons == KEEP or self.find in (EVERYTHING, PEOPLE)
        layout = layout_of(text)
        guidelines = self.guidelines or (choice.guidelines if choice else first_of(model.about, language))
        linked = model.resolve(
            words_of(text),
            sentence_numbers(text, language),
            speakers_of(text) or layout.speakers,
            guideline=guidelines_of(model.about).index(guidelines),
            threshold=self._link_threshold(model.about, guidelines),
            given=ends_of(given) if given else None,
            singleton_threshold=(
                float(model.about.get("singleton_threshold", 0.0)) if keeps and not given else None
            ),
        )
        clusters = linked_clusters(linked, given, model.about.get("calibration", {}))
        if keeps:
            clusters += lone_clusters(linked, given, model.about.get("calibration", {}))
        if not self.links_only and language == ENGLISH and ENGLISH in languages_of(model.about):
            joined = with_people(Document(text, numbered(clusters)), layout, add=not given)
            clusters = [cluster for cluster in joined if keeps or len(cluster) > 1]
        found = Document(text, numbered(clusters))
        return replace(found, clusters=people_of(found)) if self.find == PEOPLE else found


def first_of(about: Mapping[str, Any], language: str) -> str:
    """Name the first of a model's guidelines that are for a language."""
    known = guidelines_of(about)
    return next(name for number, name in enumerate(known) if language_of(about, number) == language)


def visible_mentions(document: Document) -> list[Mention]:
    """List a document's mentions in the order of the text, but for those of words that are not written."""
    seen = [mention for mention in document.mentions if mention.end <= document.text.length]
    return sorted(seen, key=lambda mention: (mention.start, mention.end))


def ends_of(mentions: Sequence[Mention]) -> tuple[IntArray, IntArray]:
    """Give the first and the last word of each mention."""
    return np.array([m.start for m in mentions]), np.array([m.end - 1 for m in mentions])


def linked_clusters(
    linked: Linked, given: Sequence[Mention], calibration: Mapping[str, Any]
) -> list[list[Mention]]:
    """Make clusters with probabilities of what was linked; the first mention of each is linked to nothing."""
    if given:
        mentions = [given[index] for index in linked.number.tolist()]
    else:
        ends = zip(linked.start.tolist(), linked.end.tolist(), strict=True)
        mentions = [Mention.at(start, end + 1) for start, end in ends]
    scores = _scaling(calibration, "mention").probabilities(linked.mention).tolist()
    links = _scaling(calibration, "link").probabilities(linked.score).tolist()
    clusters: dict[int, list[Mention]] = {}
    for mention, number, score, link in zip(mentions, linked.cluster.tolist(), scores, links, strict=True):
        cluster = clusters.setdefault(number, [])
        cluster.append(replace(mention, score=score, link_score=link if cluster else None))
    return list(clusters.values())


def lone_clusters(
    linked: Linked, given: Sequence[Mention], calibration: Mapping[str, Any]
) -> list[list[Mention]]:
    """Make clusters of one of mentions that are linked to nothing: those given, or those that were seen."""
    if linked.singletons is None:
        return [[given[index]] for index in sorted(set(range(len(given))) - set(linked.number.tolist()))]
    start, end, score = linked.singletons
    scores = _scaling(calibration, "entity").probabilities(score.astype(np.float64)).tolist()
    return [
        [replace(Mention.at(first, last + 1), score=sure)]
        for first, last, sure in zip(start.tolist(), end.tolist(), scores, strict=True)
    ]


def _scaling(calibration: Mapping[str, Any], kind: str) -> PlattScaling:
    """Take a model's calibration of a kind of score; without one, scores are taken as log odds."""
    return PlattScaling(**calibration.get(kind, {}))


def numbered(clusters: list[list[Mention]]) -> tuple[Cluster, ...]:
    """Number clusters in the order of the text."""
    return tuple(Cluster(str(n), tuple(mentions)) for n, mentions in enumerate(sorted(clusters)))
