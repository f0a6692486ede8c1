"""Texts in which a language model marked mentions, in any of five notations.

* CRAC's plain text `word|[e1 … word|e1]`; Markdown `[the president](#1)`; tags `<m id="1">the president</m>`;
  brackets `[the president: 1]`; JSON of strings or offsets. A file's notation is the one of which it has most
  tags, unless the end of its name says it (`story.markdown.txt`).
* An answer that marks nothing but lists entities with their mentions in prose is read as JSON's strings are.
  One that has no tag of the notation that its file's name says, but others, is read by these.
* Prose around the answer is text like any other, and finds no place in the key. Of several blocks between
  fences (```) the one with most tags counts, if it has most of all; what comes before `</think>` does not.
* A tag that went wrong marks nothing, is reported, and harms no other.
* A file is a document and named like it. Lines `# newdoc id = NAME` begin documents of a file that has
  several; CRAC's plain text has one per line.

The text is the model's own copy: against a key it is aligned to the key's words. Alone it is a corpus whose
words are cut from it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from referee.encoding import lenient
from referee.exceptions import FormatError
from referee.formats.catalogue import BRACKETS, CRAC, JSON, MARKDOWN, NOTATION_ENDINGS, TAGS
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile, stem
from referee.formats.ledger import OUTSIDE, Ledger, filled_lines
from referee.formats.marked.crac import scan_crac
from referee.formats.marked.json_answers import JsonAnswer, json_answers, listed_answers, scan_json
from referee.formats.marked.markings import UNCLOSED, Marking, document_of_marking
from referee.formats.marked.notations import has_names, scan_brackets, scan_markdown
from referee.formats.marked.tags import scan_tags
from referee.model import Chains, Corpus, Document, Span

LARGEST = 2**27  # bytes of a file


class Notation(NamedTuple):
    """How mentions are marked: what people call it, what a tag looks like, and how it is read."""

    label: str
    example: str
    tag: re.Pattern[str] | None = None  # None of JSON, which is found by its shape
    scan: Callable[[str, int, int], Marking] | None = None


NOTATIONS: Mapping[str, Notation] = {
    CRAC: Notation(
        "CRAC's plain text",
        "word|[e1 … word|e1]",
        re.compile(r"[^\s|]\|(?:\[?[^\s\[\],|]+\]?,){0,50}(?:\[[^\s\[\],|]+|[^\s\[\],|]+\])"),
        scan_crac,
    ),
    MARKDOWN: Notation(
        "Markdown",
        "[the president](#1)",
        re.compile(r"\]\((?:#[^()\[\]\n]{1,200}|\d{1,12})\)"),
        scan_markdown,
    ),
    TAGS: Notation(
        "tags",
        '<m id="1">the president</m>',
        re.compile(
            r"""<[A-Za-z][\w.:-]{0,60}\s[^<>]{0,300}=[^<>]{1,300}>|\|[^|<>\n]{1,60}</[A-Za-z]|</[A-Za-z_-]{0,20}\d{1,9}>"""
        ),
        scan_tags,
    ),
    BRACKETS: Notation(
        "brackets",
        "[the president: 1]",
        re.compile(
            r"\[[ \t]{0,3}#?\d{1,12}[ \t]{0,3}:[ \t]{1,3}(?=[^\s\]\d])"
            r"|:[ \t]{0,3}(?:[A-Za-z#]{1,20}[ _-]?)?(?:\d{1,12}|[A-Z]{1,2})[ \t]{0,3}\]"
            r"|\][_^]\{?\w{0,20}\d|\][₀-₉⁰¹²³⁴-⁹]|\|[^|{}\"\n]{1,80}\}\}"
        ),
        scan_brackets,
    ),
    JSON: Notation("JSON", '{"clusters": [["the president", "he"]]}'),
}
KNOWN = "; ".join(f"{notation.label} {notation.example}" for notation in NOTATIONS.values())
NEWDOC = re.compile(r"^# newdoc id = (.+?)[ \t]*$", re.MULTILINE)
FENCE = re.compile(r"^[ \t]*```.*$\n?", re.MULTILINE)
THOUGHT = "</think>"
APART = re.compile(
    r"^# newdoc id = .*$|^[ \t]*```.*$|^[ \t]*[\[\],]+[ \t]*$|</?think>", re.MULTILINE
)  # answers
AROUND = "what a model wrote around its answer is not read"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model wrote about one document."""

    id: str
    path: str
    line: int  # at which it begins
    notation: str
    marking: Marking
    newlines: Sequence[int]  # where the file's lines end

    def where(self, position: int) -> str:
        """Say at which line of the file a character is: FILE:LINE."""
        return f"{self.path}:{bisect_right(self.newlines, position - 1) + 1}"

    @property
    def flaws(self) -> list[tuple[int, str]]:
        """The tags that went wrong, by line; without a key, signs that may be of the text are left out."""
        return [
            (
                int(self.where(fault.position).rsplit(":", 1)[1]),
                f"'{fault.shown}' does not mark a mention: {fault.reason}",
            )
            for fault in sorted(self.marking.faults, key=lambda fault: fault.position)
            if fault.sign is None or fault.reason == UNCLOSED
        ]

    @property
    def document(self) -> Document:
        """The answer as a document of the words it has."""
        if not self.marking.has_text:
            raise FormatError(
                f"{self.path}:{self.line}: the clusters come without their text; score them against a key"
            )
        return document_of_marking(self.marking, self.id)


