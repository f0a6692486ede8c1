"""How the options that say how to score become a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import click

from referee.formats.io.opening import STDIN
from referee.matching.matchings import FROM_TREES
from referee.matching.protocol import CHOICES, COREFUD_MATCHINGS, Protocol
from referee.matching.units import SCOPES, Groups, read_groups
from referee.scoring.engines import Jobs
from referee.scoring.task import CONLL, Task

GROUP = SCOPES[-1]  # the scope whose units a file names
CHOICE_OPTIONS = ("singletons", "zeros", "heads", "kind", "ids", "gaps")  # are choices of a protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskOptions:
    """How to score, as given on the command line."""

    protocol: str | None = None
    singletons: str | None = None
    zeros: str | None = None
    heads: str | None = None
    match: str | None = None
    parses: str | None = None
    on_bad_parse: str | None = None
    scope: str | None = None
    kind: str | None = None
    ids: str | None = None
    gaps: str | None = None
    jobs: Jobs = 1

    @classmethod
    def taken(cls, options: dict[str, Any]) -> TaskOptions:
        """Take the options out of those that a command was given."""
        return cls(**{field.name: options.pop(field.name) for field in fields(cls) if field.name in options})

    @property
    def matchings(self) -> Sequence[str]:
        """The matchings that are named."""
        if self.match is None:
            return []
        names = [name for name in self.match.split(",") if name]
        if not names:
            raise click.UsageError(f"--match {self.match}: names none of {', '.join(CHOICES['match'])}")
        if len(set(names)) < len(names):
            raise click.UsageError(f"--match {self.match}: names one twice")
        return names

    @property
    def asked_scope(self) -> str:
        """The scope that is asked for; without one, blocks that the key has are the units nevertheless."""
        if self.scope is None:
            return Protocol.parse(self.protocol or CONLL).scope
        return self.scope if self.scope in SCOPES else GROUP

    @property
    def choices(self) -> dict[str, str]:
        """What is chosen beside the protocol; of several matchings the first."""
        chosen = {name: getattr(self, name) for name in CHOICE_OPTIONS if getattr(self, name)}
        if self.scope:
            chosen["scope"] = self.asked_scope
        for name in self.matchings[:1]:
            chosen |= {"match": name} if name in FROM_TREES else {"match": name, "bad_parses": "refuse"}
        return chosen

    def named_protocol(self) -> Protocol:
        """Read the protocol that is named, or conll, with what is chosen beside it."""
        return replace(Protocol.parse(self.protocol or CONLL), **self.choices)

    def task(self, key: str, responses: Sequence[str]) -> Task:
        """Open the files, and decide how they are scored."""
        refuse_rereading([key, *responses])
        # Some choices only the CoNLL rules have, whatever the key is usually scored by.
        by_conll = self.scope or not {*self.matchings} <= {*COREFUD_MATCHINGS}
        return Task.of(
            key,
            responses,
            protocol=self.protocol or (CONLL if by_conll else None),
            choices=self.choices,
            parses=self.parses,
            groups=self._groups(),
            jobs=self.jobs,
        )

    def _groups(self) -> Groups | None:
        if self.scope is None or self.scope in SCOPES[:-1]:
            return None
        if not Path(self.scope).is_file():
            raise click.BadParameter(
                f"'{self.scope}' is neither {', '.join(SCOPES[:-1])} nor a file of groups",
                param_hint="--scope",
            )
        return read_groups(self.scope)

    def protocols(self, task: Task) -> Sequence[Protocol]:
        """Vary a task's protocol by the matchings that are named."""
        names = self.matchings or [task.protocol.match]
        by_corefud = task.protocol.by_corefud
        if self.on_bad_parse == "skip" and (by_corefud or not {*names} & {*FROM_TREES}):
            raise click.UsageError(f"--on-bad-parse needs --match {' or '.join(FROM_TREES)}")
        return [
            replace(task.protocol, match=name, bad_parses=self.on_bad_parse or task.protocol.bad_parses)
            if name in FROM_TREES and not by_corefud
            else replace(task.protocol, match=name, bad_parses="refuse")
            for name in names
        ]


def refuse_rereading(paths: Sequence[str]) -> None:
    """Refuse to read standard input twice."""
    if paths.count(STDIN) > 1:
        raise click.UsageError("standard input can be read only once: give '-' once")
