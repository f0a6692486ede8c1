"""Mentions marked by tags in running text; nested to any depth, and read in one pass.

`<m id="1">the president</m>`, of any name; `<m> the president | 1 </m>`; `<e1>the president</e1>`,
`<PERSON_1>Ann</PERSON_1>`. A tag that has an id of its own and names that of another mention is linked to it
(`<coref id="2" ref="1">`). Tags have XML's entities; those without an id (`<p>`, `<answer>`) are ignored.
"""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

from referee.formats.marked.markings import (
    LOOKED_AT,
    NO_ID,
    UNCLOSED,
    UNOPENED,
    BrokenTag,
    Mark,
    Marking,
    abridged,
)
from referee.formats.marked.notations import LONGEST_ENDING, PARAGRAPH, Opened, Scan
from referee.model import linked_groups

TAG = re.compile(rf"<(/?)([A-Za-z][\w.:-]{{0,60}}|\d{{1,9}})((?:\s[^<>]{{0,500}})?/?)>|{PARAGRAPH}")
ATTRIBUTE = re.compile(r"""([A-Za-z][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>/]+))""")
NUMBERED = re.compile(r"[A-Za-z_-]{0,20}\d{1,9}")
IDS = ("id", "cluster", "cluster_id", "entity", "entity_id", "coref", "coref_id", "chain", "ref", "eid")
REFERENCE = "ref"  # beside an id of its own, as in MUC
HTML = frozenset({
    "p", "br", "div", "span", "b", "i", "u", "s", "em", "strong", "html", "body", "head", "title", "text",
    "doc", "document", "answer", "output", "result", "response", "sentence", "paragraph", "think", "thinking",
    "h1", "h2", "h3", "h4", "h5", "h6",
})  # fmt: skip


def scan_tags(raw: str, start: int, end: int) -> Marking:
    """Read tags with an id as mentions."""
    scan, done = Scan(raw), start
    opened: dict[str, list[Opened]] = {}  # name → tags that wait for their end
    used: set[str] = set()  # names that mark mentions
    nameless: list[tuple[str, BrokenTag]] = []
    links: list[tuple[str, str]] = []  # ids of mentions, and of those that they refer to
    for match in TAG.finditer(raw, start, end):
        scan.add(raw[done : match.start()], unescape)
        done = match.end()
        if match[2] is None:
            scan.add(match[0])
            _forget_tags(scan, opened, used)
            continue
        name = match[2].lower()
        if match[1]:
            _close(scan, opened.get(name, []), match, used, nameless)
            continue
        id_, reference = _id_of(name, match[3])
        links += [(id_, reference)] if id_ and reference else []
        tag = Opened(scan.length, match.start(), id_)
        if match[3].endswith("/"):
            scan.marks += [Mark(tag.start, tag.start, id_, tag.position)] if id_ else []
        elif name not in HTML or id_:
            opened.setdefault(name, []).append(tag)
            used |= {name} if id_ else set()
    scan.add(raw[done:end], unescape)
    _forget_tags(scan, opened, used)
    scan.faults += [fault for name, fault in nameless if name in used]
    group_of = linked_groups({id_ for link in links for id_ in link}, links)
    scan.marks = [replace(mark, id=group_of.get(mark.id, mark.id)) for mark in scan.marks]
    return scan.marking()


def _forget_tags(scan: Scan, opened: dict[str, list[Opened]], used: set[str]) -> None:
    """Report tags of mentions that never close; others may go on."""
    for name, tags in list(opened.items()):
        lost = [tag for tag in tags if tag.id or name in used]
        for tag in lost:
            scan.fault(UNCLOSED, tag.position, tag.position)
        opened[name] = [] if lost else tags
        if not opened[name]:
            del opened[name]


def _close(
    scan: Scan,
    waiting: list[Opened],
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


def _id_of(name: str, attributes: str) -> tuple[str | None, str | None]:
    """Read a tag's id, and the id that it refers to if it has both.

    An id is an attribute of a usual name, the only one, or the tag's own name with a number.
    """
    given = {key.lower(): a or b or c for key, a, b, c in ATTRIBUTE.findall(attributes)}
    id_ = next((given[key] for key in IDS if given.get(key)), None)
    if id_ is None and len(given) == 1:
        id_ = next(iter(given.values()))
    if id_ is None and not given and NUMBERED.fullmatch(name) and name not in HTML:
        id_ = name
    reference = given.get(REFERENCE) if given.get("id") else None
    return _plain(id_), _plain(reference)


def _plain(id_: str | None) -> str | None:
    return unescape(id_).strip() or None if id_ else None
