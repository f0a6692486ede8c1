"""What linked entities add to plain retrieval: chunks of made news, questions, and the chunk with the answer.

    python bench/retrieval.py

Each chunk, a paragraph, is ranked for each question by the cosine of TF-IDF, as scikit-learn makes it: as it
is, and with the names of the entities that it mentions behind it, as they are found within each text or
across all of them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from sklearn.feature_extraction.text import TfidfVectorizer

import referee
from referee.resolvers.resolved import Resolved

QUESTIONS = Path(__file__).parents[1] / "tests" / "data" / "retrieval.json"
BREAK = "\n\n"


def edges(paragraphs: Sequence[str]) -> list[tuple[int, int]]:
    """Say where paragraphs begin and end in their text."""
    found, begin = [], 0
    for paragraph in paragraphs:
        found.append((begin, begin + len(paragraph)))
        begin += len(paragraph) + len(BREAK)
    return found


def names_inside(result: Resolved, names: dict[str, str], begin: int, end: int) -> list[str]:
    """List the names of the entities that are mentioned between two characters."""
    return [
        names.get(entity.id, entity.name)
        for entity in result.entities
        if any(m.characters and begin <= m.characters[0] < end for m in entity.mentions)
    ]


def ranks(chunks: dict[tuple[str, int], str], questions: Sequence[Sequence[str]]) -> list[int]:
    """Give the rank of the right chunk for each question."""
    vectorizer = TfidfVectorizer(sublinear_tf=True, stop_words="english")
    rows = vectorizer.fit_transform(chunks.values())
    places, found = list(chunks), []
    for question, text, paragraph in questions:
        like = (rows @ vectorizer.transform([question]).T).toarray().ravel()
        right = like[places.index((text, int(paragraph)))]
        found.append(1 + int((like > right).sum()) + (len(like) if right == 0 else 0))
    return found


def main() -> None:
    """Print recall among the first one and three, and the mean reciprocal rank."""
    data = json.loads(QUESTIONS.read_text("utf-8"))
    texts = {name: BREAK.join(paragraphs) for name, paragraphs in data["texts"].items()}
    plain = {
        (name, number): paragraph
        for name, paragraphs in data["texts"].items()
        for number, paragraph in enumerate(paragraphs)
    }
    linked = referee.link([referee.raw_text(name, text) for name, text in texts.items()])
    names = {thing.id: thing.name for thing in linked.recurring(1)}
    ways = {"chunks alone": plain}
    for way, results, known in (
        ("with names within texts", referee.resolve(list(texts.values())), {}),
        ("with names across texts", linked, names),
    ):
        ways[way] = {
            (name, number): f"{plain[name, number]} {' '.join(names_inside(result, known, *edge))}"
            for (name, paragraphs), result in zip(data["texts"].items(), results, strict=True)
            for number, edge in enumerate(edges(paragraphs))
        }
    within, across = ways["with names within texts"], ways["with names across texts"]
    ways["with both"] = {place: f"{within[place]} {across[place]}" for place in plain}
    for way, chunks in ways.items():
        found = ranks(chunks, data["questions"])
        count = len(found)
        first, third = (sum(rank <= limit for rank in found) for limit in (1, 3))
        mean = sum(1 / rank for rank in found) / count
        print(f"{way:<24} first {first} of {count}, among three {third}, MRR {mean:.2f}")
        if "--ranks" in sys.argv:
            print(found)


if __name__ == "__main__":
    main()
