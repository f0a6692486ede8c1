"""A folder of answers: each is written as soon as it is there, and none is lost or asked for again.

The record of a reply has everything that came, and is one file that appears at once; the answer's text is
written from it. So a run may be killed at any moment. What cannot be kept is a reply that is still under way
then: the server may have worked on it, and charge for it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.encoding import encoded
from referee.exceptions import FormatError
from referee.formats.io.json_file import json_object
from referee.formats.io.saving import locked, remove_abandoned, save_bytes
from referee.formats.marked.manifest import ANSWERS, REPLIES, REPLY, Manifest, Prompt, read_manifest
from referee.llm.prompts import PromptSet
from referee.llm.replies import Reply, text_in
from referee.llm.tokens import Usage

LOCK = ".run.lock"
REPAIRS = "repairs"  # among the facts of prompts that repair answers
MODEL = "model"


class Journal:
    """The folder of the answers to some prompts."""

    def __init__(self, folder: Path, prompts: PromptSet, model: str | None) -> None:
        """Take a folder that has answers of the same model, if it is named, to these prompts, or none yet."""
        self.folder, self.model = folder, model
        self._saving = threading.Lock()  # new files take the process's mask, which is set for a moment
        self.manifest = self._joined(prompts.manifest)
        self.ending = self.manifest.ending

    def _joined(self, asked: Manifest) -> Manifest:
        """Find the manifest of the folder with these prompts in it."""
        facts = {**asked.facts, MODEL: self.model}
        path = self.folder / ANSWERS
        if not path.exists():
            if REPAIRS in facts:
                raise FormatError(
                    f"{self.folder}: has no answers, and these prompts repair some; name their folder"
                )
            return replace(asked, facts=facts)
        before = read_manifest(path)
        if self.model and before.facts.get(MODEL) != self.model:
            raise FormatError(
                f"{self.folder}: has answers of the model {before.facts.get(MODEL)}; name another folder"
            )
        known = {prompt.name: prompt for prompt in before.prompts}
        strangers = [prompt for prompt in asked.prompts if known.get(prompt.name) != prompt]
        if strangers and not (REPAIRS in facts and _repair(before, strangers)):
            raise FormatError(f"{self.folder}: has answers to other prompts; name another folder")
        return replace(before, prompts=(*before.prompts, *strangers))

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Make the folder ready for one run at a time."""
        try:
            (self.folder / REPLIES).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FormatError(f"{self.folder}: {error.strerror or error}") from error
        with locked(self.folder / LOCK, "another run is writing answers here; wait for it, or end it"):
            remove_abandoned(self.folder)
            remove_abandoned(self.folder / REPLIES)
            self._save(self.folder / ANSWERS, json.dumps(self.manifest.to_dict(), indent=1) + "\n")
            for prompt in self.manifest.prompts:
                if self.has(prompt) and not self._text_of(prompt).exists():
                    self._save(self._text_of(prompt), text_in(str(self._record(prompt).get("body"))))
            yield

    def has(self, prompt: Prompt) -> bool:
        """Whether a prompt is answered."""
        return self._record_of(prompt).is_file()

    def keep(self, prompt: Prompt, reply: Reply, usage: Usage, **facts: Any) -> None:
        """Write the answer to a prompt: the record first, which has everything."""
        record: Mapping[str, Any] = {
            "name": prompt.name, "prompt": prompt.prompt, "outcome": reply.outcome, MODEL: self.model,
            "tokens_in": usage.tokens_in, "tokens_out": usage.tokens_out, "estimated": usage.estimated,
            **facts, "body": reply.body,
        }  # fmt: skip
        self._save(self._record_of(prompt), json.dumps(record, indent=1) + "\n")
        self._save(self._text_of(prompt), reply.text)

    def usage(self) -> dict[str, Usage]:
        """List the tokens of all answers in the folder, by prompt."""
        return {prompt.name: self._usage(prompt) for prompt in self.manifest.prompts if self.has(prompt)}

    def outcome(self, prompt: Prompt) -> str:
        """Say how an answer ended."""
        return str(self._record(prompt).get("outcome"))

    def _usage(self, prompt: Prompt) -> Usage:
        record = self._record(prompt)
        counts = [record.get(name) for name in ("tokens_in", "tokens_out")]
        if not all(isinstance(count, int) for count in counts):
            raise FormatError(
                f"{self._record_of(prompt)}: not the record of a reply; delete it, and run again"
            )
        return Usage(int(counts[0] or 0), int(counts[1] or 0), bool(record.get("estimated")))

    def _record(self, prompt: Prompt) -> dict[str, Any]:
        return json_object(self._record_of(prompt), "run again")

    def _record_of(self, prompt: Prompt) -> Path:
        return self.folder / REPLIES / f"{prompt.name}{REPLY}"

    def _text_of(self, prompt: Prompt) -> Path:
        return self.folder / f"{prompt.name}{self.ending}"

    def _save(self, path: Path, content: str) -> None:
        with self._saving:
            save_bytes(path, encoded(content))


def _repair(before: Manifest, strangers: Sequence[Prompt]) -> bool:
    """Whether prompts are new, and each is about a window that was asked about before."""
    names = {prompt.name for prompt in before.prompts}
    windows = {(prompt.document, prompt.window): prompt.words for prompt in before.prompts}
    return all(
        prompt.name not in names and windows.get((prompt.document, prompt.window)) == prompt.words
        for prompt in strangers
    )
