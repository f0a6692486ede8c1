"""Writes a text with names in place of pronouns: by offsets, possessives as possessives.

An entity is called by the mention that says best what it is: a name before a noun phrase before a pronoun.
"""

from __future__ import annotations

from referee.language.english import (
    ARTICLES,
    CLITICS,
    DEMONSTRATIVES,
    PERSONAL,
    POSSESSIVE_DETERMINERS,
    POSSESSIVES,
    REFLEXIVES,
    RELATIVES,
    THIRD,
)
from referee.model import Cluster, Document, Mention, Text
from referee.model.layers import POS

PRONOUNS = PERSONAL | DEMONSTRATIVES | RELATIVES | CLITICS | {"one"}
SMALL_WORDS = ARTICLES | CLITICS | {"of", "and", "de", "la", "von", "van", "&", "in", "on", "for", "at"}
LONGEST_NAME = 6  # words; a longer phrase describes more than it names
POSSESSIVE = POSSESSIVES & THIRD - {"her"}  # which may be an object too
REPLACED = THIRD - REFLEXIVES
# What may come behind "her" where it is not a possessive.
_AFTER_OBJECT = """
    to and or but as at in on of for with from by if when while because so than then there here up down out
    off over away back again about into through before after until was is were are had has would could should
    will
"""
AFTER_OBJECT = (
    ARTICLES | DEMONSTRATIVES | POSSESSIVE_DETERMINERS - {"her", "its"} | frozenset(_AFTER_OBJECT.split())
)


def replaced_text(document: Document) -> str:
    """Replace the pronouns of the third person by what their entity is called.

    A pronoun stays where its entity has no better name, or where the name would hold the pronoun itself.
    """
    text = document.text
    running, characters = (text.running, text.characters) if text.running is not None else _joined(text)
    pieces, position = [], 0
    for mention, name in sorted(_replacements(document)):
        start, end = characters[mention.start][0], characters[mention.end - 1][1]
        pieces += [running[position:start], _in_case(name, running[start:end])]
        position = end
    return "".join([*pieces, running[position:]])


def _joined(text: Text) -> tuple[str, list[tuple[int, int]]]:
    """Put a blank between words, and say where each is."""
    characters, position = [], 0
    for word in text.words[: text.length]:
        characters.append((position, position + len(word)))
        position += len(word) + 1
    return " ".join(text.words[: text.length]), characters


def _replacements(document: Document) -> list[tuple[Mention, str]]:
    text = document.text
    listed = []
    for cluster in document.clusters:
        best = representative(text, cluster)
        if is_pronominal(text, best):
            continue
        name = _as_known(text.spelled(best.spans))
        for mention in cluster.mentions:
            if mention.start >= text.length or not is_pronominal(text, mention) or _inside(mention, best):
                continue
            if text.words[mention.start].lower() in REPLACED:
                listed.append((mention, possessive(name) if _is_possessive(text, mention.start) else name))
    return listed


def _inside(mention: Mention, other: Mention) -> bool:
    return other.start <= mention.start and mention.end <= other.end


def _is_possessive(text: Text, word: int) -> bool:
    """Whether a pronoun is a possessor: "her" is where its tag says so, or what comes behind it."""
    lower = text.words[word].lower()
    if lower != "her":
        return lower in POSSESSIVE
    if POS in text.layers:
        return text.layers[POS][word] in ("PRP$", "DET")
    following = text.words[word + 1] if word + 1 < text.length else ""
    return following[:1].isalpha() and following.lower() not in AFTER_OBJECT


def _as_known(name: str) -> str:
    """Name an entity as one that has been met: without 's, and the for a."""
    for ending in ("'s", "’s", "s'", "s’"):
        if name.endswith(ending):
            name = name[: -len(ending)].rstrip() + ("s" if ending[0] == "s" else "")
    first, _, rest = name.partition(" ")
    return f"the {rest}" if rest and first.lower() in ARTICLES else name


def possessive(name: str) -> str:
    """Make a name a possessor.

    >>> possessive("Byron"), possessive("the sisters")
    ("Byron's", "the sisters'")
    """
    plural = name.endswith("s") and name.partition(" ")[0] in ("the", "these", "those")
    return f"{name}'" if plural else f"{name}'s"


def _in_case(name: str, pronoun: str) -> str:
    """Begin a name with a capital where the pronoun did."""
    return name[:1].upper() + name[1:] if pronoun[:1].isupper() else name


def representative(text: Text, cluster: Cluster) -> Mention:
    """Choose a mention: the fullest name, else the first noun phrase, else the first mention."""
    return min(cluster.mentions, key=lambda mention: (*naming_rank(text, mention), mention.spans))


def naming_rank(text: Text, mention: Mention) -> tuple[int, int]:
    """Say how well a mention names what it means; the smallest is the best."""
    words = text.words[mention.start : mention.end]
    if is_pronominal(text, mention):
        return 2, 0
    large = [word for word in words if word.lower() not in SMALL_WORDS]
    named = bool(large) and all(word[:1].isupper() for word in large) and len(words) <= LONGEST_NAME
    return (0, -len(large)) if named else (1, 0)


def is_pronominal(text: Text, mention: Mention) -> bool:
    """Whether a mention is a pronoun."""
    return mention.end - mention.start == 1 and text.words[mention.start].lower() in PRONOUNS
