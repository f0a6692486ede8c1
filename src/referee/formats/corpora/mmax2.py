"""MMAX2 as in ARRAU and ParCorFull: words in one XML file, markables beside them in others.

* `Basedata/NAME_words.xml` has `<word id="word_1">` in order. `markables/NAME_coref_level.xml` (or
  `Markables`, or the same folder) has `<markable span coref_set min_ids min_words reference>`;
  `NAME_sentence_level.xml` has the sentences, where there is one.
* A span is `word_1..word_4`, or several with commas: the mention is then discontinuous.
* A project may call the level and the attribute otherwise: `common_paths.xml` lists its levels, each with a
  scheme, and coreference is the attribute of the type `markable_set` there. Without a scheme the attribute is
  `coref_set` or `coref_class`, whichever the markables have.
* Markables of one set are a cluster; `empty`, or no set at all, is a cluster by itself. Those whose
  `reference` is `non_referring`, or whose `type` is `pleonastic`, are not mentions.
* `min_ids` are the words of the annotated minimum span; where only `min_words` says it, those words are
  looked for in the mention.

A document type may be declared, as MMAX2 writes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

from referee.exceptions import FormatError
from referee.formats.corpora import document_per_file
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile
from referee.formats.io.xml import Element, parse
from referee.formats.ledger import Ledger
from referee.model import Cluster, Document, DocumentCorpus, Mention, Span, joined_spans

WORDS = "_words.xml"
FOLDERS = ("markables", "Markables")
NO_SET = ("", "empty")
COREF = "coref"  # the usual name of the level
SET_ATTRIBUTES = ("coref_set", "coref_class")
SET_TYPE = "markable_set"  # of the attributes of a scheme that put markables together
NOT_MENTIONS = "markables that refer to nothing are not mentions"
NON_REFERRING = {"reference": "non_referring", "type": "pleonastic"}


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> DocumentCorpus:
    """Read files of words, each with the levels beside it."""
    del reading
    return document_per_file(files, name, _document)


def _document(file: SeekableFile, ledger: Ledger) -> Document:
    root = parse(file)
    ledger.skip("text outside of words is not read", *(f"{file.path}:{line}" for line in root.loose))
    words = list(root.within("word"))
    position_of = {word.get("id"): position for position, word in enumerate(words)}
    if len(position_of) < len(words):
        again = next(word for position, word in enumerate(words) if position_of[word.get("id")] != position)
        raise FormatError(f"{file.path}:{again.line}: two words have the id '{again.get('id')}'")
    path = Path(file.path)
    id_ = path.name.removesuffix(WORDS) if path.name.endswith(WORDS) else path.stem
    level, attribute = _coreference_level(path, id_)
    markables = _elements_of(level, ledger)
    if attribute is None:
        attribute = next((name for name in SET_ATTRIBUTES if any(m.get(name) for m in markables)), None)
    if attribute is None and markables:
        ledger.skip(
            f"no markable has {' or '.join(SET_ATTRIBUTES)}, so each is a cluster by itself; a scheme that "
            f"common_paths.xml names can say which attribute is of the type {SET_TYPE}",
            f"{level}:{markables[0].line}",
        )
    tokens = tuple("".join(word.text.split()) or "_" for word in words)
    reading = _Markables(str(level), attribute or SET_ATTRIBUTES[0], position_of, tokens, ledger)
    clusters = tuple(reading.clusters(markables))
    level_of_sentences = _level(path, id_, "sentence")
    marked = _elements_of(level_of_sentences, ledger) if level_of_sentences else []
    sentences = _sentences(marked, str(level_of_sentences), position_of, len(tokens))
    return Document.of(id_, tokens, sentences, clusters)


def _coreference_level(words: Path, id_: str) -> tuple[Path, str | None]:
    """Find the file of coreference, and the attribute that has its sets, if a scheme names it."""
    schemes = dict(_set_attributes(words))
    for name in (COREF, *schemes):
        if (level := _level(words, id_, name)) is not None:
            return level, schemes.get(name)
    looked_for = " or ".join(f"{id_}_{name}_level.xml" for name in {COREF: "", **schemes})
    raise FormatError(
        f"{words}: there is no {looked_for} in {' or '.join(FOLDERS)} beside it, where MMAX2 keeps "
        "coreference"
    )


def _set_attributes(words: Path) -> Iterator[tuple[str, str]]:
    """List the levels whose schemes put markables together, each with the attribute that does."""
    folders = (words.parent.parent, words.parent)
    paths = next((path for folder in folders if (path := folder / "common_paths.xml").is_file()), None)
    if paths is None:
        return
    project = parse(SeekableFile(str(paths)))
    within = next((element.text.strip() for element in project.within("scheme_path")), "")
    for level in project.within("annotations", "level"):
        scheme = paths.parent / within / level.get("schemefile")
        if level.get("schemefile") and scheme.is_file():
            attributes = parse(SeekableFile(str(scheme))).within("attribute")
            sets = (attribute for attribute in attributes if attribute.get("type") == SET_TYPE)
            yield from ((level.get("name"), attribute.get("name").lower()) for attribute in islice(sets, 1))


def _level(words: Path, id_: str, level: str) -> Path | None:
    """Find the file of a level."""
    folders = [above / name for above in (words.parent.parent, words.parent) for name in FOLDERS]
    paths = (folder / f"{id_}_{level}_level.xml" for folder in (*folders, words.parent))
    return next((path for path in paths if path.is_file()), None)


def _elements_of(path: Path, ledger: Ledger) -> list[Element]:
    root = parse(SeekableFile(str(path)))
    ledger.skip("text outside of markables is not read", *(f"{path}:{line}" for line in root.loose))
    return list(root.within("markable"))


def _sentences(
    marked: Sequence[Element], path: str, position_of: Mapping[str, int], length: int
) -> tuple[Span, ...]:
    """Read the sentences; without any, the document is one."""
    starts = {0, length}
    for element in marked:
        spans = spans_of(element.get("span"), position_of, f"{path}:{element.line}")
        starts |= {spans[0][0], spans[-1][1]}
    return tuple(pairwise(sorted(starts)))


def spans_of(text: str, position_of: Mapping[str, int], where: str) -> tuple[Span, ...]:
    """Read a span such as `word_1..word_4,word_7`; spans that touch are one."""
    named: list[Span] = []
    try:
        for part in text.split(","):
            first, _, last = part.strip().partition("..")
            named.append((position_of[first], position_of[last or first] + 1))
    except KeyError as error:
        raise FormatError(f"{where}: the span '{text}' names {error}, which is not a word") from error
    if any(end <= start for start, end in named):
        raise FormatError(f"{where}: the span '{text}' ends before it begins")
    return joined_spans(named)


@dataclass(frozen=True, slots=True)
class _Markables:
    """Makes clusters of markables."""

    path: str
    attribute: str  # which says the set of a markable
    position_of: Mapping[str, int]
    tokens: Sequence[str]
    ledger: Ledger

    def clusters(self, markables: Sequence[Element]) -> Iterator[Cluster]:
        """Put markables of one set together."""
        sets: dict[str, list[Mention]] = {}
        for number, markable in enumerate(markables):
            if any(markable.get(name) == value for name, value in NON_REFERRING.items()):
                self.ledger.leave_out(NOT_MENTIONS, f"{self.path}:{markable.line}")
                continue
            name = markable.get(self.attribute)
            name = (markable.get("id") or f"markable {number}") if name in NO_SET else name
            sets.setdefault(name, []).append(self._mention(markable))
        yield from (Cluster(name, tuple(sorted(mentions))) for name, mentions in sets.items())

    def _mention(self, markable: Element) -> Mention:
        where = f"{self.path}:{markable.line}"
        spans = spans_of(markable.get("span"), self.position_of, where)
        ids, words = (markable.get(name).strip() for name in ("min_ids", "min_words"))
        if ids:
            return self._within(spans, spans_of(ids, self.position_of, where), where)
        if words:
            return Mention(spans, self._looked_for(spans, words, where))
        return Mention(spans)

    def _within(self, spans: tuple[Span, ...], minimum: tuple[Span, ...], where: str) -> Mention:
        try:
            return Mention(spans, minimum)
        except FormatError:
            self.ledger.skip("min_ids that are not inside the markable are left out", where)
            return Mention(spans)

    def _looked_for(self, spans: tuple[Span, ...], words: str, where: str) -> tuple[Span, ...] | None:
        """Find words in a row in one of the mention's spans."""
        wanted = words.casefold().split()
        for start, end in spans:
            for first in range(start, end - len(wanted) + 1):
                if [token.casefold() for token in self.tokens[first : first + len(wanted)]] == wanted:
                    return ((first, first + len(wanted)),)
        self.ledger.skip(f"min_words '{words}' are not in the markable, and left out", where)
        return None
