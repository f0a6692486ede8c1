"""Who says what: each turn of a dialogue gets the entity that speaks, and that is spoken to.

The steps are those of Muzny et al. (2017), the surest first: a verb of speech with its subject, a person who
acts in the same paragraph, whom the other addresses by name, and two who speak by turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.language import english
from referee.resolvers.people.layout import Layout
from referee.resolvers.people.quotations import Quote, find_quotes, name_speakers, quotes_in_paragraph
from referee.resolvers.people.settling import gender_of_pronoun

LED_IN = 40  # words before a paragraph in which someone begins to speak
LEADS_IN = frozenset((",", ":", ":--", "--", "—", "-", ";"))
BEFORE_PRONOUN = 60  # words before "he said" in which he is named
DIALOGUE, BEFORE_PARAGRAPH = 8, 300  # turns and words in which an unknown speaker is looked for
ENDS = frozenset((".", "!", "?"))
NEAR = 2  # paragraphs of narration within which a dialogue goes on
NOBODY = -1
NAMED, ACTING, BEFORE, ADDRESSED, BY_TURNS = "named", "acting", "before", "addressed", "by turns"


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

    def entity_at(self, word: int) -> int:
        """Give the entity of the smallest mention that ends with a word, or else is around it."""
        near = self.around.get(word, ())
        sizes = [
            (self.mentions[m][1] != word + 1, self.mentions[m][1] - self.mentions[m][0], self.mentions[m][2])
            for m in near
        ]
        return min(sizes)[2] if sizes else NOBODY

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
    """Find what is said, paragraph by paragraph where these are known."""
    words, paragraphs = layout.words, layout.paragraphs
    if not layout.laid_out:
        return _turns_without_paragraphs(layout)
    turns: list[Turn] = []
    goes_on = False
    for number, start in enumerate(paragraphs):
        end = paragraphs[number + 1] if number + 1 < len(paragraphs) else len(words)
        quotes, is_open = quotes_in_paragraph(words, start, end)
        if quotes:
            continues = goes_on and quotes[0].start == start
            turns.append(Turn(quotes, start, end, number, continues))
        goes_on = is_open
    return turns


def _turns_without_paragraphs(layout: Layout) -> list[Turn]:
    """Take each quotation as a turn, with those that continue it, to the end of the sentence behind it."""
    words = layout.words
    quotes = find_quotes(words)
    name_speakers(words, layout.lower, quotes)
    turns: list[Turn] = []
    for quote, following in zip(quotes, [*quotes[1:], None], strict=False):
        limit = following.start if following else len(words)
        end = next((word for word in range(quote.end + 1, limit) if words[word] in ENDS), limit)
        if quote.continued and turns:
            turns[-1].quotes.append(quote)
            turns[-1].end = end
        else:
            turns.append(Turn([quote], quote.start, end, len(turns)))
    return turns


def find_speakers(scene: Scene, turns: Sequence[Turn]) -> None:
    """Say of each turn who speaks, and to whom, as far as can be seen."""
    name_speakers(scene.words, scene.lower, [quote for turn in turns for quote in turn.quotes])
    for number, turn in enumerate(turns):
        previous = turns[number - 1] if number else None
        if turn.continues and previous:
            turn.speaker, turn.how = previous.speaker, previous.how
            continue
        turn.hearer = _called(scene, turn)
        _look_for_verb(scene, turn)
        if turn.speaker == NOBODY:
            _look_for_actor(scene, turn, previous)
    _by_turns(scene, turns)


def _look_for_verb(scene: Scene, turn: Turn) -> None:
    """Take the subject of a verb of speech in the paragraph."""
    for quote in turn.quotes:
        if quote.speaker >= 0 and turn.start - LED_IN <= quote.speaker < turn.end:
            entity = _meant(scene, quote.speaker, turn)
            if entity in scene.genders:
                turn.speaker, turn.how = entity, NAMED
                return


def _meant(scene: Scene, word: int, turn: Turn) -> int:
    """Say whom a subject means; he and she the last person of that gender whom the narration names."""
    entity, gender = scene.entity_at(word), gender_of_pronoun(scene.lower[word])
    if not gender:
        return entity
    end = word
    for start in range(word - 1, max(-1, word - BEFORE_PRONOUN), -1):
        if not (scene.words[start] in ENDS or scene.quoted[start] or start == 0):
            continue
        for first, other in scene.people_in(start, end, named=True):
            fits = other != turn.hearer and scene.genders[other] in (0, gender)
            if fits and not scene.quoted[first]:
                return other
        end = start
    return entity if scene.genders.get(entity) in (0, gender) else NOBODY


def _look_for_actor(scene: Scene, turn: Turn, previous: Turn | None) -> None:
    """Take the first person behind a quotation in the paragraph, or else the last one before it."""
    first = turn.quotes[0].start
    before = scene.people_in(turn.start, first)
    if before and scene.words[first - 1] in LEADS_IN:
        turn.speaker, turn.how = _subject(scene, before, first), ACTING
        return
    gaps = [*(quote.start for quote in turn.quotes[1:]), turn.end]
    for quote, stop in zip(turn.quotes, gaps, strict=True):
        if behind := scene.people_in(quote.end + 1, stop):
            turn.speaker, turn.how = behind[0][1], ACTING
            return
    if before:
        turn.speaker, turn.how = _subject(scene, before, first), ACTING
    elif turn.start and scene.words[turn.start - 1] in LEADS_IN:
        start = max(previous.quotes[-1].end + 1 if previous else 0, turn.start - LED_IN)
        if before := scene.people_in(start, turn.start):
            turn.speaker, turn.how = _subject(scene, before, turn.start), BEFORE


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


def _by_turns(scene: Scene, turns: Sequence[Turn]) -> None:
    """Let two people speak by turns: who speaks two turns before or behind; who is called beside it."""
    for order in (range(len(turns)), range(len(turns) - 1, -1, -1), range(len(turns))):
        step = -1 if order.step > 0 else 1
        for number in order:
            turn = turns[number]
            if turn.speaker != NOBODY or (turn.continues and number):
                if turn.continues and number and turn.speaker == NOBODY:
                    turn.speaker, turn.how = turns[number - 1].speaker, turns[number - 1].how
                continue
            near = _near(turns, number, step)
            if len(near) > 1 and near[1].speaker not in (NOBODY, near[0].speaker, turn.hearer):
                turn.speaker, turn.how = near[1].speaker, BY_TURNS
            elif near and near[0].hearer not in (NOBODY, near[0].speaker, turn.hearer):
                turn.speaker, turn.how = near[0].hearer, ADDRESSED
    for number, turn in enumerate(turns):
        if turn.speaker == NOBODY:
            _last_resort(scene, turns, number)
    for number, turn in enumerate(turns):
        if turn.hearer == NOBODY:
            beside = [each.speaker for step in (-1, 1) for each in _near(turns, number, step)[:1]]
            turn.hearer = next((who for who in beside if who not in (NOBODY, turn.speaker)), NOBODY)


def _near(turns: Sequence[Turn], number: int, step: int) -> list[Turn]:
    """List the two turns before a turn, or behind it, in its dialogue; continued ones count once."""
    near: list[Turn] = []
    at = number + step
    last = turns[number]
    while 0 <= at < len(turns) and len(near) < 2:
        if abs(turns[at].paragraph - last.paragraph) > NEAR:
            break
        if not (turns[at].continues if step < 0 else last.continues):
            near.append(turns[at])
        last = turns[at]
        at += step
    return near


def _last_resort(scene: Scene, turns: Sequence[Turn], number: int) -> None:
    """Take who spoke last in this dialogue, or else was named in the narration, but not the one beside it."""
    turn = turns[number]
    beside = {each.speaker for step in (-1, 1) for each in _near(turns, number, step)[:1]} | {
        turn.hearer,
        NOBODY,
    }
    spoke = [each.speaker for each in reversed(turns[max(0, number - DIALOGUE) : number])]
    start = max(0, turn.start - BEFORE_PARAGRAPH)
    told = [who for word, who in reversed(scene.people_in(start, turn.start)) if not scene.quoted[word]]
    chosen = next((who for who in [*spoke, *told] if who not in beside), NOBODY)
    if chosen != NOBODY:
        turn.speaker, turn.how = chosen, BY_TURNS
