"""What the service can do, as OpenAPI 3.1 says it: made from the schemas by which requests are checked."""

from __future__ import annotations

from functools import cache
from typing import Any

from referee import __version__
from referee.resolvers.base import Setting, resolvers
from referee.service.schemas import REF, requests, shared_schemas
from referee.service.work import names_here

JSON, PROBLEM = "application/json", "application/problem+json"
STORY = "Nora Finch lit the lamp. She was tired."
KEY = {"name": "key.conll", "text": "#begin document (a); part 000\na 0 0 Ann (1)\n#end document\n"}
TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}
ENTITIES = [["Ann", "she"], ["Bo", "he"]]
# path → what it does, and a request
WORK: dict[str, tuple[str, dict[str, Any]]] = {
    "/resolve": ("Find what refers to the same thing in a text", {"texts": STORY}),
    "/link": (
        "Find who and what occurs in several texts",
        {"texts": ["Ann Lee won the prize.", "Ann Lee lost the match."]},
    ),
    "/score": (
        "Score responses against a key",
        {"key": ENTITIES, "responses": [[["Ann", "she", "Bo"]]], "metric": ["muc", "b_cubed"]},
    ),
    "/convert": (
        "Write a corpus in another format", {"source": KEY, "target": "key.jsonl", "to": "jsonlines"},
    ),
    "/validate": ("List all that is wrong with files", {"files": [KEY]}),
}  # fmt: skip
READS = {
    "/health": "Say that the service lives", "/ready": "Say whether it takes requests",
    "/metrics": "Count what it did, for Prometheus", "/openapi.json": "Describe the service",
}  # fmt: skip
REFUSALS = {
    "400": "not JSON", "401": "without the token", "403": "from a page of another origin",
    "408": "the body did not come in time", "413": "too large", "415": "not application/json",
    "421": "a Host that is not this service's", "422": "refused: says where, what, and what to do",
    "429": "too many requests at once", "501": "the service lacks a package",
    "503": "overloaded, or stopping", "504": "the work took too long",
}  # fmt: skip


@cache
def openapi() -> dict[str, Any]:
    """Describe the service."""
    paths: dict[str, Any] = {path: {"post": _work(path)} for path in WORK}
    paths |= {path: {"get": _read(path, said)} for path, said in READS.items()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Referee", "version": __version__,
            "description": "Coreference: resolving, linking, scoring, converting and validating.",
        },
        "paths": paths,
        "security": [{}, {"token": []}],
        "components": {
            "schemas": {**shared_schemas(), "Settings": _settings(), "Problem": _problem()},
            "responses": {"Refusal": _refused("A refusal")},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }  # fmt: skip


def _work(path: str) -> dict[str, Any]:
    said, example = WORK[path]
    refused = {status: _refused(why) for status, why in REFUSALS.items()}
    return {
        "operationId": path.strip("/"),
        "summary": said,
        "requestBody": {
            "required": True, "content": {JSON: {"schema": requests()[path], "example": example}},
        },
        "responses": {
            "200": {"description": "What came of it", "content": {JSON: {"schema": {"type": "object"}}}},
            **refused,
        },
    }  # fmt: skip


def _read(path: str, said: str) -> dict[str, Any]:
    form = (
        {"text/plain": {"schema": {"type": "string"}}}
        if path == "/metrics"
        else {JSON: {"schema": {"type": "object"}}}
    )
    return {
        "operationId": path.strip("/").removesuffix(".json"),
        "summary": said,
        "responses": {
            "200": {"description": said, "content": form},
            "default": {"$ref": "#/components/responses/Refusal"},
        },
    }


def _refused(why: str) -> dict[str, Any]:
    return {"description": why, "content": {PROBLEM: {"schema": _ref("Problem")}}}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"{REF}{name}"}


def _problem() -> dict[str, Any]:
    fields = {name: {"type": "string"} for name in ("title", "detail", "kind")}
    return {
        "type": "object", "description": "What is wrong, where, and what to do (RFC 9457).",
        "properties": {**fields, "status": {"type": "integer"}}, "required": ["title", "status", "detail"],
    }  # fmt: skip


def _settings() -> dict[str, Any]:
    """Describe the settings that resolvers declare, but those about the machine of the service."""
    declared: dict[str, list[tuple[str, Setting]]] = {}
    for name, entry in resolvers().items():
        for setting in entry.settings:
            if not names_here(setting):
                declared.setdefault(setting.name, []).append((name, setting))
    properties = {
        name: {
            **_schema([setting for _, setting in found]),
            "description": f"{', '.join(owner for owner, _ in found)}: {found[0][1].help}",
        }
        for name, found in declared.items()
    }
    return {"type": "object", "description": "Settings of resolvers.", "properties": properties}


def _schema(settings: list[Setting]) -> dict[str, Any]:
    first = settings[0]
    if first.type in TYPES:
        schema: dict[str, Any] = {"type": TYPES[first.type]}
        offered = {choice for setting in settings for choice in setting.choices}
        if offered and all(setting.choices for setting in settings):
            schema["enum"] = sorted(offered)
        return schema
    return (
        {"type": "array", "items": {"type": "string"}}
        if first.type is tuple
        else {"type": ["string", "object"]}
    )
