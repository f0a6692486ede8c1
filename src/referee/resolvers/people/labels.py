"""Speakers that the layout of a running text names: chats, transcripts, e-mails.

    ANNA: I am late.            a name and a colon at the beginning of a line; times and <> may be around it
    Q. Did you see it?          questions and answers of a hearing
    HAMLET (aside). I know.     a play: a name in capitals and a stop; directions may be between
    Dear Ruth, … Clara          a letter: who is greeted, and the name in the last line; in other languages
                                by the table of `letters` that a language has
    From: Anna Holt <a@b.c>     who writes; "On …, Ben wrote:" says whose the lines with > are

A text is a chat or a transcript if at least three lines begin so, and two speakers or more; otherwise a name
and a colon may be anything. It is a play if six lines begin with a name in capitals that comes again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from referee.language.languages import ENGLISH
from referee.model import Span
from referee.resolvers.people.letters import Spoken, letter

__all__ = ["Spoken", "spoken_lines"]
LABELLED, SPEAKERS = 3, 2  # lines and speakers of a chat at least
GREETED = 12  # lines, in which a letter greets
FOLLOWED = 0.3  # of the lines that are not empty
PLAYED, OFTEN = 6, 0.05  # lines of a play that begin so at least, and their share: turns in verse are long
_HEADS = frozenset("from to cc bcc subject date sent re fwd reply-to note ps p.s http https".split())  # noqa: SIM905
_TIME = r"(?:\[[^\]\n]{1,24}\]|\(?\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[AaPp]\.?[Mm]\.?)?\)?)"
_WORD = r"[A-Z][\w.'’-]{0,20}"
_LABEL = re.compile(
    rf"[ \t]{{0,8}}(?:{_TIME}[ \t]{{0,4}})?(?:[-–*][ \t])?"
    rf"(?:<(\S{{1,30}})>|({_WORD}(?: {_WORD}){{0,2}})[ \t]?:)(?=\s)"
)
_CAPITALS = r"[^\W\d_][\w'’-]{0,20}"  # which are capitals is looked at afterwards
_PLAYED = re.compile(
    rf"[ \t]{{0,8}}({_CAPITALS}(?: {_CAPITALS}){{0,3}})(?:[ \t]?\([^)\n]{{1,80}}\))?[ \t]?[.:](?=\s)"
)
_ASKED = re.compile(r"[ \t]{0,8}([QA])[.:][ \t]")
_FROM = re.compile(r"(From|To):[ \t]*\"?([^<\n\"]{2,60})", re.IGNORECASE)
_WROTE = re.compile(
    rf"(?:>[ \t]?){{0,4}}On [^\n]{{4,120}}?,? ({_WORD}(?: {_WORD}){{0,2}})(?: <[^>\n]{{1,80}}>)? wrote:"
)

_DEAR = re.compile(rf"[ \t]{{0,8}}(?:My )?[Dd]ear(?:est)? ({_WORD}(?: {_WORD}){{0,2}})[ \t]?[,:!—-]")
_SIGNED = re.compile(rf"[ \t]{{0,40}}({_WORD}(?: {_WORD}){{0,2}})[ \t]?\.?\s*\Z")


def spoken_lines(running: str, language: str = ENGLISH) -> list[Spoken]:
    """Find what is said by whom, by labels, the heads of e-mails or a greeting; nothing in other texts.

    >>> [(part.speaker, part.label) for part in spoken_lines("ANN: I go.\\nBEN: You go?\\nANN: Yes.\\n")]
    [('ANN', (0, 3)), ('BEN', (11, 14)), ('ANN', (24, 27))]
    """
    lines, position = [], 0
    for line in running.splitlines(keepends=True):
        lines.append((position, line))
        position += len(line)
    labelled = _by_labels(lines, _ASKED) or _by_labels(lines, _LABEL) or _by_capitals(lines)
    return (
        labelled or _by_heads(lines) or (_letter(lines) if language == ENGLISH else letter(lines, language))
    )


def _by_labels(lines: Sequence[tuple[int, str]], pattern: re.Pattern[str]) -> list[Spoken]:
    """Cut a chat or a transcript at its labels."""
    begun = _begun(lines, pattern)
    return begun if _are_enough(begun, lines, LABELLED, FOLLOWED) else []


def _by_capitals(lines: Sequence[tuple[int, str]]) -> list[Spoken]:
    """Cut a play at the names in capitals that begin a line and come again.

    >>> text = "".join(f"{who} (leise).\\nIch gehe.\\n" for who in 3 * ["KARL", "DER JÄGER"])
    >>> [part.speaker for part in spoken_lines(text)][:2]
    ['KARL', 'DER JÄGER']
    """
    begun = [part for part in _begun(lines, _PLAYED) if part.speaker.isupper()]
    counts = Counter(part.speaker for part in begun)
    begun = [part for part in begun if counts[part.speaker] > 1]
    if not _are_enough(begun, lines, PLAYED, OFTEN):
        return []
    ends = [part.label[0] for part in begun[1:]] + [lines[-1][0] + len(lines[-1][1])]
    return [part._replace(end=end) for part, end in zip(begun, ends, strict=True)]


def _are_enough(begun: Sequence[Spoken], lines: Sequence[tuple[int, str]], least: int, share: float) -> bool:
    """Whether so many lines begin with labels, of several speakers, that these are no accident."""
    written = sum(bool(line.strip()) for _, line in lines)
    return len(begun) >= max(least, share * written) and len({part.speaker for part in begun}) >= SPEAKERS


def _begun(lines: Sequence[tuple[int, str]], pattern: re.Pattern[str]) -> list[Spoken]:
    """Cut a text at its labels, whatever they are."""
    found: list[tuple[int, int, Span, str]] = []
    for start, line in lines:
        if (
            (match := pattern.match(line))
            and (group := match.lastindex)
            and match[group].lower() not in _HEADS
        ):
            label = start + match.start(group), start + match.end(group)
            found.append((start, start + match.end(), label, match[group]))
    ends = [start for start, *_ in found[1:]] + [lines[-1][0] + len(lines[-1][1]) if lines else 0]
    return [Spoken(said, end, name, label) for (_, said, label, name), end in zip(found, ends, strict=False)]


def _by_heads(lines: Sequence[tuple[int, str]]) -> list[Spoken]:
    """Say who wrote each line of an e-mail, with the replies that it quotes."""
    found: list[Spoken] = []
    author: tuple[str, Span] | None = None
    quoted: tuple[str, Span] | None = None
    in_head = False
    for start, line in lines:
        if (head := _FROM.match(line.lstrip("> \t"))) and head[1].lower() == "from":
            at = start + line.index(head[2])
            author, in_head = (head[2].strip(), (at, at + len(head[2].rstrip()))), True
            quoted = None
        elif wrote := _WROTE.match(line):
            quoted = wrote[1], (start + wrote.start(1), start + wrote.end(1))
        elif not line.strip():
            in_head = False
        elif author and not in_head:
            who = quoted if line.lstrip().startswith(">") else author
            if who:
                found.append(Spoken(start, start + len(line), *who))
    return found


def _letter(lines: Sequence[tuple[int, str]]) -> list[Spoken]:
    """Take a letter's greeting and the name under it.

    >>> [(part.speaker, part.hearer) for part in spoken_lines("Dear Ruth,\\nI miss you.\\n\\nClara\\n")]
    [('Clara', ('Ruth', (5, 9)))]
    """
    greeting = next(((start, found) for start, line in lines[:GREETED] if (found := _DEAR.match(line))), None)
    last = next(((start, line) for start, line in reversed(lines) if line.strip()), None)
    if greeting is None or last is None or not (signed := _SIGNED.match(last[1])):
        return []
    (begin, dear), end = greeting, last[0]
    label = end + signed.start(1), end + signed.end(1)
    hearer = dear[1], (begin + dear.start(1), begin + dear.end(1))
    return [Spoken(begin + dear.end(), end, signed[1], label, hearer)]
