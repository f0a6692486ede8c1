"""The speakers of a play, a chat or a letter in other languages than English: each is one entity.

What is surely one speaker's, the labels of the turns and *I*, says which entity each speaker is; a name that
is one speaker's label is that speaker's everywhere, in whatever case (*Lucien*, *Karln*). An entity of
several speakers is split: *I*, labels and names are their speaker's, and all else follows the mention before.
An entity of whom a speaker tells again and again is another. Nobody is *you* to himself, and whoever is
greeted, or speaks both before and behind a turn, is *you* in it. All that gives B³ 54.3 → 57.7 in five German
plays, and 62.2 → 63.7 in 38 others, which the network had learnt from and of which no rule was made.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TypeAlias

from referee.language.word_classes import HE, ME, SHE, class_of, classes_of, is_surely_you
from referee.model import Document, Mention
from referee.resolvers.people.second_pass import BY_NAME, hearers_of
from referee.resolvers.people.speaker_names import names_of_speakers

LABEL = 5  # for how many I a label counts
ABOUT = 0.4  # mentions of somebody else in an entity, for each I and label, so that it is not the speaker's
REMEMBERED = 8  # mentions of an entity before one that is looked at
TITLES = 2  # words of a mention before a label that begins later: Beste mevrouw Jansen
STOPS = frozenset((".", ":"))

Label: TypeAlias = tuple[int, int, str]  # its words, the end excluded, and who is named


def with_turns(
    document: Document,
    speakers: Sequence[str],
    language: str,
    labels: Sequence[Label] = (),
    greeted: Mapping[str, str] | None = None,
    *,
    add: bool = True,
) -> list[list[Mention]]:
    """Give the clusters of a document so that each speaker is one entity.

    `speakers` names that of each word, '' for nobody, and with _ before it what is no person, as GerDraCor's
    stage directions; `labels` are those that a layout shows, which are mentions by `add`, and `greeted` says
    who is spoken to by whom. Otherwise labels are looked for among the words.

    >>> from referee.model import Cluster
    >>> words = "ANNA . Ich gehe . OTTO . Und ich bleibe .".split()
    >>> both = Cluster("0", tuple(Mention.at(at, at + 1) for at in (0, 2, 5, 8)))
    >>> document, said = Document.of("d", words, [(0, 5), (5, 11)], [both]), ["anna"] * 5 + ["otto"] * 6
    >>> split = with_turns(document, said, "de")
    >>> [[mention.start for mention in cluster] for cluster in split]
    [[0, 2], [5, 8]]
    """
    words, numbers = document.words, dict[Mention, int]()
    speakers = ["" if who.startswith("_") else who for who in speakers]
    for number, cluster in enumerate(document.clusters):
        numbers |= dict.fromkeys(cluster.mentions, number)
    labelled = _labelled(numbers, labels, add=add) if labels else labels_in(document, speakers, language)
    mentions = sorted(numbers, key=lambda mention: (mention.start, mention.end))
    votes: dict[str, Counter[int]] = defaultdict(Counter)
    about: dict[str, Counter[int]] = defaultdict(Counter)
    surely: dict[Mention, str] = {}
    for mention in mentions:
        kind, speaker = _class(words, mention, language), speakers[mention.start]
        if who := labelled.get(mention, speaker if kind == ME else ""):
            surely[mention] = who
            votes[who][numbers[mention]] += LABEL if mention in labelled else 1
        elif speaker and kind in (0, HE, SHE):
            about[speaker][numbers[mention]] += 1
    entity, shared = _entities(votes, about, 1 + max(numbers.values(), default=0))
    names = {_name(words, mention): who for mention, who in reversed(labelled.items())}
    surely |= names_of_speakers(document, mentions, labelled, language)
    hearers, answering = hearers_of(speakers, greeted or {}), answering_at(speakers, greeted or {})
    clusters: dict[int, list[Mention]] = defaultdict(list)
    before: dict[int, deque[int]] = defaultdict(lambda: deque(maxlen=REMEMBERED))
    for mention in mentions:
        old = new = numbers[mention]
        who = surely.get(mention) or (names.get(_name(words, mention), "") if old in shared else "")
        speaking = entity.get(speakers[mention.start])
        is_you = _is_you(words, mention, language)
        if who:
            new = entity[who]
        elif is_you and answering[mention.start] in entity:
            new = entity[answering[mention.start]]
        elif old == speaking and is_you:
            new = entity.get(hearers[mention.start], old)
        elif before[old]:
            new = next((each for each in reversed(before[old]) if each != speaking), before[old][-1])
        if old in shared:
            before[old].append(new)
        clusters[new].append(mention if new == old else replace(mention, link_score=BY_NAME))
    return [[replace(first, link_score=None), *others] for first, *others in clusters.values()]


def answering_at(speakers: Sequence[str], greeted: Mapping[str, str]) -> list[str]:
    """Say who is surely spoken to at each word, '' for nobody: who is greeted, or answers.

    Of two who talk it is the other; of more, who speaks both before and behind a turn.

    >>> answering_at(["bo", "ann", "", "bo", "cy", "ann"], {})
    ['', 'bo', '', '', '', '']
    >>> answering_at(["bo", "ann"], {}), answering_at(["ann"], {"ann": "bo"})
    (['ann', 'bo'], ['bo'])
    """
    everybody = {name for name in speakers if name}
    answering = [greeted.get(name, "") for name in speakers]
    if len(everybody) == 2:
        other = dict(zip(sorted(everybody), sorted(everybody, reverse=True), strict=True))
        return [mine or other.get(name, "") for mine, name in zip(answering, speakers, strict=True)]
    words = [word for word, name in enumerate(speakers) if name]
    turns = [(name, list(inside)) for name, inside in groupby(words, key=speakers.__getitem__)]
    for (before, _), (_, inside), (behind, _) in zip(turns, turns[1:], turns[2:], strict=False):
        for word in inside if before == behind else ():
            answering[word] = answering[word] or before
    return answering


def _labelled(numbers: dict[Mention, int], labels: Sequence[Label], *, add: bool) -> dict[Mention, str]:
    """Say which mentions are labels, and by `add` make mentions of labels that nobody found."""
    by_end: dict[int, list[Mention]] = defaultdict(list)
    for mention in numbers:
        by_end[mention.end].append(mention)
    taken = {word for mention in numbers for word in range(mention.start, mention.end)}
    free = 1 + max(numbers.values(), default=-1)
    labelled = {}
    for start, end, who in labels:
        near = [mention for mention in by_end[end] if 0 <= start - mention.start <= TITLES]
        if near:
            labelled[max(near, key=lambda mention: mention.start)] = who
        elif add and taken.isdisjoint(range(start, end)):
            made = Mention(((start, end),), score=BY_NAME)
            numbers[made], labelled[made] = free + len(labelled), who
    return labelled


def labels_in(document: Document, speakers: Sequence[str], language: str) -> dict[Mention, str]:
    """Find the labels of turns, where a corpus has them in its words: a name and a stop that begin a turn."""
    words, found = document.words, dict[Mention, str]()
    for mention in document.mentions:
        start, end = mention.start, mention.end
        begins = (
            end <= len(speakers) and speakers[start] and (not start or speakers[start - 1] != speakers[start])
        )
        if (
            begins
            and {words[end - 1], *words[end : end + 1]} & STOPS
            and not _class(words, mention, language)
        ):
            found[mention] = speakers[start]
    return found


def _class(words: Sequence[str], mention: Mention, language: str) -> int:
    """Give the class of a pronoun, 0 for other mentions."""
    return class_of(words[mention.start], classes_of(language)) if mention.end - mention.start == 1 else 0


def _is_you(words: Sequence[str], mention: Mention, language: str) -> bool:
    """Whether a mention is you, and can be nobody else."""
    one = mention.end - mention.start == 1
    return one and is_surely_you(words, mention.start, classes_of(language))


def _entities(
    votes: dict[str, Counter[int]], about: dict[str, Counter[int]], free: int
) -> tuple[dict[str, int], set[int]]:
    """Give each speaker an entity, new ones from `free` on, and say which entities several speakers had."""
    wanted: dict[int, list[tuple[int, str]]] = defaultdict(list)
    entity = {}
    most = ABOUT if len([who for who in about if who]) > 1 else 0  # who writes a letter is told of by nobody
    for who, counts in votes.items():
        own = [
            (number, count) for number, count in counts.most_common() if about[who][number] <= most * count
        ]
        if own:
            wanted[own[0][0]].append((own[0][1], who))
        else:
            entity[who], free = free, free + 1
    for number, those in wanted.items():
        for rank, (_, who) in enumerate(sorted(those, reverse=True)):
            entity[who] = number if rank == 0 else free
            free += rank > 0
    return entity, {number for number, those in wanted.items() if len(those) > 1}


def _name(words: Sequence[str], mention: Mention) -> tuple[str, ...]:
    return tuple(word.lower() for word in words[mention.start : mention.end] if word.isalnum())
