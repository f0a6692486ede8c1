"""The one gate between bytes and text: UTF-8, what is not UTF-8, and what is not Unicode.

Texts may hold lone surrogates: bytes that were not UTF-8 come in as such (`lenient`), and JSON can write any
of them. `encoded` takes every text; those bytes go out as they came.
"""

from __future__ import annotations

import codecs
import re

from referee.exceptions import FormatError

ODD = "referee-odd"  # what codecs call the way in which odd characters are written
SURROGATE = re.compile("[\ud800-\udfff]")  # what is not Unicode


def encoded(text: str) -> bytes:
    r"""Write any text as UTF-8; what is not Unicode goes out as the bytes that it came from.

    >>> encoded("caf\udce9"), encoded("\ud83d")
    (b'caf\xe9', b'\xed\xa0\xbd')
    """
    return text.encode("utf-8", ODD)


def decoded(data: bytes, path: object, line: int = 1) -> str:
    """Read UTF-8, or say on which line of the file it is something else; `line` is that of the first byte."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise not_utf8(error, path, line) from error


def not_utf8(error: UnicodeDecodeError, path: object, line: int = 1) -> FormatError:
    """Say where bytes are not UTF-8, and what to do."""
    line += error.object.count(b"\n", 0, error.start)
    return FormatError(f"{path}:{line}: not UTF-8: {error.reason}; save it as UTF-8")


def lenient(data: bytes) -> str:
    r"""Read UTF-8, and any other byte as a lone surrogate, which `encoded` turns back into the byte.

    >>> encoded(lenient(b"caf\xe9"))
    b'caf\xe9'
    """
    return data.decode("utf-8", "surrogateescape")


def is_unicode(text: str) -> bool:
    r"""Whether a text has no lone surrogate.

    >>> is_unicode("café"), is_unicode("caf\udce9")
    (True, False)
    """
    return SURROGATE.search(text) is None


def _as_it_came(error: UnicodeError) -> tuple[str | bytes, int]:
    """Give odd bytes back, other lone surrogates as they are; what an encoding lacks becomes an escape."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    written = []
    for character in error.object[error.start : error.end]:
        if "\udc80" <= character <= "\udcff":
            written.append(bytes([ord(character) - 0xDC00]))
        elif "\ud800" <= character <= "\udfff":  # JSON itself had it
            written.append(character.encode("utf-8", "surrogatepass"))
        else:
            written.append(character.encode("ascii", "backslashreplace"))
    return b"".join(written), error.end


codecs.register_error(ODD, _as_it_came)
