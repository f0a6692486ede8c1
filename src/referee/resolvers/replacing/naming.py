"""What an entity is called: a name before a noun phrase before a pronoun, cut to what names it.

"Ann Lee, who runs the bank" is Ann Lee; "its chief, Tim Cook" is Tim Cook; "a dog" is the dog.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import pairwise
from typing import TYPE_CHECKING

from referee.language.english import (
    AFTER_NOUN,
    ARTICLES,
    CLITICS,
    DEMONSTRATIVES,
    DETERMINERS,
    INDEFINITE_ARTICLES,
    PERSONAL,
    POSSESSIVE_DETERMINERS,
    POSSESSIVE_MARKS,
    QUANTIFIERS,
    RELATIVES,
)
from referee.language.languages import ENGLISH
from referee.language.recognition import beginning_of, clearly_another, recognised
from referee.language.word_classes import classes_of, languages
from referee.model import Cluster, Mention, Span, Text

if TYPE_CHECKING:
    from referee.resolvers.replacing.words import WordsOf

PRONOUNS = PERSONAL | DEMONSTRATIVES | RELATIVES | CLITICS | {"one"}
_JOINTS = frozenset(("-", "'", "’"))  # of names that are written as one word: Anne-Marie O'Brien
SMALL_WORDS = ARTICLES | CLITICS | {"of", "and", "de", "la", "von", "van", "&", "in", "on", "for", "at"}
LONGEST_NAME = 6  # words; a longer phrase describes more than it names
LONGEST_BARE = 3  # words of a noun phrase without a determiner: "oil companies"
LONGEST_PHRASE = 5  # words of a noun phrase that can stand for a pronoun
_COMMA, _OPENING = frozenset((",", ";", ":", "—", "–", "--")), frozenset(("(", "[", "“", '"', "``"))
_BEHIND = frozenset("called named known born standing sitting living made given written found seen".split())  # noqa: SIM905
_PREPOSITIONS = frozenset("in on at for with from by to about under over near behind between during".split())  # noqa: SIM905
_COUNTED = frozenset("two three four five six seven eight nine ten both all".split())  # noqa: SIM905
_NO_HEADS = frozenset("first second third last next other others same former latter one ones most".split())  # noqa: SIM905
_FEW = frozenset("many few several more most fewer less much enough not only".split())  # noqa: SIM905
_MADE_DEFINITE = INDEFINITE_ARTICLES | {"some"}
_CONJUNCTIONS = frozenset(("and", "or", "&"))


def representative(text: Text, cluster: Cluster) -> Mention:
    """Choose a mention: the fullest name, else the first noun phrase, else the first mention."""
    pronouns = pronouns_of(text)
    return min(cluster.mentions, key=lambda mention: (*naming_rank(text, mention, pronouns), mention.spans))


def pronouns_of(text: Text) -> Collection[str]:
    """List the pronouns of a text's language, in small letters; the English ones where it has no table."""
    return _pronouns_in(beginning_of(text))


@lru_cache(maxsize=64)
def _pronouns_in(beginning: str) -> Collection[str]:
    another = find_spec("py3langid") and clearly_another(beginning, [ENGLISH])
    code = recognised(beginning) if another else ENGLISH
    if code == ENGLISH or code not in languages():
        return PRONOUNS
    return {word.lower() for word in classes_of(code).pronouns}


def naming_rank(text: Text, mention: Mention, pronouns: Collection[str] = PRONOUNS) -> tuple[int, int]:
    """Say how well a mention names what it means; the smallest is the best."""
    words = text.words[mention.start : mention.end]
    if len(words) == 1 and words[0].lower() in pronouns:
        return 2, 0
    large = [word for word in words if word.lower() not in SMALL_WORDS]
    named = bool(large) and all(word[:1].isupper() for word in large) and len(words) <= LONGEST_NAME
    return (0, -len(large)) if named else (1, 0)


def is_pronominal(text: Text, mention: Mention) -> bool:
    """Whether a mention is a pronoun."""
    return mention.end - mention.start == 1 and text.words[mention.start].lower() in PRONOUNS


@dataclass(frozen=True, slots=True)
class Called:
    """What an entity is called in a sentence, and the words that say so."""

    name: str
    words: Span
    is_name: bool  # or a noun phrase
    is_several: bool


