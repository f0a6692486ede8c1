"""The lines of a text file, one after the other, without the whole of it in memory."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterator

from referee.exceptions import FormatError
from referee.formats.opening import SeekableFile

CHUNK = 2**20  # bytes
LONGEST = 2**24  # characters of a line; a longer one is no table


def text_lines(file: SeekableFile) -> Iterator[str]:
    """Read lines of UTF-8, each with its end."""
    decoder = getincrementaldecoder("utf-8")()
    position, rest, line = 0, "", 1
    while True:
        chunk = file.read(position, CHUNK)
        position += len(chunk)
        try:
            rest += decoder.decode(chunk, not chunk)
        except UnicodeDecodeError as error:
            line += rest.count("\n") + error.object.count(b"\n", 0, error.start)
            raise FormatError(f"{file.path}:{line}: not UTF-8: {error.reason}; save it as UTF-8") from error
        *whole, rest = rest.split("\n")
        yield from (f"{words}\n" for words in whole)
        line += len(whole)
        if len(rest) > LONGEST:
            raise FormatError(f"{file.path}:{line}: a line of more than {LONGEST >> 20} million characters")
        if not chunk:
            break
    if rest:
        yield rest