class MarkedCorpus(Corpus):
    """What a model wrote about some documents."""

    cut = is_copy = True

    def __init__(
        self, answers: Sequence[Answer], name: str, *, named: bool, files: Sequence[SeekableFile] = ()
    ) -> None:
        """Take the answers of files; whether they are `named` by themselves, or after their files."""
        self.name, self.answers, self.named, self._files = name, answers, named, files
        self.ids = [answer.id for answer in answers]
        self.cut = any(answer.marking.words is None for answer in answers)

    def document(self, number: int) -> Document:
        """Cut an answer into its words."""
        return self.answers[number].document

    def chains(self, numbers: Sequence[int | None]) -> Chains:
        """Flatten the answers asked for."""
        return Chains.of(
            (None if number is None else self.document(number) for number in numbers),
            cross_document=self.cross_document,
        )

    def weight(self, number: int) -> int:
        """Count characters."""
        return len(self.answers[number].marking.text)

    def location(self, number: int, word: int | None = None) -> str:
        """Say where an answer begins: FILE:LINE."""
        del word
        return f"{self.answers[number].path}:{self.answers[number].line}"

    def flaws(self, number: int) -> list[tuple[int, str]]:
        """List the tags that went wrong, by line; a key shows which signs are of the text."""
        return self.answers[number].flaws

    def by_file(self) -> MarkedCorpus:
        """Take each file of lines without names for one document."""
        if self.named or len(self._files) == len(self.answers):
            return self
        answers = [a for file in self._files for a in answers_in(file, Ledger(), whole=True)[0]]
        return self.changed(answers, named=False)

    def changed(self, answers: Sequence[Answer], *, named: bool, across: bool = False) -> MarkedCorpus:
        """Take other answers; `across` says that ids hold in all documents, as they may do already."""
        corpus = MarkedCorpus(answers, self.name, named=named, files=self._files)
        corpus.notices, corpus.about = self.notices, self.about
        corpus.cross_document = self.cross_document or across
        return corpus


def notation_of(raw: str) -> str | None:
    """Name the notation of which a text has most tags; None if it has none."""
    if json_answers(raw):
        return JSON
    counts = {name: len(known.tag.findall(raw)) for name, known in NOTATIONS.items() if known.tag}
    best = max(counts, key=lambda name: counts[name])
    if counts[best]:
        return best
    if has_names(raw):
        return BRACKETS
    return JSON if listed_answers(raw) else None


def _has_tags(raw: str, notation: str) -> bool:
    """Whether a text has what a notation marks mentions with."""
    tag = NOTATIONS[notation].tag
    return bool(tag.search(raw) if tag else json_answers(raw)) or (notation == BRACKETS and has_names(raw))


def answers_in(file: SeekableFile, ledger: Ledger, *, whole: bool = False) -> tuple[list[Answer], bool]:
    """Read the answers of a file, and say whether they have names; without, `whole` takes it for one."""
    data = file.read(0, LARGEST + 1)
    file.close()
    if len(data) > LARGEST:
        raise FormatError(f"{file.path}: more than {LARGEST >> 20} MiB; no answer is that long")
    raw = lenient(data)
    newlines = [match.start() for match in re.finditer("\n", raw)]
    by_ending = next((name for name, ending in NOTATION_ENDINGS.items() if file.path.endswith(ending)), None)
    notation = notation_of(raw)
    if by_ending and (notation is None or _has_tags(raw, by_ending)):
        notation = by_ending
    name = name_of_answer(file.path)
    if notation is None:
        line = Answer(name, file.path, 1, "", Marking(raw), newlines)
        return [line], False
    pieces, named = _pieces(raw, notation, name, whole=whole)
    answers = [
        Answer(id_, file.path, bisect_right(newlines, start - 1) + 1, notation, marking, newlines)
        for id_, start, _, marking in pieces
    ]
    for place in _unused(file.path, raw, [(start, end) for _, start, end, _ in pieces]):
        ledger.skip(OUTSIDE, place) if named else ledger.leave_out(AROUND, place)
    return answers, named


