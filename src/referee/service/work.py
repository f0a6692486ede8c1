"""The work of the service: reads a request, calls the public function of its name, and writes the answer.

It is done in a process of its own (`worker.py`), which gets the body of a request as it came: nothing that a
caller sends is looked at in the process that serves.
"""

from __future__ import annotations

import base64
import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import referee
from referee.display import output_of
from referee.encoding import encoded, is_unicode, lenient
from referee.exceptions import MissingExtra, RefereeError, SettingError
from referee.model import DocumentCorpus
from referee.resolvers.base import (
    LINKER,
    Setting,
    check_settings,
    default_resolver,
    resolvers,
    resolvers_that_link,
    resolvers_within,
)
from referee.resolvers.resolved import Resolved, ResolvedTexts
from referee.service.inputs import Inputs, texts_of
from referee.service.problems import Refusal
from referee.service.schemas import FILE_OPTIONS, check
from referee.service.values import packed
from referee.tables.problems import problem_output
from referee.tables.rendering import data_of, json_text

VALUES = "values"  # the form of an answer that the Python client asks for


@dataclass(frozen=True, slots=True)
class WorkSettings:
    """What whoever runs the service chose: the resolver for requests that name none, and its settings."""

    resolver: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    preload: Sequence[str] = ()


class Done(NamedTuple):
    """What came of a request: the JSON of the answer, and how many words were resolved."""

    content: bytes
    words: int = 0


class Value(NamedTuple):
    """What a function returned, its name for the client, and the plain form of it."""

    kind: str
    value: Any
    plain: Callable[[], Any]
    words: int = 0
    files: Sequence[Mapping[str, str]] = ()


def work(path: str, body: bytes, root: Path, chosen: WorkSettings) -> Done:
    """Do what a request asks for.

    Raises:
        Refusal: If it cannot be read.
        RefereeError: If the function refuses it.
    """
    given = _request(body)
    check(path, given)
    form, folder = given.pop("form", "plain"), given.pop("folder", "")
    inputs = Inputs(root, folder)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            made = WORK[path](given, inputs, chosen)
        except RefereeError as error:
            refusal = refusal_of(error)
            raise Refusal(refusal.status, inputs.said(refusal.detail), kind=refusal.kind) from error
        answer = _packed(made) if form == VALUES else made.plain()
    said = [(each.category.__name__, str(each.message)) for each in caught if _is_ours(each.category)]
    said = list(dict.fromkeys(said))
    answer["warnings"] = [list(each) for each in said] if form == VALUES else [words for _, words in said]
    return Done(encoded(inputs.answered(_json(answer))), made.words)


def _json(answer: Any) -> str:
    try:
        return json.dumps(answer, allow_nan=False, separators=(",", ":"))
    except ValueError:  # something is not a number
        return json_text(answer)


