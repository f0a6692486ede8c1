"""Layers that a corpus brings itself, or that CoNLL-U files beside it have: used instead of spaCy's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from os import PathLike, fspath

from referee.exceptions import FormatError, SettingError, did_you_mean
from referee.language.added_layers import ConlluLayers, compare_words, filled_document
from referee.model import Document, Text
from referee.model.layers import ENTITY, HEAD, LEMMA, POS, SPEAKER, heads_from_sentences
from referee.resolvers.base import names_in
from referee.resolvers.camp.parse_view import NOBODY, NOUN_TAGS, RELATION

LAYER_NAMES = (POS, LEMMA, HEAD, RELATION, ENTITY, SPEAKER)
SPEAKS = re.compile(r"# speaker\s*=(.*)")
NAMED = re.compile(r"(?:^|\|)NER=([BIES])-([^|]+)")
COLUMNS = 10


class GivenLayers:
    """Which layers of a text are used: all that CoNLL-U files have for it, or some of its layers by name."""

    def __init__(self, path: str | PathLike[str] | None = None, names: Sequence[str] | str = ()) -> None:
        """Take the path of a file or folder, or names."""
        self._names = names_in(names)
        if path and self._names:
            raise SettingError("layers= has all layers that are used: give it or corpus_layers=, not both")
        for name in self._names:
            if name not in LAYER_NAMES:
                known = f"{', '.join(LAYER_NAMES)}{did_you_mean(name, LAYER_NAMES)}"
                raise SettingError(
                    f"corpus_layers='{name}' is not a layer that rules read; there are {known}"
                )
        self._files = ConlluLayers(fspath(path), take_layers) if path else None

    def of(self, text: Text) -> tuple[Text, tuple[str, ...]]:
        """Give a text with its layers, and the names of those to use."""
        if self._files is None:
            return text, self._names
        bare = Document(Text(text.id, text.words, text.sentences, zeros=text.zeros), ())
        layered = self._files(bare).text
        return layered, tuple(name for name in LAYER_NAMES if name in layered.layers)


def take_layers(document: Document, lines: str, path: str) -> Document:
    """Take tags, lemmas, trees, names (NER= in MISC) and speakers (# speaker =) out of CoNLL-U."""
    rows: list[list[str]] = []
    speakers: list[str] = []
    starts: list[int] = []
    speaker = NOBODY
    for line in lines.splitlines():
        if said := SPEAKS.match(line):
            speaker = said[1].strip() or NOBODY
        cells = line.split("\t")
        if len(cells) == COLUMNS and cells[0].isdecimal():
            if cells[0] == "1":
                starts.append(len(rows))
            rows.append(cells)
            speakers.append(speaker)
        elif not line.strip():
            speaker = NOBODY
    if not rows:
        raise FormatError(f"{path}: no line of document '{document.id}' looks like CoNLL-U")
    compare_words(document, [cells[1] for cells in rows], path)
    sentences = list(pairwise([*starts, len(rows)]))
    layers = {
        POS: tuple(cells[4] for cells in rows),
        LEMMA: tuple(cells[2] for cells in rows),
        HEAD: tuple(heads_from_sentences([cells[6] for cells in rows], sentences, path)),
        RELATION: tuple(cells[7] for cells in rows),
        ENTITY: tuple(name_cells([cells[9] for cells in rows])),
        SPEAKER: tuple(speakers),
    }
    filled = {name: layer for name, layer in layers.items() if _says_something(name, layer)}
    return filled_document(document, filled, sentences)


def _says_something(name: str, layer: Sequence[str]) -> bool:
    """Whether a column is filled; tags must be the Penn Treebank's, which the rules read."""
    if name == POS:
        return not NOUN_TAGS.isdisjoint(layer)
    return bool(set(layer) - {"_", "*", NOBODY})


def name_cells(miscellaneous: Sequence[str]) -> list[str]:
    """Write names, marked by B, I, E and S in MISC, as CoNLL-2012 does.

    >>> name_cells(["NER=B-PERSON", "SpaceAfter=No|NER=I-PERSON", "_", "NER=S-GPE"])
    ['(PERSON*', '*)', '*', '(GPE)']
    """
    marks = [(found[1], found[2]) if (found := NAMED.search(cell)) else ("O", "") for cell in miscellaneous]
    cells = []
    for (mark, label), (following, _) in pairwise([*marks, ("O", "")]):
        last = following not in "IE"
        begins = f"({label}" if mark in "BS" else ""
        cells.append("*" if mark == "O" else f"{begins}{'' if begins and last else '*'}{')' if last else ''}")
    return cells
