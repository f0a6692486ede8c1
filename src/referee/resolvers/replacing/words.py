"""What replacing knows of words: whether one is a name, a noun or several things, as far as lists show.

A capital alone does not make a name: the first word of a sentence has one too.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from referee.language import english
from referee.language.agreement import UNCHANGED
from referee.model import Cluster, Mention, Text
from referee.model.layers import POS

if TYPE_CHECKING:
    from referee.resolvers.camp.lexicon import Lexicon

NAME_TAGS = frozenset(("NNP", "NNPS", "PROPN"))
NOUN_TAGS = NAME_TAGS | {"NN", "NNS", "NOUN"}
_END = frozenset((".", "!", "?", "…", "...", ":", ";"))
_MARKS = frozenset(("“", "”", '"', "``", "''", "‘", "’", "'", "(", ")", "[", "]", "-", "--", "—", "–", "*"))
_SEVERAL = frozenset(("people", "police", "mice", "feet", "teeth", "folk", "cattle"))
LONGEST_GENDERED = 4  # words of a name or noun phrase whose gender is read
# Words before a name that are not part of it: dear Ann, poor old Mr. Pell.
LEADING = frozenset("dear dearest old poor little young good sweet darling great big late beloved".split())  # noqa: SIM905
NO_NAMES = english.PEOPLE_PRONOUNS | (
    english.PERSONAL
    | english.DETERMINERS
    | english.AFTER_NOUN
    | english.OLD_SECOND
    | LEADING
    | {"yes", "no", "oh", "others"}
)
_NO_PLURAL = ("ss", "us", "is", "ics")


def known() -> Lexicon:
    """Load the lists of names and nouns when a text is changed, and not before: they are CAMP's."""
    from referee.resolvers.camp.lexicon import lexicon

    return lexicon()


class WordsOf:
    """What can be said of the words of one text."""

    def __init__(self, text: Text) -> None:
        """Keep the text; its part-of-speech tags, if it has them, go before lists."""
        self.text = text
        self.tags = text.layers.get(POS, ())

    @cached_property
    def lower(self) -> tuple[str, ...]:
        """The written words in small letters."""
        return tuple(word.lower() for word in self.text.words[: self.text.length])

    @cached_property
    def seen_as_names(self) -> frozenset[str]:
        """Words that have a capital where no sentence begins, and are in small letters nowhere."""
        words = self.text.words[: self.text.length]
        small = {word for word in words if word[:1].islower()}
        return frozenset(
            word
            for number, word in enumerate(words)
            if word[:1].isupper() and word.lower() not in small and not self.begins(number)
        )

    def begins(self, number: int) -> bool:
        """Whether a sentence or a quotation begins with a word, so that it has a capital anyway."""
        if number in self._starts:
            return True
        before = self.text.words[number - 1] if number else "."
        return before in _END or before in _MARKS

    @cached_property
    def _starts(self) -> frozenset[int]:
        return frozenset(start for start, _ in self.text.sentences)

    def is_name(self, number: int) -> bool:
        """Whether a word is a name, or part of one."""
        word = self.text.words[number]
        if not word[:1].isupper() or word.lower() in english.PERSONAL | english.DETERMINERS:
            return False
        if self.tags and self.tags[number] != "_":
            return self.tags[number] in NAME_TAGS
        lower, lists = word.lower(), known()
        if lower in lists.first_names or lower in lists.countries or word in self.seen_as_names:
            return True
        titles = lists["titles"] | lists["masculine_titles"] | lists["feminine_titles"]
        if not self.begins(number) or lower in titles:
            return True
        # Only the first word of a sentence is left, which may be any word; but a bare noun owns nothing.
        if not english.CLITICS.isdisjoint(self.text.words[number + 1 : number + 2]):
            return True
        return not (
            lower in lists.nouns
            or singular_noun(lower) in lists.nouns
            or lower in UNCHANGED
            or lower.endswith(("ing", "ed", "ly"))
        )

    def may_be_plural(self, number: int) -> bool:
        """Whether a word that only begins a sentence, and is not a known name, looks like one: Critics."""
        word = self.text.words[number]
        lower, lists = word.lower(), known()
        if not self.begins(number) or lower in lists.first_names or lower in lists.countries:
            return False
        return (
            lower.endswith("s") and not lower.endswith(("ss", "us", "is")) and word not in self.seen_as_names
        )

    def is_noun(self, number: int) -> bool:
        """Whether a word may be the head of a noun phrase."""
        word = self.text.words[number].lower()
        if self.tags and self.tags[number] != "_":
            return self.tags[number] in NOUN_TAGS
        nouns = known().nouns
        return word in nouns or singular_noun(word) in nouns or word in _SEVERAL


def singular_noun(noun: str) -> str:
    """Give the singular of a regular noun, and of men and children; any other word as it is.

    >>> singular_noun("ladies"), singular_noun("boxes"), singular_noun("dogs"), singular_noun("glass")
    ('lady', 'box', 'dog', 'glass')
    """
    if noun.endswith("men") and noun != "specimen":
        return f"{noun[:-3]}man"
    if noun.endswith("children"):
        return noun.removesuffix("ren")
    if not noun.endswith("s") or noun.endswith(_NO_PLURAL):
        return noun
    if noun.endswith("ies") and len(noun) > 4:
        return f"{noun[:-3]}y"
    return noun[:-2] if noun.endswith(("xes", "ches", "shes", "sses")) else noun[:-1]


def is_several(noun: str) -> bool:
    """Whether the head of a phrase shows that it is several things.

    >>> is_several("sisters"), is_several("people"), is_several("bus")
    (True, True, False)
    """
    lower = noun.lower()
    return lower in _SEVERAL or singular_noun(lower) != lower


def gender_of(words: WordsOf, cluster: Cluster) -> str:
    """Give the gender that titles, nouns and first names of an entity show: m, f, or nothing if none or both.

    A pronoun shows none here, since it is what is to be compared.
    """
    found = {_gender(words, mention) for mention in cluster.mentions} - {""}
    return found.pop() if len(found) == 1 else ""


def _gender(words: WordsOf, mention: Mention) -> str:
    written = [word.lower() for word in words.text.words[mention.start : mention.end]]
    if not written or len(written) > LONGEST_GENDERED or "and" in written:
        return ""
    first, last, lists = written[0], written[-1], known()
    for gender, kind in (("m", "masculine"), ("f", "feminine")):
        if len(written) > 1 and first in lists[f"{kind}_titles"]:
            return gender
        if last in lists[f"{kind}_nouns"]:
            return gender
        is_first = first in lists.frequent_names or len(written) > 1
        if is_first and words.is_name(mention.start) and lists.first_names.get(first) == kind:
            return gender
    return ""
