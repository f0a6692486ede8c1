"""Finds all that is wrong with a corpus at once, so that it can be mended in one go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.exceptions import FormatError
from referee.model import Corpus, Document, Mention

CONTEXT = 20  # characters shown on either side of a difference


@dataclass(frozen=True, slots=True)
class Problem:
    """Where it is, and what."""

    where: str
    what: str

    def __str__(self) -> str:
        """Say it on one line."""
        return f"{self.where}: {self.what}"


def problems(corpus: Corpus, key: Corpus | None = None) -> Iterator[Problem]:
    """List ill-formed annotation, and tokens that differ from the key's if one is given."""
    yield from _document_names(corpus, key)
    numbers = {id_: number for number, id_ in enumerate(key.ids)} if key else {}
    for number, id_ in enumerate(corpus.ids):
        file = corpus.location(number).rsplit(":", 1)[0]
        flaws = corpus.flaws(number)
        yield from (Problem(f"{file}:{line}", what) for line, what in flaws)
        try:
            document = corpus.document(number)
        except FormatError:
            continue  # its flaws have been listed
        yield from _mentions(corpus, number, document)
        if key and id_ in numbers:
            yield from _words(corpus, number, document, key, numbers[id_])


def _document_names(corpus: Corpus, key: Corpus | None) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for number, id_ in enumerate(corpus.ids):
        where = corpus.location(number)
        if id_ in seen:
            yield Problem(where, f"document {id_} stands here again, after {seen[id_]}; the last one counts")
        seen[id_] = where
        if key and id_ not in key.ids:
            yield Problem(where, f"the key has no document {id_}")
    if key:
        for id_ in dict.fromkeys(key.ids):
            if id_ not in seen:
                yield Problem(corpus.name, f"document {id_} of the key is missing")


def _mentions(corpus: Corpus, number: int, document: Document) -> Iterator[Problem]:
    """Find mentions that are repeated, cross each other, or run over the end of a sentence."""
    found = sorted((mention, cluster.id) for cluster in document.clusters for mention in cluster.mentions)
    sentence_of = {
        token: i for i, (start, end) in enumerate(document.sentences) for token in range(start, end)
    }
    open_mentions: list[tuple[Mention, str]] = []
    before: tuple[Mention, str] | None = None
    for mention, cluster in found:
        shown = _show(document, mention)

        def problem(what: str, mention: Mention = mention) -> Problem:
            return Problem(corpus.location(number, mention.start), what)

        if before and before[0] == mention:
            again = "again" if before[1] == cluster else f"in cluster {before[1]} too"
            yield problem(f"{shown} of cluster {cluster} is annotated {again}")
        before = (mention, cluster)
        if sentence_of.get(mention.start) != sentence_of.get(mention.end - 1):
            yield problem(f"{shown} of cluster {cluster} runs over the end of its sentence")
        open_mentions = [(other, of) for other, of in open_mentions if other.end > mention.start]
        for other, of in open_mentions:
            if other.start < mention.start and other.end < mention.end:
                yield problem(
                    f"{shown} of cluster {cluster} crosses {_show(document, other)} of cluster {of}"
                )
        open_mentions.append((mention, cluster))


def _show(document: Document, mention: Mention) -> str:
    words = document.text.spelled(mention.spans)
    return f"'{words}'" if len(words) <= 40 else f"'{words[:37]}…'"


def _words(
    corpus: Corpus, number: int, document: Document, key: Corpus, key_number: int
) -> Iterator[Problem]:
    """Compare the words with the key's up to the first that differs; texts that we cut, by characters."""
    if corpus.cut or key.cut:
        yield from _characters(corpus, number, document, key, key_number)
        return
    ours, theirs = document.words, key.document(key_number).words
    for i, (mine, other) in enumerate(zip(ours, theirs, strict=False)):
        if mine != other:
            yield Problem(
                corpus.location(number, i),
                f"'{mine}' where the key has '{other}' ({key.location(key_number, i)}); compared no further",
            )
            return
    if len(ours) != len(theirs):
        yield Problem(
            corpus.location(number), f"document {document.id} has {len(ours)} words, the key {len(theirs)}"
        )


def _characters(
    corpus: Corpus, number: int, document: Document, key: Corpus, key_number: int
) -> Iterator[Problem]:
    ours, theirs = ("".join("".join(d.words).split()) for d in (document, key.document(key_number)))
    if ours == theirs:
        return
    at = next(
        (i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs))
    )
    start = max(at - CONTEXT, 0)
    yield Problem(
        corpus.location(number),
        f"the text is '{ours[start : at + CONTEXT]}' where the key has '{theirs[start : at + CONTEXT]}', "
        "blanks apart; compared no further",
    )
