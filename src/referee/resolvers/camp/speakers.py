"""Who speaks, and to whom: said Clara, Clara smiled, and two people who speak by turns.

A turn is what one person says in one paragraph, or in one sentence where paragraphs are not known. Its
speaker is the subject of a verb of speech beside it; otherwise who acts in the narration of its paragraph;
otherwise who spoke before the last turn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TypeGuard

from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.markables import Kind, Markable
from referee.resolvers.camp.parse_view import SUBJECTS
from referee.resolvers.camp.quotations import Layout, Quote
from referee.resolvers.camp.vocatives import is_vocative

END = frozenset((".", "!", "?"))
PARTIES = 2  # of a conversation in which people speak by turns
Turn = list[Quote]


def find_speakers(discourse: Discourse, quotes: list[Quote], layout: Layout) -> None:
    """Say who speaks in each quotation, and to whom."""
    turns = list(_turns(discourse, quotes, layout))
    for number, turn in enumerate(turns):
        for quote in turn:
            quote.turn = number
        if layout.known and all(quote.speaker is None for quote in turn):
            _set(turn, _actor(discourse, turn, layout), "acting speaker")
    for conversation in _conversations(turns, discourse.lexicon.limits["pause"]):
        _alternate(discourse, conversation)
        if layout.known:  # otherwise turns are guesses
            _tell_apart(discourse, conversation)
        for last, turn in pairwise(conversation):
            for quote in turn:
                if last[0].speaker is not quote.speaker:
                    quote.hearer = last[0].speaker


def _set(turn: Turn, speaker: Markable | None, rule: str) -> None:
    for quote in turn:
        quote.speaker, quote.rule = speaker, rule


def _turns(discourse: Discourse, quotes: list[Quote], layout: Layout) -> Iterator[Turn]:
    """Put quotations of one turn together, and name the speaker that is said beside one of them."""
    behinds = [_behind(discourse, quote) for quote in quotes]
    shared = _shared_paragraphs(quotes, behinds) if layout.known else {0}
    turn: Turn = []
    said: Markable | None = None
    for quote, behind in zip(quotes, behinds, strict=True):
        if turn and not _is_same_turn(discourse, turn[-1], quote, shared, behind if said else None):
            _set(turn, said, "speaker")
            yield turn
            turn, said = [], None
        said = said or behind or _before(discourse, quote)
        turn.append(quote)
    if turn:
        _set(turn, said, "speaker")
        yield turn


def _shared_paragraphs(quotes: list[Quote], behinds: list[Markable | None]) -> set[int]:
    """List paragraphs in which several speak: in these, a paragraph is no turn."""
    speakers: dict[int, set[tuple[str, ...]]] = defaultdict(set)
    for quote, speaker in zip(quotes, behinds, strict=True):
        if speaker:
            speakers[quote.paragraph].add(speaker.words)
    return {paragraph for paragraph, spoken in speakers.items() if len(spoken) > 1}


def _is_same_turn(
    discourse: Discourse, quote: Quote, following: Quote, shared: set[int], other: Markable | None
) -> bool:
    """Whether a quotation goes on: in its paragraph, unless another speaker is named behind it."""
    if quote.goes_on and following.paragraph == quote.paragraph + 1:
        return True
    if other is not None or quote.paragraph != following.paragraph:
        return False
    return quote.paragraph not in shared or _is_continued(discourse, quote, following)


def _is_continued(discourse: Discourse, quote: Quote, following: Quote) -> bool:
    """Whether only "he said," stands between two quotations."""
    parse = discourse.parse
    between = range(quote.end + 1, following.start - 1)
    near = len(between) <= discourse.lexicon.limits["speaker"]
    ends = sum(parse.words[word] in END for word in between)
    return near and ends <= 1 and any(parse.tags[w][:1] == "V" for w in between)


def _behind(discourse: Discourse, quote: Quote) -> Markable | None:
    """Look for said she, she said, behind a quotation."""
    quoted = discourse.quoted
    stop = min(quote.end + 1 + int(discourse.lexicon.limits["speaker"]), len(quoted))
    for word in range(quote.end + 1, stop):
        if quoted[word] or (discourse.parse.words[word] in END and word > quote.end + 1):
            return None
        if speaker := _speaker_of(discourse, word):
            return speaker
    return None


def _before(discourse: Discourse, quote: Quote) -> Markable | None:
    """Look for she said, before a quotation."""
    first = quote.start - 2
    for word in range(first, max(-1, first - int(discourse.lexicon.limits["speaker"])), -1):
        if discourse.quoted[word] or discourse.parse.words[word] in END:
            return None
        if speaker := _speaker_of(discourse, word):
            return speaker
    return None


def _speaker_of(discourse: Discourse, word: int) -> Markable | None:
    """Give the subject of a verb of speech, if it may be a person."""
    parse = discourse.parse
    if parse.lemmas[word] not in discourse.lexicon["speech_verbs"] or parse.tags[word][:1] != "V":
        return None
    subjects = [child for child in parse.children[word] if parse.relations[child] in SUBJECTS]
    named = [discourse.by_head[child] for child in subjects if child in discourse.by_head]
    near = discourse.by_sentence[parse.sentence_of[word]]
    beside = [m for m in near if word in (m.start - 1, m.end) and m.relation != "poss"]
    possible = (m for m in (*named, *beside) if not discourse.quoted[m.head] and _may_speak(m))
    return next(possible, None)


def _may_speak(markable: Markable) -> bool:
    return markable.kind is not Kind.DEMONSTRATIVE and markable.properties.animacy.value != "inanimate"


def _tell_apart(discourse: Discourse, conversation: list[Turn]) -> None:
    """Who answers is not who spoke, and "she said" means who spoke before the last turn, if it may be she."""
    for earlier, last, turn in zip([[], *conversation], conversation, conversation[1:], strict=False):
        speaker, other = turn[0].speaker, last[0].speaker
        if speaker is None or not speaker.is_pronoun or speaker.person != 3 or other is None:
            continue
        discourse.others[speaker] = other
        again = earlier[0].speaker if earlier else None
        if (
            turn[0].rule == "speaker"
            and again
            and again is not other
            and discourse.compatible(speaker, again)
        ):
            discourse.link(speaker, again, "speaker again", "who spoke before the last turn")


def _actor(discourse: Discourse, turn: Turn, layout: Layout) -> Markable | None:
    """Find who acts beside a quotation, in its paragraph: Clara smiled. "I am tired." """
    paragraph = turn[0].paragraph
    before = range(turn[0].start - 2, -1, -1)
    behind = range(turn[-1].end + 1, len(discourse.quoted))
    for words in (before, behind):
        if actor := _acting(discourse, _narration(discourse, words, layout, paragraph)):
            return actor
    return None


def _narration(discourse: Discourse, words: Iterable[int], layout: Layout, paragraph: int) -> Iterator[int]:
    """List the words of the nearest sentence of narration in a paragraph."""
    sentence = None
    for word in words:
        if layout.paragraph[word] != paragraph or discourse.quoted[word]:
            return
        sentence = discourse.parse.sentence_of[word] if sentence is None else sentence
        if discourse.parse.sentence_of[word] != sentence:
            return
        yield word


def _acting(discourse: Discourse, words: Iterable[int]) -> Markable | None:
    """Give the subject of the sentence that words are of, if it is one person."""
    parse = discourse.parse
    for word in sorted(words):
        markable = discourse.by_head.get(word)
        if markable and parse.relations[word] in SUBJECTS and parse.relations[parse.heads[word]] == "ROOT":
            person = markable.properties.animacy.value == "animate"
            return markable if person and not markable.coordinated else None
    return None


def _conversations(turns: list[Turn], pause: float) -> Iterator[list[Turn]]:
    """Put turns together between which little is told."""
    conversation: list[Turn] = []
    for turn in turns:
        if conversation and turn[0].start - conversation[-1][-1].end > pause:
            yield conversation
            conversation = []
        conversation.append(turn)
    if conversation:
        yield conversation


def _alternate(discourse: Discourse, conversation: list[Turn]) -> None:
    """Let two people speak by turns: who spoke before the last turn, or else who speaks after the next."""
    for turns in (conversation, conversation[::-1]):
        for earlier, turn in zip(turns, turns[2:], strict=False):
            if turn[0].speaker is None and _may_say(discourse, earlier[0].speaker, turn):
                _set(turn, earlier[0].speaker, "speaker by turns")
    named = {turn[0].speaker.name: turn[0].speaker for turn in conversation if _is_named(turn[0].speaker)}
    if len(named) != PARTIES:
        return
    for turns in (conversation, conversation[::-1]):
        for last, turn in pairwise(turns):
            other = next(
                (
                    m
                    for name, m in named.items()
                    if _is_named(last[0].speaker) and name != last[0].speaker.name
                ),
                None,
            )
            if turn[0].speaker is None and _may_say(discourse, other, turn):
                _set(turn, other, "speaker by turns")


def _is_named(speaker: Markable | None) -> TypeGuard[Markable]:
    return speaker is not None and speaker.kind is Kind.NAME and bool(speaker.name)


def _may_say(discourse: Discourse, speaker: Markable | None, turn: Turn) -> bool:
    """Whether somebody may speak in a turn: nobody calls himself."""
    if speaker is None:
        return False
    called = (m for quote in turn for m in _called(discourse, quote))
    return speaker.kind is not Kind.NAME or not any(set(m.name) & set(speaker.name) for m in called)


def _called(discourse: Discourse, quote: Quote) -> Iterator[Markable]:
    """List who is called in a quotation."""
    sentences = range(
        discourse.parse.sentence_of[quote.start], discourse.parse.sentence_of[quote.end - 1] + 1
    )
    for markable in (m for sentence in sentences for m in discourse.by_sentence[sentence]):
        if quote.start <= markable.head < quote.end and is_vocative(discourse, markable):
            yield markable
