"""What Referee raises.

RefereeError
├── FormatError     a file is not what it should be: says where, what, and what to do
│   └── ParseError      a tree of the key is wrong; `on_bad_parse` decides what happens, so the run ends
├── ProtocolError   what is asked for does not fit the data
│   └── SettingError    a name or value that does not exist, or settings that exclude each other
├── MissingExtra    an optional package is not installed
└── EngineError     the processes or the cluster that do the work are lost, or not as they have to be

Warnings: PluginWarning, of a package that adds to Referee and fails; SettingWarning, of a setting that cannot
be kept as it was given; FailureWarning, of documents that failed while others were done; LossWarning, of
annotation that a format could not hold.
"""

from collections.abc import Iterable


class RefereeError(Exception):
    """Anything that Referee refuses to do, in words for the user.

    Examples:
        >>> import referee
        >>> try:
        ...     referee.score([["a"]], "key.conll")
        ... except referee.RefereeError as error:
        ...     print(str(error)[:40])
        key and response must be of one kind: bo
    """


class FormatError(RefereeError):
    """A file or a document that cannot be read as it stands.

    Examples:
        >>> import referee
        >>> issubclass(referee.FormatError, referee.RefereeError)
        True
    """


class ParseError(FormatError):
    """A tree of the key that is malformed or has other words; `on_bad_parse` says what to do about it."""


class ProtocolError(RefereeError):
    """What is asked for does not fit the data: the message says what they lack.

    Examples:
        >>> import referee
        >>> try:
        ...     referee.Protocol(match="exat")
        ... except referee.ProtocolError as error:
        ...     print(str(error)[-21:])
        ; did you mean exact?
    """


class SettingError(ProtocolError):
    """A setting, name or value that does not exist, or settings that exclude each other, whatever the data.

    The command line exits with status 2 for it, and with 1 for any other.
    """


class MissingExtra(RefereeError):  # noqa: N818 it is a request, not a fault
    """An optional package is needed and absent.

    Examples:
        >>> import referee
        >>> print(referee.MissingExtra("pandas", "pandas"))
        pandas is not installed: pip install 'referee-coref[pandas]'
    """

    def __init__(self, package: str, extra: str) -> None:
        """Name the package, and the extra that brings it."""
        super().__init__(package, extra)  # as an exception that is pickled is made again

    def __str__(self) -> str:
        """Say what to install."""
        package, extra = self.args
        return f"{package} is not installed: pip install 'referee-coref[{extra}]'"


class EngineError(RefereeError):
    """Processes or a cluster cannot do the work: killed, lost, of other versions. No document is at fault."""


class SettingWarning(UserWarning):
    """A setting cannot be kept as it was given, such as a precision beyond what was measured."""


class FailureWarning(UserWarning):
    """Some documents of many gave no result; the others were done.

    Examples:
        >>> import referee
        >>> issubclass(referee.FailureWarning, UserWarning)
        True
    """


class LossWarning(UserWarning):
    """A file was written without annotation that its format cannot hold.

    Examples:
        >>> import referee
        >>> issubclass(referee.LossWarning, UserWarning)
        True
    """


class PluginWarning(UserWarning):
    """What an installed package adds cannot be taken, and is skipped."""


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """Ask whether the nearest choice was meant, to be put behind a message; nothing if none is near.

    >>> did_you_mean("b_cubd", ["muc", "b_cubed"])
    '; did you mean b_cubed?'
    """
    import difflib  # here, so that nobody waits for it who made no mistake

    near = difflib.get_close_matches(word.lower(), list(choices), 1)
    return f"; did you mean {near[0]}?" if near else ""


def need_package(package: str, extra: str, name: str = "") -> None:
    """Refuse work that needs a package which is not installed, before the work is begun."""
    from importlib.util import find_spec

    if find_spec(package) is None:
        raise MissingExtra(name or package, extra)
