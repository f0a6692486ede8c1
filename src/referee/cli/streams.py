"""Standard output and standard error that take any text, and that can be let go of when they fail."""

from __future__ import annotations

import codecs
import os
import sys
from contextlib import suppress

from referee.encoding import ODD


def prepare_streams() -> None:
    """Let standard output and standard error take any text, and stand in for those that are closed."""
    _stand_in_for_closed()
    let_odd_bytes_out()


def _stand_in_for_closed() -> None:
    """Keep the numbers of closed streams from files, which would be written into.

    A result that goes to a closed standard output fails, as on a full disk. Notices are let go of.
    """
    for number, way in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, way)  # takes the smallest free number
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 a number; all along
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 likewise


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
