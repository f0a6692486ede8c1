"""Mentions marked in running text in four ways; nested to any depth, and read in one pass.

* Markdown: `[the president](#1)`, as links to the entity;
* tags: `<m id="1">the president</m>`, of any name; `<m> the president | 1 </m>`; `<e1>the president</e1>`;
* brackets: `[the president: 1]` or `[the president]_1`;
* the plain text of CRAC's shared task: `Los|[e1 jugadores de el Espanyol|[e2],e1] … ##|[e1]`.

In Markdown and in brackets a backslash takes the meaning from a bracket, and brackets that mark nothing are
text; tags have XML's entities. Tags without an id (`<p>`, `<answer>`) are ignored. No mention goes beyond
an empty line: what is open there was forgotten, and would else take the end of another.

In CRAC's text words are separated by white space. Behind a bar a word has tags, several with commas: `[e1`
opens a mention, `e1]` closes it, `[e1]` does both. `##` is a word that is not written (its form may follow),
and comes after the word that it depends on. A bar without tags after it belongs to the word, unless it is the
last character.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape

from referee.formats.marked.markings import (
    EMPTY,
    LOOKED_AT,
    NO_ID,
    UNCLOSED,
    UNOPENED,
    BrokenTag,
    Mark,
    Marking,
    abridged,
    marking_of_tokens,
    without_empty,
)
from referee.model import Span

NEAR = 30  # characters shown beside a tag that went wrong
LINK = r"\]\(#([^()\[\]\n]{0,200})\)"
ID = r"(?:[A-Za-z#]{1,20}[ _-]?){0,2}\d{1,12}|[A-Z]{1,2}"
PARAGRAPH = r"\n[ \t\r]{0,100}\n"
MARKDOWN = re.compile(rf"\\[\[\]\\]|{LINK}|[\[\]]|{PARAGRAPH}")
BRACKETS = re.compile(rf"\\[\[\]\\]|\]_(?:\{{({ID})\}}|({ID})(?!\w))|[\[\]]|{PARAGRAPH}")
ENDING = re.compile(rf"[ \t]*:[ \t]*({ID})[ \t]*\Z")
LONGEST_ENDING = 80  # characters
TAG = re.compile(rf"<(/?)([A-Za-z][\w.:-]{{0,60}}|\d{{1,9}})((?:\s[^<>]{{0,500}})?/?)>|{PARAGRAPH}")
ATTRIBUTE = re.compile(r"""([A-Za-z][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>/]+))""")
NUMBERED = re.compile(r"[A-Za-z_-]{0,20}\d{1,9}")
IDS = ("id", "cluster", "cluster_id", "entity", "entity_id", "coref", "coref_id", "chain", "ref", "eid")
HTML = frozenset({
    "p", "br", "div", "span", "b", "i", "u", "s", "em", "strong", "html", "body", "head", "title", "text",
    "doc", "document", "answer", "output", "result", "response", "sentence", "paragraph", "think", "thinking",
    "h1", "h2", "h3", "h4", "h5", "h6",
})  # fmt: skip


@dataclass(slots=True)
class _Scan:
    """What has been read of a text."""

    raw: str
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    marks: list[Mark] = field(default_factory=list)
    faults: list[BrokenTag] = field(default_factory=list)
    signs: list[int] = field(
        default_factory=list
    )  # brackets in the text that mark mentions, and so are not text

    def add(self, words: str) -> None:
        """Add plain text."""
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
        return without_empty(Marking("".join(self.pieces), self.marks, self.faults))


@dataclass(frozen=True, slots=True)
class _Opened:
    """A bracket or tag that waits for its end."""

    start: int  # in the plain text
    position: int  # in the file
    id: str | None = None


def _common_sign(scan: _Scan, opened: list[_Opened], match: re.Match[str]) -> bool:
    """Take what means the same in both notations of brackets: one that opens, an escape, an empty line."""
    sign = match[0]
    if sign == "[":
        opened.append(_Opened(scan.length, match.start()))
    elif sign.startswith("\n"):
        _forget(scan, opened)
    elif not sign.startswith("\\"):
        return False
    scan.add(sign.removeprefix("\\"))
    return True


def scan_markdown(raw: str, start: int, end: int) -> Marking:
    """Read links as mentions."""
    scan, opened, done = _Scan(raw), list[_Opened](), start
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


def _literal(scan: _Scan, opened: list[_Opened], position: int) -> None:
    """Read `]` as text, together with the bracket that it closes; it may be a tag that lost its id."""
    if opened:
        pair = opened.pop()
        scan.fault(NO_ID, pair.position, position + 1, pair.start)
    scan.add("]")


def _linked(scan: _Scan, pair: _Opened, match: re.Match[str]) -> None:
    id_ = match[1].strip()
    if id_:
        scan.marks.append(Mark(pair.start, scan.length, id_, pair.position))
    else:
        scan.fault(NO_ID, pair.position, match.end())
    scan.signs.append(pair.start)


def scan_brackets(raw: str, start: int, end: int) -> Marking:
    """Read brackets with an id before or after their end as mentions."""
    scan, opened, done = _Scan(raw), list[_Opened](), start
    for match in BRACKETS.finditer(raw, start, end):
        scan.add(raw[done : match.start()])
        done = match.end()
        if not _common_sign(scan, opened, match):
            _bracketed(scan, opened, match)
    scan.add(raw[done:end])
    return _without_signs(scan, opened)


def _bracketed(scan: _Scan, opened: list[_Opened], match: re.Match[str]) -> None:
    id_ = match[1] or match[2]
    after = opened[-1].start + 1 if opened else 0
    ending = None if id_ else ENDING.search(scan.last(LONGEST_ENDING, after))
    if ending:
        scan.shorten(len(ending[0]))
        id_ = ending[1]
    if not id_:
        _literal(scan, opened, match.start())
    elif not opened:
        scan.fault(UNOPENED, match.start(), match.end())
    else:
        pair = opened.pop()
        scan.marks.append(Mark(pair.start, scan.length, id_, pair.position))
        scan.signs.append(pair.start)


def _forget(scan: _Scan, opened: list[_Opened]) -> None:
    """Report brackets that never close."""
    for pair in opened:
        scan.fault(UNCLOSED, pair.position, pair.position, pair.start)
    opened.clear()


def _without_signs(scan: _Scan, opened: list[_Opened]) -> Marking:
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


def scan_tags(raw: str, start: int, end: int) -> Marking:
    """Read tags with an id as mentions."""
    scan, done = _Scan(raw), start
    opened: dict[str, list[_Opened]] = {}  # name → tags that wait for their end
    used: set[str] = set()  # names that mark mentions
    nameless: list[tuple[str, BrokenTag]] = []
    for match in TAG.finditer(raw, start, end):
        scan.add(unescape(raw[done : match.start()]))
        done = match.end()
        if match[2] is None:
            scan.add(match[0])
            _forget_tags(scan, opened, used)
            continue
        name = match[2].lower()
        if match[1]:
            _close(scan, opened.get(name, []), match, used, nameless)
            continue
        id_ = _id_of(name, match[3])
        tag = _Opened(scan.length, match.start(), id_)
        if match[3].endswith("/"):
            scan.marks += [Mark(tag.start, tag.start, id_, tag.position)] if id_ else []
        elif name not in HTML or id_:
            opened.setdefault(name, []).append(tag)
            used |= {name} if id_ else set()
    scan.add(unescape(raw[done:end]))
    _forget_tags(scan, opened, used)
    scan.faults += [fault for name, fault in nameless if name in used]
    return scan.marking()


def _forget_tags(scan: _Scan, opened: dict[str, list[_Opened]], used: set[str]) -> None:
    """Report tags of mentions that never close; others may go on."""
    for name, tags in list(opened.items()):
        lost = [tag for tag in tags if tag.id or name in used]
        for tag in lost:
            scan.fault(UNCLOSED, tag.position, tag.position)
        opened[name] = [] if lost else tags
        if not opened[name]:
            del opened[name]


def _close(
    scan: _Scan,
    waiting: list[_Opened],
    match: re.Match[str],
    used: set[str],
    nameless: list[tuple[str, BrokenTag]],
) -> None:
    name = match[2].lower()
    if not waiting:
        if name not in HTML:
            scan.fault(UNOPENED, match.start(), match.end())
        return
    tag = waiting.pop()
    id_ = tag.id
    if id_ is None:
        _, bar, named = scan.last(LONGEST_ENDING, tag.start).rpartition("|")
        id_ = named.strip() if bar else None
        if id_:
            scan.shorten(len(named) + 1)
            used.add(name)
    if id_:
        scan.marks.append(Mark(tag.start, scan.length, id_, tag.position))
    else:
        shown = abridged(scan.raw[tag.position : min(match.end(), tag.position + LOOKED_AT)])
        nameless.append((name, BrokenTag(NO_ID, shown, tag.position)))


def _id_of(name: str, attributes: str) -> str | None:
    """Read a tag's id: an attribute of a usual name, the only one, or the tag's own name with a number."""
    given = {key.lower(): a or b or c for key, a, b, c in ATTRIBUTE.findall(attributes)}
    id_ = next((given[key] for key in IDS if given.get(key)), None)
    if id_ is None and len(given) == 1:
        id_ = next(iter(given.values()))
    if id_ is None and not given and NUMBERED.fullmatch(name) and name not in HTML:
        id_ = name
    return unescape(id_).strip() or None if id_ else None


TOKEN = re.compile(r"\S+")
TAG_SIGNS = ("[", "]")


def scan_crac(raw: str, start: int, end: int) -> Marking:
    """Read words with tags."""
    tokens: list[str] = []
    spans: list[tuple[str, Span, int]] = []
    faults: list[BrokenTag] = []
    opened: dict[str, list[tuple[int, int]]] = {}  # id → tokens and positions of tags that wait
    for match in TOKEN.finditer(raw, start, end):
        word, tags = crac_word(match[0])
        here = (
            len(tokens) if word else max(len(tokens) - 1, 0)
        )  # a tag without a word belongs to the one before
        if word:
            tokens.append(word)
        position = match.start() + len(word)
        for tag in tags:
            id_ = tag.strip("[]")
            position += len(tag) + 1
            if tag.startswith("["):
                opened.setdefault(id_, []).append((here if word else len(tokens), position))
            if tag.endswith("]"):
                if opened.get(id_):
                    first, opening = opened[id_].pop()
                    spans.append((id_, (first, here + 1), opening))
                else:
                    faults.append(BrokenTag(UNOPENED, abridged(match[0]), match.start()))
    faults += [
        BrokenTag(UNCLOSED, abridged(raw[position : position + 40]), position)
        for waiting in opened.values()
        for _, position in waiting
    ]
    whole = [span for span in spans if span[1][0] < min(span[1][1], len(tokens))]
    faults += [BrokenTag(EMPTY, f"id {id_}", position) for id_, (first, last), position in spans
               if first >= min(last, len(tokens))]  # fmt: skip
    return marking_of_tokens(tokens, whole, faults)


def crac_word(token: str) -> tuple[str, list[str]]:
    """Separate a word and its tags.

    >>> crac_word("Espanyol|[e2],e1]"), crac_word("a|b"), crac_word("a|[b|")
    (('Espanyol', ['[e2]', 'e1]']), ('a|b', []), ('a|[b', []))
    """
    word, bar, behind = token.rpartition("|")
    if not bar:
        return token, []
    tags = behind.split(",") if behind else []
    if (word or tags) and all(_is_tag(tag) for tag in tags):
        return word, tags
    return token, []


def _is_tag(tag: str) -> bool:
    id_ = tag.removeprefix("[").removesuffix("]")
    return bool(id_) and id_ != tag and not any(sign in id_ for sign in TAG_SIGNS)
