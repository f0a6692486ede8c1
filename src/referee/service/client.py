"""The client of a service: `resolve`, `link`, `score`, `convert` and `validate`, done elsewhere.

Each takes what the function of its name takes, and returns an equal value. Files are read here and sent; what
`convert` writes is written here.
"""

from __future__ import annotations

import base64
import json
import os
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import referee
from referee import exceptions
from referee.encoding import encoded, is_unicode, lenient
from referee.exceptions import FormatError, RefereeError, SettingError, need_package
from referee.formats.catalogue import FORMATS
from referee.formats.failures import Failure
from referee.formats.files import found_files
from referee.formats.io.opening import STDIN, raw_bytes
from referee.formats.io.remote import is_remote
from referee.formats.io.saving import save_bytes
from referee.formats.validation import Problem
from referee.model import Corpus, Document, DocumentCorpus, Text
from referee.resolvers.base import LINKER
from referee.resolvers.resolved import Resolved, ResolvedTexts
from referee.service.inputs import resolved_corpus
from referee.service.settings import is_loopback
from referee.service.values import packed, unpacked

if TYPE_CHECKING:
    from types import TracebackType

    import httpx

TOKEN_VARIABLE = "REFEREE_TOKEN"
BUSY = (429, 503)  # statuses after which the same request may be taken later
FILES = ("parses", "genres", "types", "layers")  # options of score whose values are files
PathName = str | PathLike[str]


def connect(url: str, token: str | None = None, *, patience: float = 600.0, insecure: bool = False) -> Client:
    """Connect to a service that `referee serve` runs.

    Args:
        url: Its address, as `http://127.0.0.1:8080`.
        token: The service's token, if it needs one; otherwise what the environment's REFEREE_TOKEN says.
        patience: For how many seconds a call waits at most, while the service is busy too.
        insecure: Allow the token to be sent over plain HTTP to another machine.

    Returns:
        A client, whose methods `resolve`, `link`, `score`, `convert` and `validate` take and return what the
            functions of these names do.

    Raises:
        SettingError: If the address is none, or the token would be sent in plain text to another machine.
        MissingExtra: If httpx is not installed.

    Examples:
        >>> import referee
        >>> client = referee.connect("http://127.0.0.1:8080")
        >>> client.resolve("Tom slept. He snored.").clusters  # doctest: +SKIP
        [[(0, 1), (3, 4)]]
    """
    need_package("httpx", "serve")
    given = token if token is not None else os.environ.get(TOKEN_VARIABLE, "")
    return Client(_checked(url, given, insecure=insecure), given, patience)


