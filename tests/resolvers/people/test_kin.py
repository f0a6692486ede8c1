"""Relatives in other languages: not their owner, one person each, and two of two kinds."""

from __future__ import annotations

import pytest

from referee.model import Cluster, Document, Mention
from referee.resolvers.people.kin import LONG, with_kin

# Words in brackets are mentions, with the number of the entity that they were found in.
TEXTS = {
    "an owner is not the relative": (
        "nl", "0[Sanne] belde 0[0[haar] moeder] .", ["Sanne | haar", "haar moeder"],
    ),
    "one wife, by two words, and one that was not found": (
        "fr", "0[Yves] aime 0[sa] femme . 1[0[son] épouse] dort . 1[Elle] rêve .",
        ["Yves | sa | son", "sa femme | son épouse | Elle"],
    ),
    "one owner may have two daughters, but the same word means the same": (
        "de", "0[Jens] rief 1[0[seine] Tochter] . 2[0[seine] kleine Tochter] lief .",
        ["Jens | seine | seine", "seine Tochter | seine kleine Tochter"],
    ),
    "a son is not a husband": (
        "nl", "0[zij] zag 1[0[haar] zoon] . 1[0[haar] man] riep 1[hem] .",
        ["zij | haar | haar", "haar zoon", "haar man | hem"],
    ),
    "my husband is not your brother": (
        "de", "1[0[Mein] Mann] kam . 1[2[Dein] Bruder] auch . 1[Er] blieb .",
        ["Mein", "Dein", "Mein Mann", "Dein Bruder | Er"],
    ),
    "her dog is not my husband": (
        "de", "0[Sie] rief 1[0[ihren] Hund] . 1[2[Mein] Mann] kam . 1[Er] blieb . 1[0[ihr] Hund] auch .",
        ["Sie | ihren | ihr", "ihren Hund | ihr Hund", "Mein", "Mein Mann | Er"],
    ),
    "his uncle may be her father": (
        "fr", "0[Il] vit 1[0[son] oncle] . 2[Elle] vit 1[2[son] père] .",
        ["Il | son", "Elle | son", "son oncle | son père"],
    ),
    "he is not she": (
        "fr", "0[Yves] vit 1[0[sa] mère] , 1[Elle] rit . 2[0[sa] mère] ? 2[Il] rit .",
        ["Yves | sa | sa", "sa mère | Elle", "sa mère | Il"],
    ),
    "determiners of nobody": ("fr", "Yves vit sa mère et sa mère .", []),
    "words of another phrase": (
        "fr", "0[sa] robe , mère , 0[sa] robe de mère .", ["sa | sa"],
    ),
}  # fmt: skip


def marked(text: str, filled: int = 0) -> Document:
    words, open_at, clusters = list[str](), list[tuple[int, int]](), dict[int, list[Mention]]()
    for token in text.split():
        while len(token) > 1 and token[1] == "[":
            open_at.append((int(token[0]), len(words)))
            token = token[2:]
        words.append(token.rstrip("]"))
        for _ in range(token.count("]")):
            number, start = open_at.pop()
            clusters.setdefault(number, []).append(Mention.at(start, len(words)))
    words += ["x"] * filled
    found = [Cluster(str(number), tuple(mentions)) for number, mentions in sorted(clusters.items())]
    return Document.of("d", words, [(0, len(words))], found)


@pytest.mark.parametrize("name", TEXTS)
def test_relatives_are_people_of_their_own(name: str) -> None:
    language, text, expected = TEXTS[name]
    document = marked(text)
    found = with_kin(document, language)
    spelled = [" | ".join(" ".join(document.words[m.start : m.end]) for m in cluster) for cluster in found]
    assert sorted(spelled) == sorted(expected)


def test_a_long_text_and_given_mentions_get_nothing() -> None:
    language, text, _ = TEXTS["an owner is not the relative"]
    assert len(with_kin(marked(text, LONG), language)) == 1
    language, text, _ = TEXTS["one wife, by two words, and one that was not found"]
    assert sum(map(len, with_kin(marked(text), language, add=False))) == 5
