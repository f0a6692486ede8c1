"""How much two mentions have in common as strings (Martschat & Strube 2014, §5.4.1).

Case is ignored, and so are determiners and possessive marks (tags DT and POS; footnote 9).
"""

from __future__ import annotations

from referee.language.english import ARTICLES, INDEFINITE_ARTICLES, POSSESSIVE_MARKS
from referee.language.mention_types import Described

COMPLETE, HEAD, TOKEN, ACRONYM, NONE = "complete match", "head match", "shared token", "acronym", "none"
OVERLAPS = (COMPLETE, HEAD, TOKEN, ACRONYM, NONE)  # a pair is counted under the first that fits
IGNORED_TAGS = frozenset(("DT", "POS"))
IGNORED_WORDS = ARTICLES | POSSESSIVE_MARKS  # where there are no tags
INDEFINITE = INDEFINITE_ARTICLES | {"some", "any", "another"}


def content(mention: Described) -> tuple[str, ...]:
    """Take the words that count, in lower case."""
    words, tags = mention.words, mention.tags
    if not tags:
        return tuple(word.lower() for word in words if word.lower() not in IGNORED_WORDS)
    return tuple(word.lower() for word, tag in zip(words, tags, strict=True) if tag not in IGNORED_TAGS)


def overlap(anaphor: Described, antecedent: Described) -> str:
    """Say how two mentions overlap."""
    one, other = content(anaphor), content(antecedent)
    if one and one == other:
        return COMPLETE
    if anaphor.head_word and anaphor.head_word == antecedent.head_word:
        return HEAD
    if set(one) & set(other):
        return TOKEN
    return ACRONYM if is_acronym(anaphor, antecedent) or is_acronym(antecedent, anaphor) else NONE


def is_acronym(short: Described, long: Described) -> bool:
    """Say whether one mention is made of the other's capital initials: NHL, the National Hockey League."""
    letters = "".join(word for word in short.words if word.lower() not in IGNORED_WORDS).replace(".", "")
    if not (2 <= len(letters) <= 8 and letters.isupper() and letters.isalpha()):
        return False
    initials = "".join(
        word[0] for word in long.words if word[:1].isupper() and word.lower() not in IGNORED_WORDS
    )
    return len(initials) > 1 and _is_subsequence(letters, initials)


def _is_subsequence(letters: str, initials: str) -> bool:
    """Allow a word or two that the acronym leaves out: National Ice Hockey League is NHL."""
    rest = iter(initials)
    return (
        letters[:1] == initials[:1] and len(initials) - len(letters) <= 2 and all(x in rest for x in letters)
    )


def is_indefinite(mention: Described) -> bool:
    """Say whether a mention starts with an indefinite determiner."""
    words = mention.words
    return bool(words) and words[0].lower() in INDEFINITE
