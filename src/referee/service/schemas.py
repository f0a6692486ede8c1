"""What requests may have: JSON schemas, by which requests are checked and from which OpenAPI is made."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from referee.exceptions import FormatError
from referee.matching.protocol import CHOICES
from referee.matching.units import SCOPES
from referee.metrics.catalogue import CATALOGUE

SHOWN = 300  # characters of a message, which repeats what is wrong
MOST_SAMPLES = 100_000
TEXT, SWITCH = {"type": "string"}, {"type": "boolean"}
NAMES = {"oneOf": [TEXT, {"type": "array", "items": TEXT}]}
FILE = {
    "type": "object",
    "description": "A file by its content, or a folder by its files. The name is what messages call it, and "
    "its ending may say the format; no file of the service is ever read.",
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "text": {"type": "string", "description": "Its content, which is UTF-8."},
        "base64": {"type": "string", "description": "Its content, if it is packed or not UTF-8."},
        "files": {
            "type": "array",
            "description": "The files of a folder, or a file and those beside it that its format needs, each "
            "with a name that begins as that of the folder does.",
            "items": {"type": "object", "required": ["name"]},
        },
    },
    "required": ["name"],
    "additionalProperties": False,
}
CLUSTERS = {
    "type": "array",
    "description": "Bare clusters: lists of mentions, each a string, a number or a pair of numbers; or a "
    "list of such lists, one for each document.",
}
DOCUMENTS = {
    "type": "object",
    "description": "Documents as values, which the Python client sends.",
    "properties": {
        "documents": {"type": "array", "items": {"type": "object"}}, "name": TEXT, "cross_document": SWITCH,
    },
    "required": ["documents"],
    "additionalProperties": False,
}  # fmt: skip
NAMED_CLUSTERS = {
    "type": "object", "properties": {"clusters": {"type": ["array", "object"]}}, "required": ["clusters"],
    "additionalProperties": False,
}  # fmt: skip
REF = "#/components/schemas/"
CORPUS = {"oneOf": [{"$ref": f"{REF}File"}, {"$ref": f"{REF}Documents"}]}
SIDE = {"oneOf": [{"$ref": f"{REF}{name}"} for name in ("File", "Clusters", "NamedClusters", "Documents")]}
ONE_TEXT = {
    "oneOf": [TEXT, {"type": "object", "description": "A text or document as a value."}],
    "description": "Running text.",
}
COMPONENTS: dict[str, Any] = {
    "File": FILE, "Clusters": CLUSTERS, "NamedClusters": NAMED_CLUSTERS, "Documents": DOCUMENTS,
    "Text": ONE_TEXT,
}  # fmt: skip
BESIDE = {
    "form": {
        "enum": ["plain", "values"], "default": "plain",
        "description": "plain for programs; values for the Python client, which makes objects of them.",
    },
    "folder": {"type": "string", "description": "Where the caller has the files, as messages should say it."},
}  # fmt: skip
FILE_OPTIONS = ("parses", "genres", "types", "layers")  # of score, whose values are files
SCOPE = {"enum": list(SCOPES[:-1])}


def _score_options() -> dict[str, Any]:
    chosen = {name: {"enum": list(values)} for name, values in CHOICES.items()}
    names = ("singletons", "zeros", "heads", "kind", "ids", "gaps", "sets", "layer")
    return {
        "protocol": TEXT | {"description": "A preset, as conll or crac, or a signature."},
        **{name: chosen[name] for name in names},
        "match": NAMES, "metric": NAMES | {"description": f"Some of {', '.join(CATALOGUE.ours)}."},
        "parses": {"$ref": f"{REF}File"}, "on_bad_parse": {"enum": ["refuse", "skip"]},
        "scope": {
            "oneOf": [
                SCOPE, {"type": "array", "items": SCOPE, "minItems": 1},
                {"type": "object", "additionalProperties": TEXT},
            ]
        },
        "repair": SWITCH, "by": TEXT, "genres": {"$ref": f"{REF}File"},
        "types": {"oneOf": [{"const": "entity"}, {"$ref": f"{REF}File"}]},
        "layers": {"$ref": f"{REF}File"}, "ci": SWITCH,
        "samples": {"type": "integer", "minimum": 1, "maximum": MOST_SAMPLES},
        "seed": {"type": "integer", "minimum": 0, "maximum": 2**32},
        "level": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        "names": {"type": "array", "items": TEXT}, "strict": SWITCH,
    }  # fmt: skip


def _object(required: tuple[str, ...], **properties: Any) -> dict[str, Any]:
    return {
        "type": "object", "properties": {**properties, **BESIDE}, "required": list(required),
        "additionalProperties": False,
    }  # fmt: skip


SETTINGS = {"type": "object", "description": "Settings of the resolver, by name.", "$ref": f"{REF}Settings"}
SEVERAL = {"type": "array", "items": {"$ref": f"{REF}Text"}, "minItems": 1}


@cache
def requests() -> dict[str, dict[str, Any]]:
    """List the schema of each path's request; the settings of resolvers are in `shared_schemas`."""
    resolver = TEXT | {"description": "Its name; otherwise the one that the service was started with."}
    corpora = {"$ref": f"{REF}Documents"}
    shared = {"resolver": resolver, "strict": SWITCH, "settings": {"$ref": f"{REF}Settings"}}
    return {
        "/resolve": _object(
            ("texts",), texts={"oneOf": [TEXT, SEVERAL, {"type": "object"}]}, **shared
        ),
        "/link": _object(("texts",), texts={"oneOf": [SEVERAL, corpora]}, **shared),
        "/score": _object(
            ("key", "responses"), key={"$ref": f"{REF}Side"},
            responses={"type": "array", "items": {"$ref": f"{REF}Side"}, "minItems": 1}, **_score_options(),
        ),
        "/convert": _object(
            ("source", "target"), source={"$ref": f"{REF}Corpus"},
            target=TEXT
            | {"description": "The name of the new file or folder, whose ending may say the format."},
            to=TEXT, kind={"enum": list(CHOICES["kind"])}, role={"enum": ["key", "response"]}, lossy=SWITCH,
            ids={"enum": list(CHOICES["ids"])}, identity={"type": "array", "items": TEXT}, strict=SWITCH,
        ),
        "/validate": _object(
            ("files",), files={"type": "array", "items": {"$ref": f"{REF}Corpus"}, "minItems": 1},
            key={"$ref": f"{REF}Corpus"},
        ),
    }  # fmt: skip


def shared_schemas() -> dict[str, Any]:
    """List the parts that requests share."""
    return {**COMPONENTS, "Corpus": CORPUS, "Side": SIDE, "Settings": {"type": "object"}}


@cache
def _validator(path: str) -> Draft202012Validator:
    return Draft202012Validator({**requests()[path], "components": {"schemas": shared_schemas()}})


def check(path: str, given: Mapping[str, Any]) -> None:
    """Refuse a request that does not fit its schema, and say where and why."""
    error = best_match(_validator(path).iter_errors(given))
    if error is not None:
        where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
        said = error.message if len(error.message) <= SHOWN else f"{error.message[:SHOWN]}…"
        raise FormatError(f"{where.lstrip('.') or 'the body'}: {said}; /openapi.json says what it may be")
