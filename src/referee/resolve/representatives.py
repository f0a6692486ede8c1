"""Chooses the mention that says best what an entity is: a name before a noun phrase before a pronoun."""

from __future__ import annotations

from referee.model import Cluster, Mention, Text

_PRONOUNS = """
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her
    hers herself it its itself they them their theirs themselves themself this that these those who whom
    whose which one 's ’s
"""
PRONOUNS = frozenset(_PRONOUNS.split())
_SMALL_WORDS = "the a an of and de la von van & 's ’s in on for at"
SMALL_WORDS = frozenset(_SMALL_WORDS.split())
LONGEST_NAME = 6  # words; a longer phrase describes more than it names


def representative(text: Text, cluster: Cluster) -> Mention:
    """Choose a mention: the fullest name, else the first noun phrase, else the first mention."""
    return min(cluster.mentions, key=lambda mention: (*naming_rank(text, mention), mention.spans))


def is_pronominal(text: Text, mention: Mention) -> bool:
    """Whether a mention is a pronoun."""
    return mention.end - mention.start == 1 and text.words[mention.start].lower() in PRONOUNS


def naming_rank(text: Text, mention: Mention) -> tuple[int, int]:
    """Say how well a mention names what it means; the least is the best."""
    words = text.words[mention.start : mention.end]
    if is_pronominal(text, mention):
        return 2, 0
    own = [word for word in words if word.lower() not in SMALL_WORDS]
    named = bool(own) and all(word[:1].isupper() for word in own) and len(words) <= LONGEST_NAME
    return (0, -len(own)) if named else (1, 0)
