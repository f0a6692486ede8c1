"""Mentions marked by brackets in running text; nested to any depth, and read in one pass.

* Markdown: `[the president](#1)`, as links to the entity, also without the sharp: `[the president](1)`;
* brackets: `[the president: 1]`, `[the president]_1` or `[the president]₁`;
* brackets that begin with the id, if more do: `[1: the president]`;
* brackets with names, where none has a number: `[she: Ann Lee]`; `[Ann Lee]` is a mention too, then;
* braces: `{{the president|1}}`.

A backslash takes the meaning from a bracket, and brackets that mark nothing are text. Two asterisks around
words, which make them bold, are left out. No mention goes beyond an empty line: what is open there was
forgotten, and would otherwise take the end of another.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

from referee.formats.marked.markings import (
    LOOKED_AT,
    NO_ID,
    UNCLOSED,
    UNOPENED,
    BrokenTag,
    Mark,
    Marking,
    abridged,
    without_empty,
)

NEAR = 30  # characters shown beside a tag that went wrong
ID = r"(?:[A-Za-z#]{1,20}[ _-]?){0,2}\d{1,12}|[A-Z]{1,2}"
LINK = rf"\]\((?:#([^()\[\]\n]{{0,200}})|({ID}))\)"
PARAGRAPH = r"\n[ \t\r]{0,100}\n"
MARKDOWN = re.compile(rf"\\[\[\]\\*]|{LINK}|[\[\]]|{PARAGRAPH}")
SMALL_DIGITS = "[₀-₉]{1,9}|[⁰¹²³⁴-⁹]{1,9}"
AFTER_BRACKET = rf"\](?:[_^]\{{({ID})\}}|[_^]({ID})(?!\w)|({SMALL_DIGITS}))"
BRACKETS = re.compile(rf"\\[\[\]\\*]|{AFTER_BRACKET}|[\[\]]|{PARAGRAPH}")
LONGEST_ENDING = 80  # characters
ENDING = re.compile(rf"[ \t]*:[ \t]*({ID})[ \t]*\Z")
NAMED_ENDING = re.compile(r"[ \t]*:[ \t]+([^:\n]+?)[ \t]*\Z")
NUMBERED = re.compile(rf":[ \t]{{0,3}}(?:{ID})[ \t]{{0,3}}\]|{AFTER_BRACKET}")
NAMED = re.compile(rf"[^\s:\[]:[ \t]{{1,3}}[^\[\]:\n]{{1,{LONGEST_ENDING}}}\]")
BRACES = re.compile(
    rf'\{{\{{|[ \t]{{0,9}}\|[ \t]{{0,9}}([^|{{}}"\n]{{1,{LONGEST_ENDING}}})\}}\}}|\}}\}}|{PARAGRAPH}'
)
FIRST_ID = r"\[[ \t]{0,3}(?:[A-Za-z]{1,20}[ _-]?)?(#?\d{1,12})[ \t]{0,3}:[ \t]{1,3}(?=[^\s\]\d])"
IDS_FIRST = re.compile(rf"\\[\[\]\\*]|{FIRST_ID}|[\[\]]|{PARAGRAPH}")
FEWEST_NAMES = 2  # brackets with names; a single one may well be text
BOLD = re.compile(r"(?<!\w)\*\*(?=[^\s*]|\Z)|(?:(?<=[^\s*])|\A)\*\*(?!\w)")  # beside a word or a tag
EMPHASIS, NAMES = "asterisks for bold", "names for ids"
IDS_BEFORE = "ids before the words of a mention"


@dataclass(slots=True)
class Scan:
    """What has been read of a text."""

    raw: str
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    marks: list[Mark] = field(default_factory=list)
    faults: list[BrokenTag] = field(default_factory=list)
    signs: list[int] = field(default_factory=list)  # brackets in the text that mark mentions
    repairs: dict[str, None] = field(default_factory=dict)  # in order

    def add(self, words: str, decode: Callable[[str], str] = str) -> None:
        """Add plain text, without asterisks that make it bold; escaped ones are text."""
        if "**" in words:
            words, count = BOLD.subn("", words)
            self.repairs |= {EMPHASIS: None} if count else {}
        words = decode(words)
        if words:
            self.pieces.append(words)
            self.length += len(words)

    def shorten(self, length: int) -> None:
        """Take characters off the end of the last piece of text."""
        self.length -= length
        piece = self.pieces.pop()
        end = len(piece) - length
        edge = max(0, end - LONGEST_ENDING)  # a long piece is not copied for each id at its end
        self.pieces += [part for part in (piece[:edge], piece[edge:end]) if part]

    def last(self, limit: int, start: int) -> str:
        """Give the last characters of the text that were added at once, from `start` on."""
        piece = self.pieces[-1] if self.pieces else ""
        return piece[-min(limit, self.length - start) :] if self.length > start else ""

    def fault(self, reason: str, position: int, end: int, sign: int | None = None) -> None:
        """Keep a tag that went wrong, with what is near it."""
        line = self.raw.rfind("\n", max(0, position - NEAR), position) + 1
        first = position if reason != UNOPENED else max(line, position - NEAR, 0)
        near = self.raw[first : min(max(end, first + NEAR), first + LOOKED_AT)]
        self.faults.append(BrokenTag(reason, abridged(near), position, sign))

    def marking(self) -> Marking:
        """Close the text."""
        marking = Marking("".join(self.pieces), self.marks, self.faults, repairs=tuple(self.repairs))
        return without_empty(marking)


@dataclass(frozen=True, slots=True)
class Opened:
    """A bracket or tag that waits for its end."""

    start: int  # in the plain text
    position: int  # in the file
    id: str | None = None


def _common_sign(scan: Scan, opened: list[Opened], match: re.Match[str]) -> bool:
    """Take what means the same in both notations of brackets: one that opens, an escape, an empty line."""
    sign = match[0]
    if sign == "[":
        opened.append(Opened(scan.length, match.start()))
    elif sign.startswith("\n"):
        _forget(scan, opened)
    elif not sign.startswith("\\"):
        return False
    scan.add(sign.removeprefix("\\"))
    return True


def scan_markdown(raw: str, start: int, end: int) -> Marking:
    """Read links as mentions."""
    scan, opened, done = Scan(raw), list[Opened](), start
    for match in MARKDOWN.finditer(raw, start, end):
        scan.add(raw[done : match.start()])
        done = match.end()
        if _common_sign(scan, opened, match):
            continue
        if match[0] == "]":
            _literal(scan, opened, match.start())
        elif not opened:
            scan.fault(UNOPENED, match.start(), match.end())
        else:
            _linked(scan, opened.pop(), match)
    scan.add(raw[done:end])
    return _without_signs(scan, opened)


def _literal(scan: Scan, opened: list[Opened], position: int) -> None:
    """Read `]` as text, together with the bracket that it closes; it may be a tag that lost its id."""
    if opened:
        pair = opened.pop()
        scan.fault(NO_ID, pair.position, position + 1, pair.start)
    scan.add("]")


def _linked(scan: Scan, pair: Opened, match: re.Match[str]) -> None:
    id_ = (match[1] or match[2] or "").strip()
    if id_:
        scan.marks.append(Mark(pair.start, scan.length, id_, pair.position))
    else:
        scan.fault(NO_ID, pair.position, match.end())
    scan.signs.append(pair.start)


def scan_brackets(raw: str, start: int, end: int) -> Marking:
    """Read brackets with an id before or after their end as mentions; or braces, if more have one."""
    numbered = len(NUMBERED.findall(raw, start, end))
    if sum(1 for match in BRACES.finditer(raw, start, end) if match[1]) > numbered:
        return _scan_braces(raw, start, end)
    if len(re.findall(FIRST_ID, raw[start:end])) > numbered:
        return _scan_ids_first(raw, start, end)
    named = not numbered and has_names(raw[start:end])
    scan, opened, done = Scan(raw), list[Opened](), start
    bare: list[tuple[Opened, int]] = []  # brackets without an id, and where they end
    close = _named_bracket(bare) if named else _numbered_bracket
    for match in BRACKETS.finditer(raw, start, end):
        scan.add(raw[done : match.start()])
        done = match.end()
        if not _common_sign(scan, opened, match):
            close(scan, opened, match)
    scan.add(raw[done:end])
    _mark_bare_names(scan, bare)
    return _without_signs(scan, opened)


def _scan_ids_first(raw: str, start: int, end: int) -> Marking:
    """Read brackets that begin with an id as mentions."""
    scan, opened, done = Scan(raw), list[Opened](), start
    for match in IDS_FIRST.finditer(raw, start, end):
        scan.add(raw[done : match.start()])
        done = match.end()
        if match[1]:
            opened.append(Opened(scan.length, match.start(), match[1]))
            scan.add("[")
        elif not _common_sign(scan, opened, match):
            _bracketed(scan, opened, match, opened[-1].id if opened else None)
    scan.add(raw[done:end])
    scan.repairs |= {IDS_BEFORE: None}
    return _without_signs(scan, opened)


def has_names(raw: str) -> bool:
    """Whether brackets have names for ids."""
    return len(NAMED.findall(raw)) >= FEWEST_NAMES


def _numbered_bracket(scan: Scan, opened: list[Opened], match: re.Match[str]) -> None:
    """Close a bracket whose id is a number."""
    id_ = next((unicodedata.normalize("NFKC", given) for given in match.groups() if given), None)
    if id_ is None:
        id_ = _ending(scan, opened, ENDING)
    _bracketed(scan, opened, match, id_)


def _named_bracket(
    bare: list[tuple[Opened, int]],
) -> Callable[[Scan, list[Opened], re.Match[str]], None]:
    """Close brackets whose ids are names, and keep those without one."""

    def close(scan: Scan, opened: list[Opened], match: re.Match[str]) -> None:
        name = _ending(scan, opened, NAMED_ENDING)
        if name is None and opened:
            bare.append((opened[-1], scan.length))
        _bracketed(scan, opened, match, name and plain_name(name))
        scan.repairs |= {NAMES: None} if name else {}

    return close


def plain_name(name: str) -> str:
    """Write a name as an id.

    >>> plain_name("Ann  Lee")
    'ann lee'
    """
    return " ".join(name.casefold().split())


def _ending(scan: Scan, opened: list[Opened], pattern: re.Pattern[str]) -> str | None:
    """Take the id off the end of the text in a bracket."""
    after = opened[-1].start + 1 if opened else 0
    ending = pattern.search(scan.last(LONGEST_ENDING, after))
    if ending:
        scan.shorten(len(ending[0]))
    return ending[1] if ending else None


def _bracketed(scan: Scan, opened: list[Opened], match: re.Match[str], id_: str | None) -> None:
    if not id_:
        _literal(scan, opened, match.start())
    elif not opened:
        scan.fault(UNOPENED, match.start(), match.end())
    else:
        pair = opened.pop()
        scan.marks.append(Mark(pair.start, scan.length, id_, pair.position))
        scan.signs.append(pair.start)


def _mark_bare_names(scan: Scan, bare: list[tuple[Opened, int]]) -> None:
    """Read brackets around a name that is an id elsewhere as mentions."""
    names = {mark.id for mark in scan.marks}
    text = "".join(scan.pieces) if bare else ""
    found = {pair.start: (pair, end) for pair, end in bare if plain_name(text[pair.start + 1 : end]) in names}
    scan.faults = [fault for fault in scan.faults if fault.sign not in found]
    for start, (pair, end) in found.items():
        scan.marks.append(Mark(start, end, plain_name(text[start + 1 : end]), pair.position))
        scan.signs += [start, end]


def _scan_braces(raw: str, start: int, end: int) -> Marking:
    """Read two braces around words, a bar and an id as mentions."""
    scan, opened, done = Scan(raw), list[Opened](), start
    for match in BRACES.finditer(raw, start, end):
        scan.add(raw[done : match.start()])
        done = match.end()
        if match[0] == "{{":
            opened.append(Opened(scan.length, match.start()))
        elif match[0].startswith("\n"):
            _forget(scan, opened)
            scan.add(match[0])
        elif not opened:
            scan.fault(UNOPENED, match.start(), match.end())
        elif match[1]:
            pair = opened.pop()
            scan.marks.append(Mark(pair.start, scan.length, match[1].strip(), pair.position))
        else:
            scan.fault(NO_ID, opened.pop().position, match.end())
    scan.add(raw[done:end])
    _forget(scan, opened)
    return scan.marking()


def _forget(scan: Scan, opened: list[Opened]) -> None:
    """Report brackets that never close."""
    for pair in opened:
        scan.fault(UNCLOSED, pair.position, pair.position, pair.start)
    opened.clear()


def _without_signs(scan: Scan, opened: list[Opened]) -> Marking:
    """Take the brackets of mentions out of the text; those that never close stay, and are reported."""
    _forget(scan, opened)
    text = "".join(scan.pieces)
    before = [0] * (len(text) + 1)  # character → how many of the brackets come before it
    pieces, done = [], 0
    for count, sign in enumerate([*sorted(scan.signs), len(text)]):
        pieces.append(text[done:sign])
        before[done : sign + 1] = [count] * (sign + 1 - done)
        done = sign + 1
    scan.pieces = ["".join(pieces)]
    scan.marks = [
        Mark(mark.start - before[mark.start], mark.end - before[mark.end], mark.id, mark.position)
        for mark in scan.marks
    ]
    scan.faults = [
        BrokenTag(f.reason, f.shown, f.position, None if f.sign is None else f.sign - before[f.sign])
        for f in scan.faults
    ]
    return scan.marking()
