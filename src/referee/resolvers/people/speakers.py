"""Who says what: each turn of a dialogue gets the entity that speaks, and that is spoken to.

What is looked for are the clues of Muzny et al. (2017): a verb of speech with its subject, a person who acts
in the same paragraph, whom the other addresses by name, whom a quotation is about, who speaks and acts near
it. They are weighed for a whole conversation (`conversations`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from referee.language import english
from referee.resolvers.people.conversations import NEAR, NOBODY, Part, likely_speakers
from referee.resolvers.people.layout import Layout
from referee.resolvers.people.quotations import Quote, find_quotes, name_speakers, quotes_in_paragraph
from referee.resolvers.people.settling import gender_of_pronoun

LED_IN = 40  # words before a paragraph in which someone begins to speak
LEADS_IN = frozenset((",", ":", ":--", "--", "—", "-", ";"))
BEFORE_PRONOUN = 60  # words before "he said" in which he is named
DIALOGUE, BEFORE_PARAGRAPH = 8, 300  # turns and words in which an unknown speaker is looked for
PAUSE = 20  # words of narration that count as a paragraph where these are not known
FEW = 6  # of the people who acted before
ENDS = frozenset((".", "!", "?"))
_ANSWERS = "answer answers answered reply replies replied rejoined retorted returned"
_ANSWERING = frozenset(_ANSWERS.split())
NAMED, ACTING, BEFORE, BY_TURNS = "named", "acting", "before", "by turns"
# What a clue is worth, in log odds: it was chosen by five novels.
SURE, NEAREST, IN_ENTITY = (
    10.0,
    1.2,
    1.2,
)  # the subject of a verb of speech; of he and she the nearest, the entity
ACTS, LEADS = 6.0, 2.5  # who acts in the paragraph, or before it
ACTED, SPEAKS, FADING = 1.2, 0.8, 10  # who acted before, or speaks so many turns from here
SAYS_I, IS_TOLD_OF, IS_CALLED = 0.4, -0.7, -5.0  # I is in the entity; the quotation is about it, or calls it
OTHER_GENDER = -4.0


@dataclass(slots=True)
class Turn:
    """What is said in one paragraph: its quotations, the words of the paragraph, and who speaks to whom."""

    quotes: list[Quote]
    start: int
    end: int
    paragraph: int
    continues: bool = False  # what the turn before it says
    speaker: int = NOBODY
    hearer: int = NOBODY
    how: str = ""  # the speaker was found


@dataclass(slots=True)
class Scene:
    """What is known of a text: its words, which entity each mention has, and which entities are people."""

    words: Sequence[str]
    lower: Sequence[str]
    mentions: Sequence[tuple[int, int, int]]  # in order: the words, the end excluded, and the entity
    quoted: Sequence[bool]
    genders: dict[int, int]  # of the entities that are people; 0 where it does not show
    around: dict[int, list[int]] = field(default_factory=dict)  # word → its mentions

    def __post_init__(self) -> None:
        """Index the mentions by their words."""
        for number, (start, end, _) in enumerate(self.mentions):
            for word in range(start, end):
                self.around.setdefault(word, []).append(number)

    def mention_at(self, word: int) -> tuple[int, int, int] | None:
        """Give the smallest mention that ends with a word, or else is around it."""
        near = (self.mentions[number] for number in self.around.get(word, ()))
        return min(near, key=lambda each: (each[1] != word + 1, each[1] - each[0], each[2]), default=None)

    def entity_at(self, word: int) -> int:
        """Give the entity of the smallest mention that ends with a word, or else is around it."""
        mention = self.mention_at(word)
        return mention[2] if mention else NOBODY

    def people_in(self, start: int, end: int, *, named: bool = False) -> list[tuple[int, int]]:
        """List the people that begin in some words, each with the first word; `named`: not by a pronoun."""
        found = []
        for word in range(start, end):
            for number in self.around.get(word, ()):
                first, stop, entity = self.mentions[number]
                if named and self.lower[word] in english.PERSONAL:
                    continue
                fits = first == word and (named or stop <= end) and self.lower[word] not in _NOT_ACTING
                if (
                    fits
                    and entity in self.genders
                    and (not named or self.words[stop - 1] not in english.CLITICS)
                ):
                    found.append((word, entity))
        return found


_NOT_ACTING = (
    english.OBJECTS - {"you", "it", "her"} | english.POSSESSIVES | english.REFLEXIVES | english.FIRST_PLURAL
)
_NOT_ACTING |= english.SECOND


def find_turns(layout: Layout) -> list[Turn]:
    """Find what is said, paragraph by paragraph where these are known, and which words name who says it."""
    words, paragraphs = layout.words, layout.paragraphs
    if not layout.laid_out:
        return _turns_without_paragraphs(layout)
    turns: list[Turn] = []
    goes_on = False
    for number, start in enumerate(paragraphs):
        end = paragraphs[number + 1] if number + 1 < len(paragraphs) else len(words)
        quotes, is_open = quotes_in_paragraph(words, start, end, layout.sides)
        if quotes:
            continues = goes_on and quotes[0].start == start
            turns.append(Turn(quotes, start, end, number, continues))
        goes_on = is_open
    name_speakers(words, layout.lower, [quote for turn in turns for quote in turn.quotes])
    return [part for turn in turns for part in _parted_at_answers(layout.lower, turn)]


def _parted_at_answers(lower: Sequence[str], turn: Turn) -> list[Turn]:
    """Part a paragraph where one asks and another answers: "Why?" asked the fox. "Because," she answered."""
    parts = [turn]
    for number, quote in enumerate(turn.quotes):
        begun = parts[-1]
        spoken = [each for each in begun.quotes if each.start < quote.start and each.speaker >= 0]
        if quote.continued or quote.speaker < quote.end or not spoken:
            continue
        if not _ANSWERING.isdisjoint(lower[quote.end + 1 : quote.speaker + 2]):
            rest = [each for each in turn.quotes[number:] if each in begun.quotes]
            begun.quotes = [each for each in begun.quotes if each not in rest]
            parts.append(Turn(rest, quote.start, begun.end, begun.paragraph))
            begun.end = quote.start
    return parts


def _turns_without_paragraphs(layout: Layout) -> list[Turn]:
    """Take each quotation as a turn, with those that continue it, to the end of the sentence behind it."""
    words = layout.words
    quotes = (
        quotes_in_paragraph(words, 0, len(words), layout.sides)[0] if layout.sides else find_quotes(words)
    )
    name_speakers(words, layout.lower, quotes)
    turns: list[Turn] = []
    for quote, following in zip(quotes, [*quotes[1:], None], strict=False):
        limit = following.start if following else len(words)
        end = next((word for word in range(quote.end + 1, limit) if words[word] in ENDS), limit)
        if quote.continued and turns:
            turns[-1].quotes.append(quote)
            turns[-1].end = end
        else:
            told = quote.start - turns[-1].quotes[-1].end if turns else 0
            paragraph = turns[-1].paragraph + 1 + told // PAUSE if turns else 0
            turns.append(Turn([quote], quote.start, end, paragraph))
    return turns


def quoted_words(layout: Layout, turns: Sequence[Turn]) -> list[bool]:
    """Say of each word whether it is inside of a quotation; its marks are not."""
    quoted = [False] * len(layout.words)
    for turn in turns:
        for quote in turn.quotes:
            quoted[quote.start + 1 : quote.end] = [True] * (quote.end - quote.start - 1)
    return quoted


def find_speakers(scene: Scene, turns: Sequence[Turn]) -> None:
    """Say of each turn who speaks, and to whom, as far as can be seen."""
    speeches: list[list[Turn]] = []
    clues: list[Clues] = []
    for number, turn in enumerate(turns):
        turn.hearer = _called(scene, turn)
        if turn.continues and number:
            speeches[-1].append(turn)
        else:
            speeches.append([turn])
            clues.append(_look_beside(scene, turn, turns[number - 1] if number else None))
    told = [(word, who) for word, who in scene.people_in(0, len(scene.words)) if not scene.quoted[word]]
    parts = [
        Part(
            _weights(scene, speech, clue, _near_by(speeches, clues, number), _before(told, speech[0].start)),
            next((turn.hearer for turn in speech if turn.hearer != NOBODY), NOBODY),
            speech[0].paragraph,
            speech[-1].paragraph,
        )
        for number, (speech, clue) in enumerate(zip(speeches, clues, strict=True))
    ]
    for speech, clue, who in zip(speeches, clues, likely_speakers(parts), strict=True):
        for turn in speech:
            turn.speaker, turn.how = who, "" if who == NOBODY else clue.how(who)
    for number, turn in enumerate(turns):
        if turn.hearer == NOBODY:
            beside = [each.speaker for step in (-1, 1) for each in _near(turns, number, step)]
            turn.hearer = next((who for who in beside if who not in (NOBODY, turn.speaker)), NOBODY)


class Clues(NamedTuple):
    """What stands beside a turn: who speaks, how that was found, and of he and she the gender."""

    weights: dict[int, float]
    found: str = ""
    gender: int = 0

    def how(self, who: int) -> str:
        """Say how a speaker was found."""
        return self.found if self.found == NAMED or who in self.weights else BY_TURNS


def _look_beside(scene: Scene, turn: Turn, previous: Turn | None) -> Clues:
    """Look for the subject of a verb of speech in the paragraph, or else for who acts."""
    for quote in turn.quotes:
        if not (quote.speaker >= 0 and turn.start - LED_IN <= quote.speaker < turn.end):
            continue
        who, gender = scene.entity_at(quote.speaker), gender_of_pronoun(scene.lower[quote.speaker])
        weights = {who: IN_ENTITY if gender else SURE} if who in scene.genders else {}
        if gender and (nearest := _nearest(scene, quote.speaker, turn)) != NOBODY:
            weights[nearest] = weights.get(nearest, 0.0) + NEAREST
        if weights:
            return Clues(weights, NAMED, gender)
    who, how = _actor(scene, turn, previous)
    return Clues({} if who == NOBODY else {who: ACTS if how == ACTING else LEADS}, how)


def _near_by(speeches: Sequence[Sequence[Turn]], clues: Sequence[Clues], number: int) -> dict[int, float]:
    """List who speaks or is called in the turns around one, the nearest first."""
    found: dict[int, float] = {}
    for far in range(1, DIALOGUE + 1):
        for other in (number - far, number + far):
            if 0 <= other < len(speeches):
                for who in (*clues[other].weights, speeches[other][0].hearer):
                    found.setdefault(who, SPEAKS / (1 + far / FADING))
    return found


def _before(told: Sequence[tuple[int, int]], start: int) -> dict[int, float]:
    """List who acts in the narration before a word, the last first."""
    begin, end = (bisect_left(told, (word,)) for word in (start - BEFORE_PARAGRAPH, start))
    people = dict.fromkeys(told[place][1] for place in range(end - 1, begin - 1, -1))
    return {who: ACTED * (1 - rank / FEW) for rank, who in enumerate(islice(people, FEW))}


def _weights(
    scene: Scene, speech: Sequence[Turn], clue: Clues, *others: dict[int, float]
) -> dict[int, float]:
    """Add up what speaks for each person, and what the quotation and a pronoun say against it."""
    weights: dict[int, float] = defaultdict(float)
    for some in (*others, clue.weights):
        for who, weight in some.items():
            weights[who] += weight
    for who, weight in _by_what_is_said(scene, speech).items():
        if who in weights:
            weights[who] += weight
    return {
        who: weight + OTHER_GENDER * (clue.gender != 0 and scene.genders[who] not in (0, clue.gender))
        for who, weight in weights.items()
        if who in scene.genders
    }


def _by_what_is_said(scene: Scene, speech: Sequence[Turn]) -> dict[int, float]:
    """Say what speaks for people whose I it is, and against those whom a quotation is about or calls."""
    found: dict[int, float] = {}
    for quote in (quote for turn in speech for quote in turn.quotes):
        for word in range(quote.start + 1, quote.end):
            for start, end, entity in (scene.mentions[number] for number in scene.around.get(word, ())):
                pronoun = scene.lower[start] if end - start == 1 else ""
                if start == word and pronoun in english.FIRST_SINGULAR:
                    found.setdefault(entity, SAYS_I)
                elif start == word and pronoun not in english.SECOND:
                    found[entity] = IS_TOLD_OF
    return found | {turn.hearer: IS_CALLED for turn in speech}


def _nearest(scene: Scene, word: int, turn: Turn) -> int:
    """Give the last person of the gender of he or she whom the narration names before."""
    gender, end = gender_of_pronoun(scene.lower[word]), word
    for start in range(word - 1, max(-1, word - BEFORE_PRONOUN), -1):
        if not (scene.words[start] in ENDS or scene.quoted[start] or start == 0):
            continue
        for first, other in scene.people_in(start, end, named=True):
            fits = other != turn.hearer and scene.genders[other] in (0, gender)
            if fits and not scene.quoted[first]:
                return other
        end = start
    return NOBODY


def _actor(scene: Scene, turn: Turn, previous: Turn | None) -> tuple[int, str]:
    """Take the first person behind a quotation in the paragraph, or else the last one before it."""
    first = turn.quotes[0].start
    before = scene.people_in(turn.start, first)
    if before and scene.words[first - 1] in LEADS_IN:
        return _subject(scene, before, first), ACTING
    gaps = [*(quote.start for quote in turn.quotes[1:]), turn.end]
    for quote, stop in zip(turn.quotes, gaps, strict=True):
        if behind := scene.people_in(quote.end + 1, stop):
            return behind[0][1], ACTING
    if before:
        return _subject(scene, before, first), ACTING
    if turn.start and scene.words[turn.start - 1] in LEADS_IN:
        start = max(previous.quotes[-1].end + 1 if previous else 0, turn.start - LED_IN)
        if before := scene.people_in(start, turn.start):
            return _subject(scene, before, turn.start), BEFORE
    return NOBODY, ""


def _subject(scene: Scene, people: Sequence[tuple[int, int]], stop: int) -> int:
    """Choose the first person of the last sentence."""
    begin = max(
        (word for word in range(people[0][0], stop) if scene.words[word] in (".", "!", "?")), default=0
    )
    if begin >= stop - 2:
        begin = max(
            (word for word in range(people[0][0], begin) if scene.words[word] in (".", "!", "?")), default=0
        )
    return next((entity for word, entity in people if word > begin), people[-1][1])


def _called(scene: Scene, turn: Turn) -> int:
    """Find a person whom the speaker calls: a name between commas, or at the edge of a quotation."""
    edges = {",", ".", "!", "?", ";", "--", "—", '"', "”", "''", "’"}
    opens = {",", '"', "“", "``", "‘", "--", "—", "!", ".", "?"}
    for quote in turn.quotes:
        for word in range(quote.start + 1, quote.end):
            for number in scene.around.get(word, ()):
                start, end, entity = scene.mentions[number]
                if start != word or entity not in scene.genders or not scene.words[end - 1][:1].isupper():
                    continue
                before = start - 1 if scene.lower[start - 1] not in ("dear", "my", "poor") else start - 2
                set_off = (
                    scene.words[before] in opens and end < len(scene.words) and scene.words[end] in edges
                )
                commas = "," in (scene.words[before], scene.words[end])
                if set_off and commas and scene.lower[start] not in english.PERSONAL:
                    return entity
    return NOBODY


def _near(turns: Sequence[Turn], number: int, step: int) -> list[Turn]:
    """Give the turn before a turn, or behind it, in its dialogue, which continued ones belong to."""
    at, last = number + step, turns[number]
    while 0 <= at < len(turns) and abs(turns[at].paragraph - last.paragraph) <= NEAR:
        if not (turns[at].continues if step < 0 else last.continues):
            return [turns[at]]
        last = turns[at]
        at += step
    return []
