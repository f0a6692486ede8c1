"""Finds what is to be resolved: running texts in files, folders or a pipe, or a corpus that Referee reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from referee import formats
from referee.encoding import decoded
from referee.exceptions import FormatError
from referee.formats.failures import Failures
from referee.formats.format import Reading
from referee.formats.io.opening import UNPACKERS, SeekableFile, can_be_read_once, stem
from referee.formats.io.remote import files_in_remote, is_remote
from referee.formats.reading import HEAD
from referee.model import Corpus, Text
from referee.resolvers.base import raw_text

TEXT_ENDINGS = (".txt", ".text", ".md")
LARGEST_TEXT = 2**28  # bytes; a larger file is not a text to be read at once
STANDARD_INPUT = "stdin"  # what a text from a pipe is called


class RawTexts(list[Text]):
    """Running texts, and the file of each."""

    def __init__(self, texts: Iterable[Text], files: Iterable[str]) -> None:
        """Keep both."""
        super().__init__(texts)
        self.files = list(files)
        named = zip(self, self.files, strict=True)
        empty = [file for text, file in named if not text.words and not (text.running or "").strip()]
        self.notices = [f"{file}: has no words" for file in empty]


def texts_of(
    paths: Sequence[str], failures: Failures | None = None, name: str | None = None
) -> RawTexts | Corpus:
    """Open files and folders: running texts, of which the words are yet to be found, or else a corpus.

    Files that cannot be read go to `failures`, if given, and the others are read. A text alone may be given a
    `name`; otherwise texts are named after their files.
    """
    failures = failures or Failures(strict=True)
    if len(paths) == 1 and can_be_read_once(paths[0]):
        return _from_pipe(paths[0])
    files = [file for path in paths for file in _text_files(path)]
    if not files:
        return formats.read_surviving(paths, failures)
    others = [path for path in paths if not _text_files(path)]
    if others:
        raise FormatError(f"{others[0]}: give running text or a corpus, not both; {files[0]} is text")
    missing = [file for file in files if not is_remote(file) and not Path(file).exists()]
    if missing:  # a mistake of the command, which is said before any work
        raise FormatError(f"{missing[0]}: No such file or directory")
    read: list[tuple[Text, str]] = []
    for file, named in zip(files, [name] if name else distinct_names(files), strict=True):
        try:
            read.append((_read_raw(SeekableFile(file), named), file))
        except FormatError as error:
            failures.add(file, error)
    return RawTexts([text for text, _ in read], [file for _, file in read])


def distinct_names(files: Sequence[str]) -> list[str]:
    """Name documents after their files; where two would be called the same, by their paths as well.

    >>> distinct_names(["a1.txt", "sub/a1.txt", "b.txt.gz"])
    ['a1', 'sub/a1', 'b']
    >>> distinct_names(["x/a.txt", "x/a.md", "x/a.md"])
    ['a.txt', 'a.md', 'a.md#2']
    """
    names = [stem(file) for file in files]
    for ending in (False, True):
        for clashing in clashes(names):
            below = paths_below([files[number] for number in clashing])
            for number, path in zip(clashing, below, strict=True):
                names[number] = path if ending else str(PurePosixPath(path).with_name(stem(path)))
    for clashing in clashes(names):
        for count, number in enumerate(clashing[1:], start=2):
            names[number] += f"#{count}"
    return names


def clashes(names: Sequence[str]) -> list[list[int]]:
    """Group the numbers of equal names."""
    numbers: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        numbers.setdefault(name, []).append(number)
    return [some for some in numbers.values() if len(some) > 1]


def paths_below(files: Sequence[str]) -> list[str]:
    """Write paths below the folder that all of them are in.

    >>> paths_below(["crawl/x/a.txt", "crawl/y/a.txt"])
    ['x/a.txt', 'y/a.txt']
    """
    whole = [_without_protocol(file) if is_remote(file) else str(Path(file).absolute()) for file in files]
    parts = [PurePosixPath(Path(path).as_posix()).parts for path in whole]
    common = 0
    while all(len(some) > common + 1 and some[common] == parts[0][common] for some in parts):
        common += 1
    return ["/".join(some[common:]) for some in parts]


def _text_files(name: str) -> list[str]:
    """List the files of running text that a name stands for."""
    if is_remote(name):
        return [file for file in files_in_remote(name) or [name] if is_text(file)]
    if Path(name).is_dir():
        return sorted(str(file) for file in Path(name).rglob("*") if file.is_file() and is_text(str(file)))
    return [name] if is_text(name) else []


def source_files(name: str) -> list[tuple[str, str]]:
    """List the files that a name stands for, of texts or else of a corpus, and what they are called below it.

    >>> source_files("crawl/one.txt.gz")
    [('crawl/one.txt.gz', 'one.txt.gz')]
    """
    files = _text_files(name) or formats.files_of_corpus(name)
    if Path(name).is_dir():
        return [(file, str(Path(file).relative_to(name))) for file in files]
    if not is_remote(name) or files == [name] or "*" in name:
        return [(file, Path(file).name) for file in files]
    above = f"{_without_protocol(name).rstrip('/')}/"
    return [(file, _without_protocol(file).removeprefix(above)) for file in files]


def _without_protocol(name: str) -> str:
    return name.partition("://")[2].lstrip("/")


def is_text(name: str) -> bool:
    """Whether a file is running text, by its name."""
    packing = Path(name).suffix
    return name.removesuffix(packing if packing in UNPACKERS else "").endswith(TEXT_ENDINGS)


def _from_pipe(path: str) -> RawTexts | Corpus:
    """Read standard input or a pipe: of a format if one knows it, and running text otherwise."""
    file = SeekableFile(path)
    try:
        kind = formats.recognise(file)
    except FormatError:
        kind = None
    if kind is None:
        return RawTexts([_read_raw(file, STANDARD_INPUT)], [STANDARD_INPUT])
    return formats.FORMATS[kind].read([file], STANDARD_INPUT, Reading())


def _read_raw(file: SeekableFile, name: str) -> Text:
    """Read a file of running text; its line ends stay as they are, so that offsets are those of the file."""
    data = file.read(0, LARGEST_TEXT + 1)
    file.close()
    if len(data) > LARGEST_TEXT:
        raise FormatError(f"{file.path}: more than {LARGEST_TEXT >> 20} MiB; split it into several files")
    if b"\0" in data[:HEAD]:
        raise FormatError(f"{file.path}: a binary file, not running text")
    return raw_text(name, decoded(data, file.path))