def called(words: WordsOf, cluster: Cluster) -> Called | None:
    """Say what an entity is called: its fullest name, else its first good noun phrase, else nothing."""
    ranked = sorted(cluster.mentions, key=lambda each: (*naming_rank(words.text, each), each.spans))
    found = [made for mention in ranked if (made := _called_by(words, mention))]
    named = [each for each in found if each.is_name]
    return max(named, key=_fullness) if named else found[0] if found else None


def _fullness(each: Called) -> tuple[bool, int, int]:
    """Prefer names that are not shouted, then long ones, then early ones."""
    start, end = each.words
    return not each.name.isupper() or end - start == 1, end - start, -start


def _called_by(words: WordsOf, mention: Mention) -> Called | None:
    """Cut a mention to what names the entity, or to nothing if it is neither a name nor a noun phrase."""
    text = words.text
    if mention.end > text.length or len(mention.spans) > 1 or is_pronominal(text, mention):
        return None
    for begin, end in _parts(words, mention.start, mention.end):
        start = _behind_adjectives(words, begin, end)
        several = any(text.words[each].lower() in _CONJUNCTIONS for each in range(start, end))
        if _is_name(words, start, end):
            return Called(
                _spelled(text, start, end), (start, end), True, several or _is_house(words, start, end)
            )
    start, end = next(_parts(words, mention.start, mention.end), (0, 0))
    at = _name_behind(words, start, end)
    if at < end:
        return Called(_spelled(text, at, end), (at, end), True, False)
    return _noun_phrase(words, start, end)


def _behind_adjectives(words: WordsOf, start: int, end: int) -> int:
    """Leave out what is said of a person before the name: dear Ann, Poor Tom."""
    from referee.resolvers.replacing.words import LEADING

    written = words.text.words
    while start + 1 < end and written[start].lower() in LEADING and written[start + 1][:1].isupper():
        start += 1
    return start


def _name_behind(words: WordsOf, start: int, end: int) -> int:
    """Say where the name begins that ends a phrase, "her nephew Tom Lee"; at its end if there is none."""
    from referee.resolvers.replacing.words import known

    written = words.text.words
    at = end
    while at > start and written[at - 1][:1].isupper():
        at -= 1
    before = {word.lower() for word in written[start:at]}
    if not before or before & (AFTER_NOUN | CLITICS) or at == end:
        return end
    first, lists = written[at].lower(), known()
    titles = lists["titles"] | lists["masculine_titles"] | lists["feminine_titles"]
    is_person = first in lists.first_names or (first in titles and end - at > 1)
    return (
        at if is_person and _is_name(words, at, end) and written[at - 1].lower() not in DETERMINERS else end
    )


def _parts(words: WordsOf, start: int, end: int) -> Iterator[Span]:
    """Give the parts of a mention between commas, each cut where something is said of it.

    A list, as "Ann, Tom and Ben", is one part.
    """
    written = words.text.words
    lower = [word.lower() for word in written[start:end]]
    stop = next((at for at, word in enumerate(lower) if at and _says_more(words, start + at)), len(lower))
    commas = [at for at in range(stop) if lower[at] in _COMMA]
    is_list = bool(commas) and not _CONJUNCTIONS.isdisjoint(lower[commas[-1] : stop])
    edges = [-1, *([] if is_list else commas), stop]
    for first, last in pairwise(edges):
        part = _without_marks(written, start + first + 1, start + last)
        if part[0] < part[1]:
            yield part


def _says_more(words: WordsOf, number: int) -> bool:
    """Whether a clause, a bracket or a description begins at a word of a mention."""
    lower = words.text.words[number].lower()
    if lower in RELATIVES or lower in _OPENING:
        return True
    before = words.is_noun(number - 1) or words.is_name(number - 1)
    return before and (lower == "that" or lower in _BEHIND)


def _without_marks(written: tuple[str, ...], start: int, end: int) -> Span:
    """Leave out punctuation at both ends, and a mark of possession at the end."""
    while start < end and not written[start][:1].isalnum():
        start += 1
    while end > start and (
        written[end - 1].lower() in POSSESSIVE_MARKS or not written[end - 1][-1:].isalnum()
    ):
        if written[end - 1][:1].isalnum() and written[end - 1].endswith("."):  # Jr., Inc., U.S.
            break
        end -= 1
    return start, end - _is_cut_clitic(written, start, end)


