"""Which mentions name the speakers of a play or a chat, by the words of their labels.

    KARLS VATER. Wo ist Lucie?      LUCIE. Bei Karln.

A label of one word that is a name means the same person in what is said, in each case of a language: the
table of a language has the endings of names. A noun (*Die Knechte*, *der Geist*) may mean others than who
speaks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from referee.language.word_classes import WordClasses, classes_of
from referee.model import Document, Mention

BEFORE = 3  # words of a mention before the name at its end: mein lieber alter Karl
OFTEN = 2  # labels that begin with a mention of one word
AS_NOUN = 0.3  # of the places where a noun stands, a determiner is before it


def names_of_speakers(
    document: Document, mentions: Sequence[Mention], labels: Mapping[Mention, str], language: str
) -> dict[Mention, str]:
    """Say which mentions name a speaker; `labels` are those that are labels, with whose."""
    words, known = document.words, classes_of(language)
    forms = _forms(words, mentions, labels, known)
    named = {}
    for mention in mentions:
        own = [word for word in words[mention.start : mention.end] if word not in (".", ":")]
        who = forms.get(own[-1].lower(), "") if own and own[-1][:1].isupper() else ""
        if who and mention not in labels and _is_one_phrase([w.lower() for w in own[:-1]], known):
            named[mention] = who
    return named


def _forms(
    words: Sequence[str], mentions: Sequence[Mention], labels: Mapping[Mention, str], known: WordClasses
) -> dict[str, str]:
    """Give the forms of names, in small letters, that are the labels of one speaker."""
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for mention in mentions:
        own = [word.lower() for word in words[mention.start : mention.end] if word not in (".", ":")]
        if len(own) == 1 and mention in labels:
            counted[own[0]][labels[mention]] += 1
    lower = [word.lower() for word in words]
    forms: dict[str, str] = {}
    for name, speakers in counted.items():
        if len(speakers) == 1 and speakers.total() >= OFTEN and not _is_noun(name, words, lower, known):
            who = next(iter(speakers))
            stems = (name, name[:-1]) if name[-1] in "ea" else (name,)  # Lucie, Luciens; Anna, Annens
            endings = ("", *known.name_endings)
            forms |= {stem + each: who for stem in stems for each in endings if len(stem + each) >= len(name)}
    return forms


def _is_noun(name: str, words: Sequence[str], lower: Sequence[str], known: WordClasses) -> bool:
    """Whether a word is a noun: written small somewhere, or often behind a determiner."""
    places = [at for at, word in enumerate(lower) if word == name]
    behind = sum(at > 0 and lower[at - 1] in known.determiners for at in places)
    return behind > AS_NOUN * len(places) or any(words[at][:1].islower() for at in places)


def _is_one_phrase(before: Sequence[str], known: WordClasses) -> bool:
    """Whether words before a name belong to it: the poor, my dear; but not the father of the, Ann and."""
    return len(before) <= BEFORE and not any(
        not word[:1].isalpha()
        or word in known.joining
        or word in known.after_noun
        or (word in known.determiners and place > 0)
        for place, word in enumerate(before)
    )