def _unused(path: str, raw: str, used: Sequence[Span]) -> Iterator[str]:
    """List the lines that no answer has, without what sets answers apart."""
    ends: dict[int, int] = {}  # documents of one list have one beginning
    for start, end in sorted(used):
        ends[start] = min(end, ends.get(start, end))
    edges = [0, *(edge for span in ends.items() for edge in span), len(raw)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        first = raw.count("\n", 0, start) + 1
        yield from filled_lines(path, APART.sub("", raw[start:end]), first)


def name_of_answer(path: str) -> str:
    """Name a document after its file, without the ending that says the notation."""
    for ending in NOTATION_ENDINGS.values():
        if path.endswith(ending):
            return stem(path.removesuffix(ending) + ".txt")
    return stem(path)


def _pieces(
    raw: str, notation: str, name: str, *, whole: bool
) -> tuple[list[tuple[str, int, int, Marking]], bool]:
    """Read the documents of a file: ids, where they begin and end, and what they hold."""
    if notation == JSON:
        answers: list[JsonAnswer] = json_answers(raw) or listed_answers(raw)
        named = bool(answers) and all(answer.name is not None for answer in answers)
        return [
            (
                answer.name if named and answer.name else _numbered(name, number),
                answer.position,
                answer.end if answer.rest is None else len(raw) - len(answer.rest),
                scan_json(answer),
            )
            for number, answer in enumerate(answers)
        ], named
    scan, tag = NOTATIONS[notation].scan, NOTATIONS[notation].tag
    assert scan is not None  # only JSON has none
    assert tag is not None
    begins = list(NEWDOC.finditer(raw))
    if begins:
        ends = [*(begin.start() for begin in begins[1:]), len(raw)]
        return [
            (begin[1], begin.end(), end, scan(raw, begin.end(), end))
            for begin, end in zip(begins, ends, strict=True)
        ], True
    start, end = _answer_proper(raw, tag)
    if notation == CRAC and not whole:
        lines = [
            match.span() for match in re.compile(r"[^\n]+").finditer(raw, start, end) if match[0].strip()
        ]
        return [
            (_numbered(name, number), first, last, scan(raw, first, last))
            for number, (first, last) in enumerate(lines)
        ], False
    return [(name, start, end, scan(raw, start, end))], False


def _numbered(name: str, number: int) -> str:
    return name if number == 0 else f"{name}#{number + 1}"


def _answer_proper(raw: str, tag: re.Pattern[str]) -> tuple[int, int]:
    """Find the answer in what a model wrote: after its thoughts, and between fences."""
    start = raw.rfind(THOUGHT) + len(THOUGHT) if THOUGHT in raw else 0
    fences = list(FENCE.finditer(raw, start))
    total = len(tag.findall(raw, start))
    edges = [fence.span() for fence in fences] + [(len(raw), len(raw))]
    blocks = [(one[1], two[0]) for one, two in pairwise(edges)]
    counted = [(len(tag.findall(raw, *block)), block) for block in blocks]
    most, best = max(counted, default=(0, (start, len(raw))))
    return best if 2 * most > total else (start, len(raw))


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> Corpus:
    """Read files. Of a response the tags that went wrong are reported when it is aligned with its key."""
    from referee.formats.marked.windowed import manifest_beside, read_windowed  # which reads by this module

    if manifest := manifest_beside(files[0]):
        return read_windowed(files, name, manifest)
    ledger = Ledger()
    parsed = [answers_in(file, ledger) for file in files]
    answers = [answer for of_file, _ in parsed for answer in of_file]
    bare = [answer for answer in answers if not answer.notation]
    if len(bare) == len(answers):
        raise FormatError(f"{files[0].path}:1: no mention is marked; the notations are: {KNOWN}")
    corpus = MarkedCorpus(answers, name, named=all(named for _, named in parsed), files=files)
    how, *faults = _told(corpus, bare)
    for number, answer in enumerate(answers) if not reading.predicted else ():
        faults += [f"{answer.path}:{line}: {what}" for line, what in corpus.flaws(number)]
    ledger.close(corpus, [how])
    corpus.note(faults)
    return corpus


def _told(corpus: MarkedCorpus, bare: Sequence[Answer]) -> Iterator[str]:
    used = list(dict.fromkeys(answer.notation for answer in corpus.answers if answer.notation))
    labels = " and ".join(NOTATIONS[notation].label for notation in used)
    yield f"{corpus.name}: marked text, read as {labels} ({NOTATIONS[used[0]].example})"
    repaired = [answer for answer in corpus.answers if answer.marking.repairs]
    if repaired:
        what = dict.fromkeys(repair for answer in repaired for repair in answer.marking.repairs)
        first = repaired[0]
        more = f" and {len(repaired) - 1} more" if len(repaired) > 1 else ""
        yield f"{first.path}:{first.line}{more}: repaired before it was read: {', '.join(what)}"
    if bare:
        yield f"{corpus.name}: no mention is marked in {len(bare)} of its files (first {bare[0].path})"
