"""Finds the Penn-bracketed trees of each document: in one file each, or in a part of a common file."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from referee.exceptions import FormatError
from referee.formats.conll.rows import rows
from referee.formats.io.opening import (
    DEPENDENCY_ENDINGS,
    TREE_ENDINGS,
    UNPACKERS,
    SeekableFile,
    plain_bytes,
    stem,
)
from referee.language.trees.mending import TREE_START, split_trees
from referee.language.trees.treebank import read_penn
from referee.model import Corpus

NEW_DOCUMENT = re.compile(rb"^# newdoc id[ \t]*=(.*)$", re.MULTILINE)
CONLLU_WORD = re.compile(rb"^[0-9]+\t", re.MULTILINE)
AT_ONCE = 64  # documents of the key whose tokens are counted at a time


@dataclass(slots=True)
class TreeFile:
    """A file of trees. One that is packed, or comes through a pipe, is opened once."""

    path: str
    opened: SeekableFile | None = None

    def read(self, start: int = 0, size: int = -1) -> bytes:
        """Read some bytes."""
        plain = None if self.opened else plain_bytes(self.path, start, size)
        if plain is not None:
            return plain
        self.opened = self.opened or SeekableFile(self.path)
        return self.opened.read(start, size)


@dataclass(frozen=True, slots=True)
class TreeText:
    """The trees of one document, and where they are in which file."""

    file: TreeFile
    start: int  # byte
    data: bytes

    @property
    def path(self) -> str:
        """The file's path."""
        return self.file.path

    @property
    def lines_before(self) -> int:
        """Count the lines of the file before the text."""
        return self.file.read(0, self.start).count(b"\n") if self.start else 0

    def location_of_line(self, line: int) -> str:
        """Say FILE:LINE of a line of the text, from 1."""
        return f"{self.path}:{self.lines_before + line}"

    def location(self, sentence: int) -> str:
        """Say FILE:LINE of a tree, from 0."""
        starts = [start for start, _ in split_trees(self.data)] or [0]
        return self.location_of_line(self.data[: starts[min(sentence, len(starts) - 1)]].count(b"\n") + 1)


class ParseFiles:
    """Which file, and which bytes of it, hold a document's trees."""

    def __init__(
        self, path: str | os.PathLike[str], key: Corpus, suffixes: Sequence[str] = TREE_ENDINGS
    ) -> None:
        """Find the files by the documents' names; a single file holds the trees of all, in their order."""
        self._path = os.fspath(path)
        self._suffixes = suffixes
        if isinstance(path, SeekableFile):
            self._files = [TreeFile(path.path, path)]
        else:
            self._files = [TreeFile(file) for file in tree_files(self._path, suffixes)]
        if len(self._files) == 1:
            self._file_of = [0] * len(key)
        else:
            self._file_of = list(self._by_name(key.ids))
        documents: dict[int, list[int]] = defaultdict(list)
        for index, file in enumerate(self._file_of):
            documents[file].append(index)
        self._part: dict[int, tuple[int, int]] = {}  # document → first byte and size, if it shares a file
        for file, sharing in documents.items():
            if len(sharing) > 1 or (len(self._files) == 1 and suffixes == DEPENDENCY_ENDINGS):
                cut = self._cut_dependencies if suffixes == DEPENDENCY_ENDINGS else self._cut
                self._part.update(zip(sharing, cut(file, sharing, key), strict=True))

    def _cut_dependencies(self, file: int, indices: Sequence[int], key: Corpus) -> Iterator[tuple[int, int]]:
        """Cut a common file of CoNLL-U where it names the key's documents; else by counting words."""
        path, data = self._files[file].path, self._files[file].read()
        lines = list(NEW_DOCUMENT.finditer(data))
        edges = pairwise([*(line.start() for line in lines), len(data)])
        names = [line[1].decode("utf-8", "replace").strip() for line in lines]
        parts = dict(zip(names, edges, strict=True))
        unnamed = [key.ids[index] for index in indices if key.ids[index] not in parts]
        if not unnamed:
            yield from ((start, end - start) for start, end in (parts[key.ids[index]] for index in indices))
        elif len(unnamed) < len(indices):
            raise FormatError(f"{path}: no line '# newdoc id = {unnamed[0]}', which other documents have")
        else:
            yield from _by_words(data, path, list(_lengths(key, indices)))

    def texts(self, indices: Sequence[int]) -> list[TreeText]:
        """Read the trees of some documents."""
        texts = []
        for index in indices:
            file = self._files[self._file_of[index]]
            start, size = self._part.get(index, (0, -1))
            texts.append(TreeText(file, start, file.read(start, size)))
        return texts

    def _by_name(self, ids: Sequence[str]) -> Iterator[int]:
        """Find the file that has a document's name; parts of a document share one."""
        by_stem: dict[str, list[int]] = defaultdict(list)
        for index, tree_file in enumerate(self._files):
            by_stem[stem(tree_file.path)].append(index)
        for id_ in ids:
            named = re.fullmatch(r"\((.*)\);.*", id_)
            name = named[1] if named else id_
            files = by_stem[name.rsplit("/", 1)[-1]]
            if len(files) > 1:
                endings = tuple(f"/{name}{suffix}" for suffix in self._suffixes)
                files = [file for file in files if self._files[file].path.endswith(endings)]
            if len(files) != 1:
                what = f"{len(files)} files of that name" if files else "no file of that name"
                raise FormatError(
                    f"{self._path}: no trees for document {id_}: {what} ({', '.join(self._suffixes)})"
                )
            yield files[0]

    def _cut(self, file: int, indices: Sequence[int], key: Corpus) -> Iterator[tuple[int, int]]:
        """Cut a common file where the documents begin, by counting tokens."""
        path, data = self._files[file].path, self._files[file].read()
        sentences = read_penn([data], skip_bad=True).sentences
        starts = [tree.start() for tree in TREE_START.finditer(data)]
        if not starts:
            raise FormatError(f"{path}: has no tree: a tree begins with a bracket in the first column")
        if len(starts) != sentences.size - 1:
            starts = [start for start, _ in split_trees(data)]
        edges = np.append(0, np.cumsum(list(_lengths(key, indices))))
        tree = np.searchsorted(sentences, edges[:-1])
        beyond = np.append(starts, len(data))
        for index, edge, sentence in zip(indices, edges.tolist(), tree.tolist(), strict=False):
            if sentence >= len(starts) or sentences[sentence] != edge:
                line = data[: beyond[max(sentence - 1, 0)]].count(b"\n") + 1
                raise FormatError(
                    f"{path}:{line}: sentence {sentence} of the file does not align with the key: document "
                    f"{key.ids[index]} begins at token {edge + 1}, but no tree does"
                )
        for start, end in pairwise([*beyond[tree].tolist(), len(data)]):
            yield start, end - start