def _request(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Refusal(400, f"the body is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise Refusal(422, "the body must be a JSON object")
    return value


def _is_ours(category: type[Warning]) -> bool:
    return category.__module__.startswith("referee.")


def _packed(made: Value) -> dict[str, Any]:
    beside = {"files": list(made.files)} if made.files else {}
    return {"kind": made.kind, "value": made.value, **beside}


def _resolve(given: dict[str, Any], _inputs: Inputs, chosen: WorkSettings) -> Value:
    asked = given.get("settings", {})
    usual = chosen.resolver if chosen.resolver in resolvers_within() else None
    name = given.get("resolver") or usual or default_resolver(asked)
    settings = settings_of(name, asked, chosen.settings if name == chosen.resolver else {})
    return _resolved(
        referee.resolve(texts_of(given["texts"]), name, strict=given.get("strict", False), **settings)
    )


def _link(given: dict[str, Any], _inputs: Inputs, chosen: WorkSettings) -> Value:
    usual = chosen.resolver if chosen.resolver in resolvers_that_link() else None
    name = given.get("resolver") or usual or LINKER
    settings = settings_of(
        name, given.get("settings", {}), chosen.settings if name == chosen.resolver else {}
    )
    return _resolved(
        referee.link(texts_of(given["texts"]), name, strict=given.get("strict", False), **settings)
    )


def settings_of(name: str, asked: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Put a caller's settings over those of the service; none may name anything of the machine."""
    known = resolvers()
    if name not in known:
        return {}  # the function says so
    declared = {setting.name: setting for setting in known[name].settings}
    for setting, value in asked.items():
        if setting in declared and names_here(declared[setting], value):
            raise SettingError(
                f"{setting}= names something on the machine of the service, which whoever runs it chooses: "
                "leave it out"
            )
    check_settings(name, asked, known)  # before they are keywords, among which there are others
    excluded = {other for setting in asked for other in declared[setting].excludes}
    return {**{setting: value for setting, value in before.items() if setting not in excluded}, **asked}


def names_here(setting: Setting, value: object = "") -> bool:
    """Whether a value of a setting would be looked for on this machine: a file, a package, its cores."""
    if setting.type is dict:
        return isinstance(value, str) and value not in setting.choices
    return setting.local or setting.type is Path


def _resolved(made: Any) -> Value:
    if isinstance(made, DocumentCorpus):
        kind, each = "ResolvedCorpus", [Resolved(document) for document in made.documents]
        value: Any = {
            "name": made.name, "documents": packed(made.documents), "cross_document": made.cross_document,
            "failures": packed(getattr(made, "failures", ())),
        }  # fmt: skip
    elif isinstance(made, ResolvedTexts):
        kind, each = "ResolvedTexts", list(made)
        value = {"texts": packed(list(made)), "linked": made.linked, "failures": packed(made.failures)}
    else:
        kind, each, value = "Resolved", [made], packed(made)

    def plain() -> dict[str, Any]:
        answer: dict[str, Any] = {"results": [resolved.to_dict() for resolved in each]}
        if isinstance(made, ResolvedTexts) and made.linked:
            answer["recurring"] = [
                {"id": one.id, "name": one.name, "texts": list(one.documents)} for one in made.recurring()
            ]
        answer["failures"] = [failure._asdict() for failure in getattr(made, "failures", ())]
        return answer

    return Value(kind, value, plain, sum(len(resolved.document.words) for resolved in each))


def _score(given: dict[str, Any], inputs: Inputs, _chosen: WorkSettings) -> Value:
    sides = [given.pop("key"), *given.pop("responses")]
    read = [inputs.given(side, f"input {number}") for number, side in enumerate(sides)]
    for name in FILE_OPTIONS:
        if isinstance(given.get(name), dict):
            given[name] = inputs.path(given[name], name)
    made = referee.score(*read, **given)
    return Value(type(made).__name__, packed(made), lambda: dict(data_of(output_of(made))))


def _validate(given: dict[str, Any], inputs: Inputs, _chosen: WorkSettings) -> Value:
    files = [inputs.given(each, f"files[{number}]") for number, each in enumerate(given["files"])]
    key = inputs.given(given["key"], "key") if given.get("key") is not None else None
    found = referee.validate(*files, key=key)
    return Value("problems", packed(found), lambda: dict(data_of(problem_output(found))))


def _convert(given: dict[str, Any], inputs: Inputs, _chosen: WorkSettings) -> Value:
    source = inputs.given(given.pop("source"), "source")
    target = inputs.written(given.pop("target"))
    made = referee.convert(source, target, **given)
    written = sorted(path for path in target.parent.rglob("*") if path.is_file())
    files = [_file(path, target.parent) for path in written]

    def plain() -> dict[str, Any]:
        return {
            "format": made.form, "documents": made.documents, "left_out": made.left_out,
            "notices": list(made.notices), "failures": [failure._asdict() for failure in made.failures],
            "files": files,
        }  # fmt: skip

    return Value("Conversion", packed(made), plain, files=files)


def _file(path: Path, folder: Path) -> dict[str, str]:
    """Give what was written, as text if it is one."""
    content, name = path.read_bytes(), str(path.relative_to(folder))
    text = lenient(content)
    if is_unicode(text):
        return {"name": name, "text": text}
    return {"name": name, "base64": base64.b64encode(content).decode("ascii")}


WORK: dict[str, Callable[[dict[str, Any], Inputs, WorkSettings], Value]] = {
    "/resolve": _resolve, "/link": _link, "/score": _score, "/convert": _convert, "/validate": _validate,
}  # fmt: skip


def refusal_of(error: BaseException) -> Refusal:
    """Say what is wrong with a request; how the code got there stays in the log."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, MissingExtra):
        return Refusal(501, f"the service lacks a package: {error}", kind="MissingExtra")
    if isinstance(error, RefereeError):
        return Refusal(422, str(error), kind=type(error).__name__)
    if isinstance(error, MemoryError):
        return Refusal(413, "the work needs more memory than a request may take: send less at once")
    return Refusal(500, "the service failed; its log says where. Please report it with what you sent")
