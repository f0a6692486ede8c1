"""The plain text of CRAC's shared task: `Los|[e1 jugadores de el Espanyol|[e2],e1] … ##|[e1]`.

Words are separated by white space. Behind a bar a word has tags, several with commas: `[e1` opens a mention,
`e1]` closes it, `[e1]` does both. `##` is a word that is not written (its form may follow), and comes after
the word that it depends on. A bar without tags after it belongs to the word, unless it is the last character.
"""

from __future__ import annotations

import re

from referee.formats.marked.markings import (
    EMPTY,
    UNCLOSED,
    UNOPENED,
    BrokenTag,
    Marking,
    abridged,
    marking_of_tokens,
)
from referee.model import Span

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
