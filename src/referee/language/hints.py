"""What knowledge would have helped: hints about a link between a name and a noun, two names or two nouns.

    hypernymy         one head is a kind, or an instance, of the other: Paris, the city (WordNet)
    synonymy          the heads have a meaning in common: car, automobile (WordNet)
    role              a person and what people are called: Mr. Papandreou, the prime minister (WordNet)
    acronym           the National Hockey League, NHL
    nickname          William, Bill
    demonym           France, French
    date              both are dates: 1989, last year
    spelling variant  Hsiachuotzu, Hsiachuotsu

These are the manual classes of Martschat & Strube (2014, Table 6 and §5.4.1) as far as a program can find
them. A hint is a guess to look at, not a proof; a pair may have several, or none. Without WordNet the first
three are not given, and tables say so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher

from referee.language import wordnet
from referee.language.english import DEMONYMS, NICKNAMES
from referee.language.mention_types import NAME, NOUN, Described
from referee.language.overlap import COMPLETE, HEAD, content, is_acronym, overlap
from referee.language.wordnet import WordNet

HYPERNYMY, SYNONYMY, ROLE, ACRONYM = "hypernymy", "synonymy", "role", "acronym"
NICKNAME, DEMONYM, DATE, SPELLING = "nickname", "demonym", "date", "spelling variant"
NEED_WORDNET = (HYPERNYMY, SYNONYMY, ROLE)
HINTS = (*NEED_WORDNET, ACRONYM, NICKNAME, DEMONYM, DATE, SPELLING)

PERSONS = frozenset(("PERSON", "PER"))
TITLES = frozenset(
    "mr mr. mrs mrs. ms ms. miss dr dr. prof. sir lady lord president senator king queen pope judge".split()  # noqa: SIM905
)
DATES = frozenset(("DATE", "TIME"))
DATE_WORDS = frozenset(
    "january february march april may june july august september october november december monday tuesday "  # noqa: SIM905
    "wednesday thursday friday saturday sunday today yesterday tomorrow tonight day week weekend month year "
    "decade century morning afternoon evening night spring summer autumn fall winter date".split()
)
YEAR = re.compile(r"(1\d|20)\d\d|'?\d\ds|(1\d|20)\d\ds")
DEMONYM_ENDINGS = ("an", "ian", "ean", "ese", "i", "ish", "er")
SAME_STEM = 4  # at least, letters that a place and its demonym share
OTHER_ENDING = 2  # at most, letters of a place that its demonym leaves out
ALIKE = 0.8  # of two spellings
LONG_ENOUGH = 5  # letters of a word whose spelling may vary


def hints(anaphor: Described, antecedent: Described) -> tuple[str, ...]:
    """Give all hints about a link between names and nouns; none for other types."""
    types = {anaphor.type, antecedent.type}
    if not types <= {NAME, NOUN} or overlap(anaphor, antecedent) in (COMPLETE, HEAD):
        return ()
    net = wordnet.installed()
    hints = _from_wordnet(anaphor, antecedent, net) if net else set()
    if is_acronym(anaphor, antecedent) or is_acronym(antecedent, anaphor):
        hints.add(ACRONYM)
    words = content(anaphor), content(antecedent)
    if types == {NAME} and _nicknames(*words):
        hints.add(NICKNAME)
    if NAME in types and any(_is_demonym(a, b) or _is_demonym(b, a) for a in words[0] for b in words[1]):
        hints.add(DEMONYM)
    if is_date(anaphor) and is_date(antecedent):
        hints.add(DATE)
    alike = types == {NAME} and not set(words[0]) & set(words[1]) and _spelled_alike(*map("".join, words))
    if alike and DEMONYM not in hints:
        hints.add(SPELLING)
    return tuple(hint for hint in HINTS if hint in hints)


def _from_wordnet(anaphor: Described, antecedent: Described, net: WordNet) -> set[str]:
    senses = [_synsets(mention, net) for mention in (anaphor, antecedent)]
    above = [{synset for sense in side for synset in net.ancestors(sense)} for side in senses]
    hints = set()
    if senses[0] & senses[1]:
        hints.add(SYNONYMY)
    elif senses[0] & above[1] or senses[1] & above[0]:
        hints.add(HYPERNYMY)
    for side, (mention, other) in enumerate(((anaphor, antecedent), (antecedent, anaphor))):
        if mention.type == NOUN and net.person in above[side] and _is_person(other, above[1 - side], net):
            hints.add(ROLE)
    return hints


def _synsets(mention: Described, net: WordNet) -> set[int]:
    """Look up the head, or for a name first the whole of it: New York, then York."""
    if mention.type == NAME and (whole := net.senses("_".join(content(mention)))):
        return set(whole)
    return set(net.senses(mention.head_word)) if mention.head_word else set()


def _is_person(mention: Described, above: set[int], net: WordNet) -> bool:
    if mention.type != NAME:
        return False
    titled = any(word in TITLES for word in content(mention))
    return mention.entity_type in PERSONS or titled or net.person in above


def _nicknames(one: Sequence[str], other: Sequence[str]) -> bool:
    """Compare first names; surnames, where both have one, must be the same."""
    if not one or not other or one[0] == other[0]:
        return False
    surnames_differ = len(one) > 1 and len(other) > 1 and one[-1] != other[-1]
    return not surnames_differ and any(one[0] in family and other[0] in family for family in NICKNAMES)


def _is_demonym(people: str, place: str) -> bool:
    """Compare a word for people with one for a place: listed, or the place with another ending."""
    if frozenset((people, place)) in DEMONYMS:
        return True
    people = people.removesuffix("s")
    if _plain(people) == _plain(place.removesuffix("s")):  # one word, in another number or spelling
        return False
    if place.endswith("a") and people == place + "n":
        return True
    stems = [people.removesuffix(ending) for ending in DEMONYM_ENDINGS if people.endswith(ending)]
    return any(
        len(stem) >= SAME_STEM and place.startswith(stem) and len(place) - len(stem) <= OTHER_ENDING
        for stem in stems
    )


def is_date(mention: Described) -> bool:
    """Say whether a mention is a date or a time, by its entity label or its head."""
    if mention.entity_type:
        return mention.entity_type in DATES
    head = mention.head_word
    return head in DATE_WORDS or head.removesuffix("s") in DATE_WORDS or bool(YEAR.fullmatch(head))


def _spelled_alike(one: str, other: str) -> bool:
    one, other = _plain(one), _plain(other)
    if one == other:
        return bool(one)
    long_enough = min(len(one), len(other)) >= LONG_ENOUGH
    return long_enough and SequenceMatcher(None, one, other, autojunk=False).ratio() >= ALIKE


def _plain(word: str) -> str:
    """Leave only letters and digits, without their accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", word) if c.isalnum())
