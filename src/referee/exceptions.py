"""What Referee raises.

RefereeError
├── FormatError     a file is not what it should be: says where, what, and what to do
├── ProtocolError   a setting that does not exist, or settings that exclude each other
└── MissingExtra    an optional package is not installed
"""


class RefereeError(Exception):
    """Anything that Referee refuses to do, in words for the user."""


class FormatError(RefereeError):
    """A file or a document that cannot be read as it stands."""


class ProtocolError(RefereeError):
    """A protocol, metric or option that does not exist or does not fit the others."""


class MissingExtra(RefereeError):  # noqa: N818 it is a request, not a fault
    """An optional package is needed and absent."""

    def __init__(self, package: str, extra: str) -> None:
        """Name the package, and the extra that brings it."""
        super().__init__(package, extra)  # as an exception that is pickled is made again

    def __str__(self) -> str:
        """Say what to install."""
        package, extra = self.args
        return f"{package} is not installed: pip install 'referee-coref[{extra}]'"