class Client:
    """A service and how it is called; as a context manager it closes its connections."""

    def __init__(self, url: str, token: str = "", patience: float = 600.0) -> None:
        """Get ready; nothing is sent yet."""
        import httpx

        self.url, self.patience = url, patience
        headers = {"content-type": "application/json"}
        headers |= {"authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(base_url=url, headers=headers, trust_env=not is_loopback(_host(url)))

    def __repr__(self) -> str:
        """Show the address, and nothing of the token."""
        return f"<Client of {self.url}>"

    def __enter__(self) -> Client:
        """Use the client for some calls."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close its connections."""
        self.close()

    def close(self) -> None:
        """Close the connections; no call is possible afterwards."""
        self._http.close()

    def __del__(self) -> None:
        """Close them if nobody did."""
        self.close()

    def resolve(
        self, texts: Any, resolver: str | None = None, *, strict: bool = False, **settings: Any
    ) -> Any:
        """Find the coreference of one text, of several, or of a corpus, as `referee.resolve` does."""
        given = {"texts": _texts(texts), "resolver": resolver, "strict": strict, "settings": settings}
        return _value(self._asked("/resolve", given))

    def link(self, texts: Any, resolver: str = LINKER, *, strict: bool = False, **settings: Any) -> Any:
        """Link mentions of the same thing across texts, as `referee.link` does."""
        given = {"texts": _texts(texts), "resolver": resolver, "strict": strict, "settings": settings}
        return _value(self._asked("/link", given))

    def score(self, key: Any, *responses: Any, **options: Any) -> referee.Result | referee.Scores:
        """Score responses against a key, as `referee.score` does."""
        sent = Sent()
        files = {
            name: sent.side(options.pop(name))
            for name in FILES
            if options.get(name) is not None and options[name] != "entity"
        }
        given = {"key": sent.side(key), "responses": [sent.side(each) for each in responses]}
        value: referee.Result | referee.Scores = _value(
            self._asked("/score", {**given, **options, **files}, sent)
        )
        return value

    def validate(self, *files: Any, key: Any = None) -> list[Problem]:
        """Find every problem of files, as `referee.validate` does."""
        sent = Sent()
        given = {"files": [sent.side(each) for each in files]}
        given |= {"key": sent.side(key)} if key is not None else {}
        value: list[Problem] = _value(self._asked("/validate", given, sent))
        return value

    def convert(self, source: Any, target: PathName, **options: Any) -> referee.Conversion:
        """Convert a corpus to a file of another format, as `referee.convert` does; it is written here."""
        sent, name = Sent(), fspath(target)
        if name == STDIN or not name.rstrip("/"):
            raise SettingError("target= must be a file or a folder: a service has no standard output")
        given = {"source": sent.side(source), "target": name, **options}
        answer = self._asked("/convert", given, sent)
        for file in answer.get("files", ()):
            base, _, below = file["name"].partition("/")
            path = Path(name, below) if below else Path(name).with_name(base)
            path.parent.mkdir(parents=True, exist_ok=True)
            save_bytes(path, _content(file))
        value: referee.Conversion = _value(answer)
        return value

    def _asked(self, path: str, given: Mapping[str, Any], sent: Sent | None = None) -> dict[str, Any]:
        """Send a request until it is taken, and read what came of it."""
        fields = {name: value for name, value in given.items() if value is not None and value != {}}
        if sent is not None:
            fields = sent.placed(fields)
        body = encoded(json.dumps({**fields, "form": "values"}, default=_unsendable))
        answer = self._answer(path, body)
        if answer.status_code != 200:
            raise _error(answer)
        value: dict[str, Any] = answer.json()
        for kind, message in value["warnings"]:
            warnings.warn(message, getattr(exceptions, kind, UserWarning), stacklevel=4)
        return value

    def _answer(self, path: str, body: bytes) -> httpx.Response:
        import httpx

        end = time.monotonic() + self.patience
        while True:
            try:
                answer = self._http.post(path, content=body, timeout=max(end - time.monotonic(), 0.1))
            except httpx.TimeoutException as error:
                raise RefereeError(f"{self.url}: no answer in {self.patience:g} s") from error
            except httpx.HTTPError as error:
                raise RefereeError(f"{self.url}: the service cannot be reached: {error}") from error
            wait = answer.headers.get("retry-after", "")
            if answer.status_code not in BUSY or not wait.isdecimal():
                return answer
            if time.monotonic() + int(wait) > end:
                return answer
            time.sleep(int(wait))


class Sent:
    """The files of one request; they keep their names below the folder that all of them are in."""

    def __init__(self) -> None:
        """Begin without files."""
        self._files: list[dict[str, Any]] = []

    def side(self, given: Any) -> Any:
        """Write one input: a path by its files, documents by their values, clusters as they are."""
        if isinstance(given, str | PathLike):
            return self._path(fspath(given))
        if isinstance(given, Document):
            return {"documents": [packed(given)]}
        if isinstance(given, Corpus):
            if type(given) is not DocumentCorpus:
                raise SettingError("a corpus that was read from files is sent by their path: give that")
            return _corpus(given)
        if isinstance(given, list | tuple) and given and all(isinstance(each, Document) for each in given):
            return {"documents": [packed(each) for each in given]}
        return {"clusters": given}

    def _path(self, name: str) -> dict[str, Any]:
        if name == STDIN or is_remote(name):
            raise SettingError(f"{name}: a client sends files of its own machine: give their path")
        found = {*found_files(name)[0]}
        if Path(name).is_dir():
            found |= {str(path) for path in Path(name).rglob("*") if path.is_file()}
        else:
            found |= {beside for path in found for beside in _beside(path)}
        files = [{"name": path, **_read(path)} for path in sorted(found)]
        self._files += files
        sent = {"name": name, "files": files}
        self._files.append(sent)
        return sent

    def placed(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Name all files below one folder, which is told beside them."""
        names = [each["name"] for each in self._files]
        if not names:
            return fields
        if (
            any(".." in Path(name).parts for name in names)
            or len({Path(name).is_absolute() for name in names}) > 1
        ):
            names = [os.path.abspath(name) for name in names]  # noqa: PTH100 links stay as they are
        above = [str(Path(name).parent) for name in names]
        folder = os.path.commonpath(above) if Path(names[0]).is_absolute() else ""
        for each, name in zip(self._files, names, strict=True):
            each["name"] = os.path.relpath(name, folder) if folder else str(Path(name))
        return {**fields, "folder": folder} if folder else fields


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _checked(url: str, token: str, *, insecure: bool) -> str:
    """Refuse an address that is none, or that a token should not go to."""
    try:
        parts, host = urlsplit(url), _host(url)
    except ValueError as error:
        raise SettingError(f"url='{url}' is not an address: {error}") from error
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment or parts.username:
        raise SettingError(f"url='{url}' is not an address such as http://127.0.0.1:8080")
    if token and parts.scheme == "http" and not is_loopback(host) and not insecure:
        raise SettingError(
            f"url='{url}' would send the token in plain text to another machine; use https, or insecure=True "
            "if the network is yours"
        )
    return url.rstrip("/")


def _texts(given: Any) -> Any:
    if isinstance(given, Corpus):
        return _corpus(given)
    if isinstance(given, str):
        return given
    return packed(given) if isinstance(given, Text | Document) else [_texts(each) for each in given]


def _corpus(given: Corpus) -> dict[str, Any]:
    return {"name": given.name, "documents": packed(list(given)), "cross_document": given.cross_document}


def _beside(path: str) -> Iterator[str]:
    """List the files beside one that its format looks for, by its name."""
    for form in FORMATS.values():
        for ending in form.suffixes if path.endswith(form.suffixes) else ():
            names = (path.removesuffix(ending) + companion for companion in form.companions)
            yield from (name for name in names if Path(name).is_file())


def _read(path: str) -> dict[str, str]:
    """Read a file as it is, packed or not."""
    content = raw_bytes(path)
    text = lenient(content)
    if is_unicode(text):
        return {"text": text}
    return {"base64": base64.b64encode(content).decode("ascii")}


def _content(file: Mapping[str, str]) -> bytes:
    return encoded(file["text"]) if "text" in file else base64.b64decode(file["base64"])


def _unsendable(value: Any) -> Any:
    """Write what JSON has no form for: paths, sets, numpy's numbers."""
    if isinstance(value, Mapping | Sequence | set | frozenset):
        return packed(value)
    if hasattr(value, "item"):
        return value.item()
    if isinstance(value, referee.Protocol):
        return value.signature
    raise SettingError(f"a value of the type {type(value).__name__} cannot be sent to a service")


def _error(answer: httpx.Response) -> RefereeError:
    """Raise what the function would have raised."""
    try:
        said = answer.json()
        detail, kind = str(said["detail"]), str(said.get("kind", ""))
    except (ValueError, KeyError, TypeError):
        detail, kind = f"status {answer.status_code} without words", ""
    found = getattr(exceptions, kind, None)
    if isinstance(found, type) and issubclass(found, RefereeError) and found is not exceptions.MissingExtra:
        return found(detail)
    return RefereeError(f"the service refuses: {detail}")


def _value(answer: Mapping[str, Any]) -> Any:
    """Make the value that the function returned."""
    kind, value = answer["kind"], answer["value"]
    if kind == "problems":
        return unpacked(list[Problem], value)
    if kind == "ResolvedTexts":
        made = ResolvedTexts(unpacked(list[Resolved], value["texts"]), linked=bool(value["linked"]))
        made.failures = unpacked(tuple[Failure, ...], value["failures"])
        return made
    if kind == "ResolvedCorpus":
        corpus = resolved_corpus(value)
        corpus.failures = unpacked(tuple[Failure, ...], value["failures"])
        return corpus
    if kind not in ("Resolved", "Result", "Scores", "Conversion"):
        raise FormatError(f"the service sent a {kind}, which this client does not know: update it")
    return unpacked(getattr(referee, kind), value)
