"""Brings the documents of several annotators together, each text in the same words for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from referee.display import number_of, shortened
from referee.exceptions import FormatError, SettingError
from referee.matching.pairing import pair_documents, some_names
from referee.model import Cluster, Corpus, Document, Mention, cut_text, in_characters

FEWEST, MOST = 2, 20  # annotators


@dataclass(frozen=True, slots=True)
class Sides:
    """One text, and what those annotators made of it who have it: all in the words of `text`."""

    text: Document  # without clusters
    by: Mapping[str, Document]

    @property
    def id(self) -> str:
        """The name of the text."""
        return self.text.id


def annotated(corpora: Sequence[Corpus], names: Sequence[str]) -> list[Sides]:
    """Bring the documents of annotators together."""
    if across := [name for name, corpus in zip(names, corpora, strict=True) if corpus.cross_document]:
        raise SettingError(
            f"{across[0]}: its clusters reach across documents, which are not merged; with ids='document' "
            "where the format allows it, or by referee.convert, make them hold in one document"
        )
    found: list[Sides] = []
    for id_, numbers in _placed(corpora, names).items():
        read = {name: corpora[names.index(name)].document(number) for name, number in numbers.items()}
        found.append(_alike(id_, read, names, corpora))
    return found


def _placed(corpora: Sequence[Corpus], names: Sequence[str]) -> dict[str, dict[str, int]]:
    """Say which document of each annotator a text is; the first annotator's names are those of texts."""
    first = corpora[0]
    placed: dict[str, dict[str, int]] = {}
    for name, corpus in zip(names, corpora, strict=True):
        if twice := [id_ for id_, count in Counter(corpus.ids).items() if count > 1]:
            raise FormatError(f"{corpus.name}: two documents are called '{twice[0]}'; give them other names")
        called = dict(enumerate(corpus.ids))
        if corpus is not first:
            pairs = pair_documents(first, corpus, strict=False)[0]
            called |= {other: first.ids[number] for number, other in pairs if other is not None}
        for number, id_ in called.items():
            placed.setdefault(id_, {})[name] = number
    return placed


def _alike(id_: str, read: dict[str, Document], names: Sequence[str], corpora: Sequence[Corpus]) -> Sides:
    """Give annotations of one text the same words, or say where the texts differ."""
    first = next(iter(read))
    base = read[first].text
    texts = [each.text for each in read.values()]
    if any(text.cut for text in texts) and all(text.running is not None for text in texts):
        _check_running(id_, {name: each.text.running or "" for name, each in read.items()})
        return _cut_together(id_, read)
    for name, each in read.items():
        pairs = zip_longest(base.words, each.words)
        differing = next((at for at, (one, other) in enumerate(pairs) if one != other), None)
        if differing is not None:
            number = corpora[names.index(name)].ids.index(each.id)
            where = corpora[names.index(name)].location(number, min(differing, max(len(each.words) - 1, 0)))
            raise FormatError(
                f"{where}: {name} has another text of document {id_} than {first}: word {differing} is "
                f"{_word(each, differing)}, and {_word(read[first], differing)} there; annotators need the "
                "same words"
            )
        if each.text.zeros != base.zeros:
            raise FormatError(
                f"{name}: document {id_} has its words that are not written at other places than {first}'s; "
                "annotators need the same words"
            )
    text = Document(replace(base, id=id_), (), layout=read[first].layout)
    return Sides(text, {name: replace(each, text=text.text) for name, each in read.items()})


def _word(document: Document, at: int) -> str:
    return f"'{shortened(document.words[at], 40)}'" if at < len(document.words) else "nothing"


def _check_running(id_: str, texts: Mapping[str, str]) -> None:
    first = next(iter(texts))
    base = texts[first]
    for name, text in texts.items():
        pairs = zip_longest(base, text)
        differing = next((at for at, (one, other) in enumerate(pairs) if one != other), None)
        if differing is not None:
            here, there = (shortened(each[differing : differing + 30], 30) for each in (text, base))
            raise FormatError(
                f"{name}: document {id_} has another text than {first}'s: from character {differing} on, "
                f"'{here}', and there '{there}'; annotators need the same text"
            )


def _cut_together(id_: str, read: Mapping[str, Document]) -> Sides:
    """Cut a running text wherever a mention of any annotator begins or ends."""
    base = next(iter(read.values())).text
    given = {
        name: [_in_characters(each, cluster) for cluster in each.clusters] for name, each in read.items()
    }
    common = cut_text(id_, base.running or "", chain(*given.values()))
    clusters = iter(common.clusters)
    text = Document(replace(common.text, topic=base.topic, subtopic=base.subtopic), ())
    return Sides(
        text,
        {
            name: replace(read[name], text=text.text, clusters=tuple(next(clusters) for _ in own))
            for name, own in given.items()
        },
    )


def _in_characters(document: Document, cluster: Cluster) -> Cluster:
    def moved(mention: Mention) -> Mention:
        spans = tuple(in_characters(document.text, mention.spans))
        minimum = mention.minimum and tuple(in_characters(document.text, mention.minimum))
        return replace(mention, spans=spans, minimum=minimum, head=None)

    return replace(cluster, mentions=tuple(map(moved, cluster.mentions)))


def said_of(sides: Sequence[Sides], names: Sequence[str]) -> list[str]:
    """Say which texts not all annotators have, and what of their annotation is not merged."""
    without = {name: [each.id for each in sides if name not in each.by] for name in names}
    said = [
        f"{name}: lacks {number_of(len(ids), 'document')} that others have: {some_names(ids)}"
        for name, ids in without.items()
        if ids
    ]
    alone = [each.id for each in sides if len(each.by) == 1]
    if alone:
        said.append(
            f"{number_of(len(alone), 'document')} of one annotator alone, taken as they are: "
            f"{some_names(alone)}"
        )
    documents = [document for each in sides for document in each.by.values()]
    beside = {
        "relations between clusters": sum(len(each.relations) for each in documents),
        "expressions that refer to nothing": sum(len(each.non_referring) for each in documents),
        "other layers of clusters": sum(len(each.cluster_layers) for each in documents),
    }
    said += [f"not merged, and left out: {what} ({count:,})" for what, count in beside.items() if count]
    return said
