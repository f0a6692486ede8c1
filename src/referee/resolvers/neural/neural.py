"""The resolver `neural`: texts in, documents out, every mention and link with its probability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from referee.arrays import IntArray
from referee.exceptions import FormatError, ProtocolError, SettingError
from referee.language.languages import ENGLISH
from referee.language.narration import narration_of
from referee.language.recognition import beginning_of, clearly_another, doubt_of, name_of, recognised
from referee.language.word_classes import languages
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.base import Resolver
from referee.resolvers.neural import ANY, DROP, EVERYTHING, FOUND, GOLD, KEEP, PEOPLE
from referee.resolvers.neural.calibration import PlattScaling
from referee.resolvers.neural.cutting import cut_raw, cut_words, sentence_numbers, speakers_of, words_of
from referee.resolvers.neural.models import (
    InstalledModel,
    guidelines_of,
    known_languages,
    language_of,
    languages_of,
    models_to_choose,
    threshold_of,
)
from referee.resolvers.neural.running import Linked, open_model
from referee.resolvers.neural.zeros import zeros_placed, zeros_put_back
from referee.resolvers.notices import Choice
from referee.resolvers.people.first_person import with_first_person
from referee.resolvers.people.layout import layout_of
from referee.resolvers.people.second_pass import with_people
from referee.resolvers.precision import PrecisionCurve
from referee.resolvers.replacing.people import people_of

FOR_NOVELS = "litbank"  # guidelines; CoNLL on LitBank's dev books is 58.7 by OntoNotes's and 70.4 by its own
JUDGED = 40_000  # characters at the beginning of a text, by which its genre is judged


class ChosenModel(NamedTuple):
    """What reads a text: a model, what it says of itself, and the code of the language."""

    model: InstalledModel
    about: dict[str, Any]
    language: str


@dataclass(frozen=True)
class Neural(Resolver):
    """Coreference by a network.

    `model` is a folder or the name of an installed model, otherwise the first that knows the language of
    a text; `language` is that of the texts, which is otherwise recognised; `find` says in plain words
    what is looked for: everything, what recurs, or people. `guidelines` say what is a mention; of raw
    text, or with `find`, they are chosen by the text. `precision` is how often links should be right, in
    percent, and `threshold` what a link must score, in log odds: more of either gives fewer links. With
    `singletons="keep"` mentions that are linked to nothing are clusters of one; with `mentions="gold"` a
    document's given mentions are linked, and no others looked for. With `links_only` there is no second
    pass, in which the names of people decide over the whole text. `threads` work on one text; by default
    as many as there are cores.
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
        said = []
        if self.language == ANY:
            known = ", ".join(map(name_of, known_languages(self.model)))
            known = f"the models know {known}" if self._several else f"the model knows {known}"
            said.append(f"language='{ANY}': {known}; what is found in others was not measured")
        if self.precision is not None:
            about = models_to_choose(self.model)[0][1]
            curve = self._curve(about, self.guidelines or guidelines_of(about)[0])
            said += curve.notices(self.precision)
        return said

    @property
    def _several(self) -> bool:
        """Whether there are several models to choose from."""
        return len(models_to_choose(self.model)) > 1

    def choice_for(self, text: Text) -> Choice | None:
        """Choose a model and a language, if there are several, and the guidelines of English texts.

        A novel has LitBank's guidelines, all other texts the model's first.
        """
        model, about, language = self.chosen_for(text)
        choice = Choice()
        if self._several or len(languages_of(about)) > 1:
            choice = Choice(model=model.name, language=name_of(language), doubt=doubt_of(text, language))
        is_raw = bool(text.running) and not text.words
        known = guidelines_of(about)
        if not self.guidelines and (is_raw or self.find) and language == ENGLISH and FOR_NOVELS in known:
            words, length = text.words, text.length
            if is_raw:
                beginning, length = (text.running or "")[:JUDGED], len((text.running or "").split())
                words = tuple(beginning[start:end] for start, end in cut_words(beginning))
            told = narration_of(words, length)
            choice = choice._replace(guidelines=FOR_NOVELS if told.is_novel else known[0], reason=told.reason)
        return choice if choice.facts() else None

    def chosen_for(self, text: Text) -> ChosenModel:
        """Choose the model and the language of a text: the first model that knows the language."""
        several = [ChosenModel(*each, ENGLISH) for each in models_to_choose(self.model)]
        if not languages_of(several[0].about):  # it says nothing of languages, and refuses none
            return several[0]
        language = self._language_of(text)
        knowing = [each for each in several if language in languages_of(each.about)]
        if knowing:
            chosen = knowing[0]
        else:  # only if any language is asked for: the model that knows most of them
            chosen = max(several, key=lambda each: len(languages_of(each.about)))
            language = languages_of(chosen.about)[0]
        if self.guidelines and self.guidelines not in guidelines_of(chosen.about):
            known = ", ".join(guidelines_of(chosen.about))
            raise SettingError(
                f"{text.id}: the model {chosen.model.name}, which knows {name_of(language)}, has no "
                f"guidelines='{self.guidelines}'; it has {known}"
            )
        return chosen._replace(language=language)

    def _language_of(self, text: Text) -> str:
        """Recognise the language of a text, or believe what was said; one that no model knows is refused."""
        known = known_languages(self.model)
        if self.language in known:
            return str(self.language)
        beginning = beginning_of(text)
        if self.language != ANY and (other := clearly_another(beginning, known)):
            names = ", ".join(f"{name_of(code)} ({code})" for code in known)
            the_models = "the models know" if self._several else "the model knows"
            raise FormatError(
                f"{text.id}: this looks like {other}; {the_models} {names}; language='{ANY}' resolves it "
                "all the same"
            )
        code = recognised(beginning) if len(known) > 1 or self.language == ANY else known[0]
        return code if code in known or (self.language == ANY and code) else known[0]

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
        return threshold_of(about, guidelines) if self.threshold is None else self.threshold

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
        chosen = self.chosen_for(document.text)
        text = document.text
        if self.find == PEOPLE and chosen.language != ENGLISH:
            raise FormatError(
                f"{text.id}: find='{PEOPLE}' is for English texts alone; this one is in "
                f"{name_of(chosen.language)}"
            )
        if text.running and not text.words:
            document = replace(document, text=cut_raw(text, chosen.language))
        if chosen.language == ENGLISH:  # whose models were trained without words that are not written
            return self._found(document, chosen, self.choice_for(text))
        found = self._found(zeros_placed(document), chosen, None)
        return Document(document.text, zeros_put_back(found.clusters, document))

    def _found(self, document: Document, chosen: ChosenModel, choice: Choice | None) -> Document:
        """Find the clusters of a text that has words."""
        text, language = document.text, chosen.language
        given = visible_mentions(document)
        model = open_model(chosen.model.folder, self.threads)
        if not text.length or (self.mentions == GOLD and not given):
            return Document(text, ())
        keeps = self.singletons == KEEP or self.find in (EVERYTHING, PEOPLE)
        layout = layout_of(text, language)
        # The network learnt from plays, which have several speakers: of a letter it reads the words alone.
        speakers = speakers_of(text) or layout.speakers
        guidelines = self.guidelines or (choice and choice.guidelines) or first_of(model.about, language)
        linked = model.resolve(
            words_of(text),
            sentence_numbers(text, language),
            speakers if language == ENGLISH or len({*speakers} - {""}) > 1 else (),
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
        elif not self.links_only and language in languages():
            found = Document(text, numbered(clusters))
            joined = with_first_person(found, speakers, language, layout, add=not given)
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
