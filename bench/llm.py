"""How long aligning a model's answer takes, and what noise does to its score.

A book of 100,000 words with 5 % of noise must take less than 10 s in every notation, also if it has few
words, repeats itself, or has its chapters shuffled; four times the words, about four times the time.

python bench/llm.py                    # made-up books
python bench/llm.py FOLDER             # also: a corpus (CoNLL) in each notation, with noise and without
"""

from __future__ import annotations

import json
import random
import re
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from answers import TAGS, book, corrupted, invented, marked, nested, noisy_words
from referee import score
from referee.exceptions import FormatError
from referee.formats import read
from referee.model import Document, DocumentCorpus
from referee.scoring.result import Result

SIZES = (25_000, 100_000)
WORDS, BROKEN = 0.05, 0.02
LIMIT = 10.0  # seconds for the larger book


def main(folder: str | None) -> None:
    """Print the figures."""
    chance = random.Random(1)
    common = [invented(chance) for _ in range(5000)] + ["the", "of", "and", ",", "."] * 1500
    vocabularies = {"a book": common, "few words": common[:30]}
    slowest = 0.0
    for kind, vocabulary in vocabularies.items():
        for notation in (*TAGS, "strings"):
            slowest = max(slowest, _grow(kind, notation, vocabulary, chance))
    for kind in ("a passage again and again", "chapters shuffled", "lines shuffled", "another book"):
        slowest = max(slowest, _grow(kind, "markdown", common, chance))
    print(f"slowest: {slowest:.2f} s")
    if slowest > LIMIT:
        raise SystemExit(f"slower than {LIMIT} s")
    if folder:
        _corpus(folder, random.Random(1))


def _grow(kind: str, notation: str, vocabulary: list[str], chance: random.Random) -> float:
    times, shown = [], ""
    for size in SIZES:
        key = book(size, chance, vocabulary)
        if kind == "a passage again and again":
            key = key.with_text(words=key.words[:150] * (size // 150) + key.words[: size % 150])
        answer = _strings(key) if notation == "strings" else marked(key, notation)
        if notation != "strings":
            answer = corrupted(_disordered(answer, kind, chance, vocabulary), notation, WORDS, BROKEN, chance)
        before = perf_counter()
        try:
            shown = f"CoNLL {100 * _scored(DocumentCorpus([key]), {'book': answer}).conll:.2f}"
        except FormatError as error:  # another text is refused, which takes its time too
            shown = str(error).partition(": ")[2][:60]
        times.append(perf_counter() - before)
    growth = times[1] / times[0]
    print(f"{kind:<26}{notation:<12}{times[0]:6.2f} s {times[1]:6.2f} s  × {growth:4.1f}   {shown}")
    return times[1]


def _disordered(answer: str, kind: str, chance: random.Random, vocabulary: list[str]) -> str:
    lines = answer.splitlines()
    if kind == "chapters shuffled":
        fifth = len(lines) // 5
        lines = lines[:fifth] + lines[2 * fifth : 3 * fifth] + lines[fifth : 2 * fifth] + lines[3 * fifth :]
    elif kind == "lines shuffled":
        chance.shuffle(lines)
    elif kind == "another book":
        return marked(book(len(lines) * 20, chance, vocabulary), "markdown")
    return "\n".join(lines)


def _strings(document: Document) -> str:
    """Write clusters as strings alone."""
    clusters = [[document.text.spelled(m.spans) for m in own.mentions] for own in document.clusters]
    return json.dumps({"clusters": clusters})


def _scored(key: DocumentCorpus, answers: dict[str, str]) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        for name, answer in answers.items():
            (Path(folder) / f"{re.sub('[/:]', '_', name)}.txt").write_text(answer, encoding="utf-8")
        return score(key, read(folder, role="response"))


def _corpus(folder: str, chance: random.Random) -> None:
    documents = list(read(folder))
    named = DocumentCorpus(
        [nested(d.with_text(id=f"document{number}")) for number, d in enumerate(documents)], folder
    )
    for notation in (*TAGS, "json-answer", "strings"):
        plain = {d.id: _strings(d) if notation == "strings" else marked(d, notation) for d in named.documents}
        noisy = {
            id_: corrupted(answer, notation, WORDS, BROKEN, chance)
            if notation in TAGS
            else _changed(answer, chance)
            for id_, answer in plain.items()
        }
        for kind, answers in (("as it is", plain), ("with noise", noisy)):
            before = perf_counter()
            result = _scored(named, answers)
            print(
                f"{notation:<12}{kind:<11} CoNLL {100 * result.conll:6.2f}  {perf_counter() - before:5.1f} s"
            )
            print("   ", next(each for each in result.notices if "aligned" in each).partition("words: ")[2])


def _changed(answer: str, chance: random.Random) -> str:
    """Change words of the strings of clusters, and replace words of the text."""
    value = json.loads(answer)
    for fields in value if isinstance(value, list) else [value]:
        if "tokens" in fields:
            fields["tokens"] = [
                invented(chance) if chance.random() < WORDS else token for token in fields["tokens"]
            ]
        else:
            fields["clusters"] = [
                [noisy_words(words, WORDS, chance) for words in own] for own in fields["clusters"]
            ]
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