def _by_words(data: bytes, path: str, lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Cut CoNLL-U where documents of these many words begin, with the comments of their sentences."""
    words = [word.start() for word in CONLLU_WORD.finditer(data)]
    starts = [0]
    for word in np.cumsum(lengths)[:-1].tolist():
        begin = words[word] if word < len(words) else len(data)
        if not data.startswith(b"1\t", begin) and begin < len(data):
            line = data.count(b"\n", 0, begin) + 1
            raise FormatError(
                f"{path}:{line}: the file does not align with the key: a document begins at word {word + 1}, "
                "but no sentence does"
            )
        starts.append(max(data.rfind(blank, 0, begin) + len(blank) for blank in (b"\n\n", b"\n\r\n")))
    yield from ((start, end - start) for start, end in pairwise([*starts, len(data)]))


def _lengths(key: Corpus, indices: Sequence[int]) -> Iterator[int]:
    for first in range(0, len(indices), AT_ONCE):
        yield from np.diff(rows(key, indices[first : first + AT_ONCE]).documents).tolist()


def holds_dependencies(path: str) -> bool:
    """Whether the files are CoNLL-U, not Penn brackets, by their names."""
    names = [path] if not Path(path).is_dir() else [name for *_, names in os.walk(path) for name in names]
    return any(map(_ends_in(DEPENDENCY_ENDINGS), names)) and not any(map(_ends_in(TREE_ENDINGS), names))


def _ends_in(suffixes: Sequence[str]) -> Callable[[str], bool]:
    endings = tuple(suffix + packing for suffix in suffixes for packing in ("", *UNPACKERS))
    return lambda name: name.endswith(endings)


def tree_files(path: str, suffixes: Sequence[str] = TREE_ENDINGS) -> list[str]:
    """List the files of a folder and its subfolders, or the file itself."""
    if not Path(path).is_dir():
        return [path]
    is_wanted = _ends_in(suffixes)
    files = sorted(
        os.path.join(folder, name)  # noqa: PTH118 there may be thousands, and a Path costs more than the file
        for folder, _, names in os.walk(path)
        for name in names
        if is_wanted(name)
    )
    if not files:
        raise FormatError(f"{path}: the folder has no file of trees, ending in {', '.join(suffixes)}")
    return files