def _is_cut_clitic(written: tuple[str, ...], start: int, end: int) -> int:
    """Count the words of 's where it was cut in two: 2 or 0."""
    return 2 * (end - start > 2 and written[end - 1] == "s" and written[end - 2] in ("'", "’"))


def _is_name(words: WordsOf, start: int, end: int) -> bool:
    written = words.text.words[start:end]
    joined = {
        start + at
        for at in range(1, len(written) - 1)
        if written[at] in _JOINTS and written[at + 1][:1].isupper()
    }
    if len(written) - 2 * len(joined) > LONGEST_NAME:
        return False
    numbers = (number for number in range(start, end) if number not in joined)
    large = [number for number in numbers if words.text.words[number].lower() not in SMALL_WORDS]
    if any(word.lower() in CLITICS for word in written) or not large:
        return False
    if written[0].lower() in SMALL_WORDS - {"the", "de", "la", "von", "van"}:
        return False
    if not all(words.text.words[each][:1].isupper() or words.text.words[each].isdigit() for each in large):
        return False
    return words.is_name(large[-1]) and (len(large) > 1 or not words.may_be_plural(large[0]))


def _is_house(words: WordsOf, start: int, end: int) -> bool:
    """Whether a name is one of several: the Beatles, the Smiths."""
    from referee.resolvers.replacing.words import is_several

    written = words.text.words
    return end - start == 2 and written[start].lower() == "the" and is_several(written[end - 1])


def _noun_phrase(words: WordsOf, start: int, end: int) -> Called | None:
    """Take a phrase with a determiner and a noun, and make it definite; a bare noun may be a verb."""
    from referee.resolvers.replacing.words import is_several

    written = words.text.words
    end = next((at for at in range(start + 2, end) if written[at].lower() in _PREPOSITIONS), end)
    if not start < end <= start + LONGEST_PHRASE:
        return None
    lower = [word.lower() for word in written[start:end]]
    head = next((at - 1 for at, word in enumerate(lower) if at and word == "of"), len(lower) - 1)
    several = is_several(lower[head]) or bool(_CONJUNCTIONS & {*lower})
    if not words.is_noun(start + head) or lower[head] in _NO_HEADS:
        return None
    if lower[0] in DEMONSTRATIVES and words.is_name(start + 1):  # "that Ann won"
        return None
    if POSSESSIVE_DETERMINERS & {*lower} or not _may_begin(lower, several=several):
        return None
    spelled = _spelled(words.text, start, end)
    rest = spelled.partition(" ")[2]
    if lower[0] in _MADE_DEFINITE | DEMONSTRATIVES | {"the"}:
        return Called(f"the {rest}", (start, end), False, several)
    if words.is_name(start):
        return Called(spelled, (start, end), False, several)
    small = spelled[:1].lower() + spelled[1:]
    name = f"the {small}" if lower[0] in _COUNTED - {"both", "all"} else small
    return Called(name, (start, end), False, several)


def _may_begin(lower: list[str], *, several: bool) -> bool:
    """Whether a phrase has a determiner or an owner that makes it one thing or group, or is a bare plural."""
    if CLITICS & {*lower[1:-1]}:
        return True
    if len(lower) > 1 and lower[0] in _MADE_DEFINITE | {"the"} | DEMONSTRATIVES | _COUNTED:
        return True
    return several and len(lower) <= LONGEST_BARE and lower[0] not in QUANTIFIERS | _FEW


def _spelled(text: Text, start: int, end: int) -> str:
    """Write words out on one line; the article of a name that begins a sentence is small."""
    name = " ".join(text.spelled([(start, end)]).split())
    first, _, rest = name.partition(" ")
    return f"{first.lower()} {rest}" if rest and first.lower() == "the" else name


def possessive(called: Called) -> str:
    """Make a name a possessor: Byron's, the sisters'."""
    ends_in_s = called.is_several and called.name.endswith("s")
    return f"{called.name}'" if ends_in_s else f"{called.name}'s"
