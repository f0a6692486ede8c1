"""Standard output and standard error that take any text, and that can be let go of when they fail."""

from __future__ import annotations

import codecs
import os
import sys
from contextlib import suppress

ODD = "referee-odd"  # the name of the way in which odd bytes are written


def _write_odd(error: UnicodeError) -> tuple[str | bytes, int]:
    """Write bytes that came in odd as they were, and characters that an encoding lacks as escapes."""
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


codecs.register_error(ODD, _write_odd)


def let_odd_bytes_out() -> None:
    """Let standard output and standard error take any text, whatever their encoding.

    If the locale is ASCII, no encoding was chosen, and UTF-8 is written, as click would do.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            chosen = codecs.lookup(stream.encoding).name != "ascii"
            stream.reconfigure(encoding=None if chosen else "utf-8", errors=ODD)


def let_go_of_output() -> None:
    """Throw away what standard output still holds, so that leaving does not fail once more."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
