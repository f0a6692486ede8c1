"""What a folder of prompts holds, and a folder of the answers to them: one manifest of one form.

A prompt is about a window of a document: some of its words, or all of them. The manifest says which, by
numbers and by a digest of the words, so that answers are only ever put on the text that was asked about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from referee.encoding import encoded
from referee.exceptions import FormatError
from referee.formats.catalogue import NOTATION_ENDINGS, RUN_MANIFEST
from referee.formats.io.json_file import json_object

PROMPTS, ANSWERS = "manifest.json", RUN_MANIFEST  # what the manifests are called
REPLIES, REPLY = "replies", ".reply"  # the folder of what servers sent, and the ending of its files
VERSION = 1
# The id of an entity that a prompt lists → the answers that it was found in, and its id there. Ids alone
# would not do: if an answer is repaired, those in later answers still mean what was known before.
Carried = Mapping[str, Sequence[tuple[str, str]]]
SAFE_NAME = re.compile(r"\w[\w.~-]{0,199}")  # of files: no folders, and none that is hidden
ANSWERED, CUT, REFUSED, EMPTY, NO_ANSWER = "answered", "cut off", "refused", "empty answer", "no answer"
OUTCOMES = (ANSWERED, CUT, REFUSED, EMPTY)
HINT = "referee llm prompt makes prompts, and referee llm run answers"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as the manifest lists it: which words of which document it is about."""

    name: str  # of its files, without their endings
    document: str
    window: int  # from 1
    start: int  # in the document's words
    end: int
    words: str  # a digest of these words
    prompt: str  # a digest of the instructions and the text
    after: str = ""  # the prompt before it, whose answer says which entities are known
    attempt: int = 1  # more than 1 of a repair
    carried: Carried = field(default_factory=dict)  # the entities that a repair's text lists


@dataclass(frozen=True, slots=True)
class Manifest:
    """The prompts of a folder, their notation, and how they were made."""

    notation: str
    prompts: tuple[Prompt, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ending(self) -> str:
        """What the names of answers end in."""
        return NOTATION_ENDINGS[self.notation]

    def by_document(self) -> dict[str, list[Prompt]]:
        """Group the prompts by document, in order."""
        groups: dict[str, list[Prompt]] = {}
        for prompt in self.prompts:
            groups.setdefault(prompt.document, []).append(prompt)
        return groups

    def to_dict(self) -> dict[str, Any]:
        """Make a plain value for JSON."""
        return {
            "version": VERSION,
            "notation": self.notation,
            **self.facts,
            "prompts": [asdict(prompt) for prompt in self.prompts],
        }


@dataclass(frozen=True, slots=True)
class ReplyFacts:
    """What the record of a reply says that matters when the answer is read."""

    outcome: str
    carried: Carried  # the entities that the prompt listed
    prompt: str  # the digest of the prompt that was sent


def digest_of(parts: Sequence[str]) -> str:
    """Sum up some texts, in order.

    >>> digest_of(["a", "b"]) == digest_of(["ab"])
    False
    """
    return blake2b(b"\0".join(map(encoded, parts)), digest_size=16).hexdigest()


def read_manifest(path: Path) -> Manifest:
    """Read a manifest; whatever is not as it was written is refused."""
    value = json_object(path, HINT)
    if value.get("version") != VERSION:
        raise FormatError(f"{path}: not a manifest of version {VERSION}; {HINT}")
    notation, listed = value.pop("notation", None), value.pop("prompts", None)
    del value["version"]
    if notation not in NOTATION_ENDINGS or not isinstance(listed, list):
        raise FormatError(f"{path}: the manifest lacks a notation or its prompts; {HINT}")
    prompts = tuple(_prompt(path, number, each) for number, each in enumerate(listed, 1))
    names = {prompt.name.casefold() for prompt in prompts}
    if len(names) < len(prompts):
        raise FormatError(f"{path}: two prompts have one name; {HINT}")
    return Manifest(notation, prompts, value)


def _prompt(path: Path, number: int, value: Any) -> Prompt:
    try:
        prompt = Prompt(**{**value, "carried": carried_of(value["carried"])})
        texts = (prompt.name, prompt.document, prompt.words, prompt.prompt, prompt.after)
        counts = (prompt.window, prompt.start, prompt.end, prompt.attempt)
        if not (all(isinstance(text, str) for text in texts) and all(type(count) is int for count in counts)):
            raise ValueError("a value of the wrong type")
        names = (prompt.name, *([prompt.after] if prompt.after else ()))
        if not all(SAFE_NAME.fullmatch(name) for name in names):
            raise ValueError("a name that cannot be a file's")
        if not (0 <= prompt.start < prompt.end and prompt.window > 0 and prompt.attempt > 0):
            raise ValueError("numbers that are impossible")
    except (TypeError, KeyError, ValueError) as error:
        raise FormatError(f"{path}: prompt {number} cannot be read ({error}); {HINT}") from error
    return prompt


def read_reply(path: Path) -> ReplyFacts:
    """Read what matters of the record of a reply."""
    value = json_object(path, HINT)
    outcome, prompt = value.get("outcome"), value.get("prompt")
    try:
        if outcome not in OUTCOMES or not isinstance(prompt, str):
            raise ValueError("its outcome is missing")
        return ReplyFacts(outcome, carried_of(value.get("carried")), prompt)
    except ValueError as error:
        raise FormatError(f"{path}: not the record of a reply ({error}); delete it, and run again") from error


def carried_of(value: Any) -> Carried:
    """Read the entities that a prompt listed, from JSON."""
    try:
        carried = {id_: [(name, raw) for name, raw in found] for id_, found in value.items()}
    except (AttributeError, TypeError, ValueError) as error:
        raise ValueError("the entities that it lists cannot be read") from error
    if not all(isinstance(part, str) for found in carried.values() for pair in found for part in pair):
        raise ValueError("the entities that it lists cannot be read")
    return carried
