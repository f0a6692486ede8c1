"""People's names: which words of a text are first names and surnames, and which names are of two people.

A reader knows a family: Clara Holt and Peter Holt share a surname and are two, Mrs. Holt and Miss Holt are
two, and so are Clara and Peter. This holds for whole entities: whatever else speaks for it, two entities
whose names are of two people are not made one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from referee.language.english import NICKNAMES
from referee.resolvers.camp.lexicon import Lexicon
from referee.resolvers.camp.markables import Kind, Markable
from referee.resolvers.camp.parse_view import NAME_TAGS, Parse

MOSTLY = 0.75  # of a first name's surnames
NO_WORDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PersonName:
    """What is known of the names of one person: all words, first names, surnames, Mrs. or Miss."""

    words: frozenset[str] = NO_WORDS
    firsts: frozenset[str] = NO_WORDS
    lasts: frozenset[str] = NO_WORDS
    marital: frozenset[str] = NO_WORDS

    def __or__(self, other: PersonName) -> PersonName:
        """Put together what two names of one person say."""
        if not other.words or other == self:
            return self
        return PersonName(
            self.words | other.words,
            self.firsts | other.firsts,
            self.lasts | other.lasts,
            self.marital | other.marital,
        )

    def clashes(self, other: PersonName) -> bool:
        """Whether these are the names of two people: no word in common, or different first or last names."""
        if not self.words or not other.words:
            return False
        same_first = share_a_form(self.firsts, other.firsts)
        if not same_first and (
            (self.firsts and other.firsts)
            or (self.marital and other.marital and self.marital != other.marital)
        ):
            return True
        if self.lasts and other.lasts and self.lasts.isdisjoint(other.lasts):
            return True
        return not share_a_form(self.words, other.words)


NO_NAME = PersonName()


def short_forms(word: str) -> set[str]:
    """List the forms of a first name, itself among them if it has any."""
    return {name for family in NICKNAMES if word in family for name in family}


def same_form(one: str, other: str) -> bool:
    """Whether two first names may be one: Bill and William, W. and William.

    >>> same_form("bill", "william"), same_form("w.", "william"), same_form("bill", "walter")
    (True, True, False)
    """
    if one == other or other in short_forms(one):
        return True
    few, many = sorted((one.rstrip("."), other.rstrip(".")), key=len)
    return len(few) == 1 and many.startswith(few)


def share_a_form(some: Iterable[str], others: frozenset[str]) -> bool:
    """Whether a name of the first is a form of one of the others."""
    return any(word in others or any(same_form(word, other) for other in others) for word in some)


class NamedPeople:
    """The people's names of a text: who has which first name and which surname."""

    def __init__(self, parse: Parse, markables: Iterable[Markable], lexicon: Lexicon) -> None:
        """Collect full names, and surnames behind titles."""
        self.lexicon = lexicon
        self.surnames: dict[str, Counter[str]] = defaultdict(Counter)  # first name → surnames behind it
        self.bearers: dict[str, Counter[str]] = defaultdict(Counter)  # surname → first names before it
        self.titles: dict[str, Counter[str]] = defaultdict(Counter)  # surname → titles before it
        self.mentions: Counter[str] = Counter()  # of names by each of their words
        for markable in markables:
            if not is_personal(markable) or parse.tags[markable.head] not in NAME_TAGS:
                continue
            self.mentions.update(markable.name)
            if len(markable.name) > 1:
                self.surnames[markable.name[0]][markable.name[-1]] += 1
                self.bearers[markable.name[-1]][markable.name[0]] += 1
            if markable.titles:
                self.titles[markable.name[-1]][markable.titles[-1]] += 1

    def name_of(self, markable: Markable) -> PersonName:
        """Say which words of a person's name are what; nothing of what is no person's name."""
        if not is_personal(markable):
            return NO_NAME
        first, last = markable.name[0], markable.name[-1]
        words = frozenset((first, last))
        if len(markable.name) > 1:
            firsts = NO_WORDS if self._is_slip(first, last) else frozenset((self._first(markable),))
            lasts = NO_WORDS if self._is_slip(last, first) else frozenset((last,))
            return PersonName(words, firsts, lasts, self._marital(markable.titles))
        as_first, as_last = self._uses(last)
        firsts = words if as_first > as_last else NO_WORDS
        lasts = words if as_last > as_first else NO_WORDS
        return PersonName(words, firsts, lasts, NO_WORDS if firsts else self._marital(markable.titles))

    def _is_slip(self, word: str, beside: str) -> bool:
        """Whether a word is no part of the frequent name beside it: Oliver Walks, in a heading on Oliver."""
        if not word[:1].isalpha():
            return True
        uses = _total(self.surnames, word) + _total(self.bearers, word) + _total(self.titles, word)
        usual = self.mentions[beside] >= self.lexicon.limits["usual name"]
        return usual and uses == 1 and word not in self.lexicon.first_names

    def _uses(self, word: str) -> tuple[int, int]:
        """Count how often a word is a first name and how often a surname, where the text makes it clear."""
        as_last = _total(self.bearers, word)
        if word not in self.lexicon.first_names:  # Mr. Holt, but not Mr. Peter
            titles = self.titles.get(word, Counter())
            as_last += sum(n for title, n in titles.items() if title not in self.lexicon["first_name_titles"])
        return _total(self.surnames, word), as_last

    def _first(self, markable: Markable) -> str:
        """Give the first name in a full name; that of Mrs. John Holt is another's."""
        return f"mrs. {markable.name[0]}" if self.is_husbands(markable) else markable.name[0]

    def is_husbands(self, markable: Markable) -> bool:
        """Whether the first name behind Mrs. is no woman's."""
        wed = not self.lexicon["married_titles"].isdisjoint(markable.titles)
        return wed and len(markable.name) > 1 and self.lexicon.first_names.get(markable.name[0]) != "feminine"

    def _marital(self, titles: Iterable[str]) -> frozenset[str]:
        names = ("married_titles", "unmarried_titles")
        return frozenset(name for name in names for title in titles if title in self.lexicon[name])

    def has_one_surname(self, first: str) -> bool:
        """Whether a first name has one surname in the text, but for slips, and is hardly anyone's surname."""
        surnames = self.surnames.get(first, Counter())
        most = max(surnames.values(), default=0)
        return most > 0 and most >= MOSTLY * (surnames.total() + _total(self.bearers, first))

    def is_family(self, surname: str, titles: Iterable[str], first: str | None) -> bool:
        """Whether others may be meant by a surname than the woman who is titled so: Mr. Holt, or Peter Holt.

        Of Mrs. Holt and the full name of a woman they may be another woman, of whom there is a first name or
        the other title.
        """
        lexicon = self.lexicon
        women = {
            name for name in self.bearers.get(surname, ()) if lexicon.first_names.get(name) != "masculine"
        }
        others = self._marital(self.titles.get(surname, ())) - self._marital(titles)
        if first is not None:
            return bool(women - {first}) or ("unmarried_titles" in others)
        men = not lexicon["masculine_titles"].isdisjoint(self.titles.get(surname, ()))
        return men or bool(others) or self.bearers.get(surname, Counter()).keys() != women or len(women) > 1


def _total(counts: dict[str, Counter[str]], word: str) -> int:
    return counts[word].total() if word in counts else 0


def is_personal(markable: Markable) -> bool:
    """Whether a markable is one person's name."""
    is_name = markable.kind is Kind.NAME and bool(markable.name) and not markable.coordinated
    return is_name and (markable.label == "PERSON" or bool(markable.titles))
