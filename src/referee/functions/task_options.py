"""How the options that say how to score become a task, or results of bare clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from os import fspath
from typing import Any

from referee.exceptions import FormatError, SettingError
from referee.formats.failures import Failures
from referee.formats.io.opening import is_file
from referee.matching.matchings import FROM_TREES
from referee.matching.protocol import CHOICES, Protocol
from referee.matching.units import SCOPES, Groups, read_groups
from referee.scoring.engines import Jobs
from referee.scoring.task import CONLL, PathName, Task

GROUP = SCOPES[-1]  # the scope whose units a file or a mapping names
# Are choices of a protocol.
CHOICE_OPTIONS = ("singletons", "zeros", "heads", "kind", "ids", "gaps", "sets", "layer")

Scope = PathName | Groups
Names = str | Sequence[str]  # one or several; a string may have several with commas


def names_in(given: Names | None) -> list[str]:
    """List names that are given one by one, or in strings with commas.

    >>> names_in("muc,lea"), names_in(["muc", "lea,b3"]), names_in(None)
    (['muc', 'lea'], ['muc', 'lea', 'b3'], [])
    """
    words = [given] if isinstance(given, str) else given or ()
    return [name.strip() for word in words for name in word.split(",") if name.strip()]


BY_TREES = "a matching by trees: " + " or ".join(f"match='{name}'" for name in FROM_TREES)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskOptions:
    """How to score, as the functions and commands that score take it."""

    protocol: Protocol | str | None = None
    singletons: str | None = None
    zeros: str | None = None
    heads: str | None = None
    match: Names | None = None
    parses: PathName | None = None
    on_bad_parse: str | None = None
    scope: Scope | None = None
    kind: str | None = None
    ids: str | None = None
    gaps: str | None = None
    sets: str | None = None
    layer: str | None = None
    repair: bool = False
    jobs: Jobs = 1
    names: Sequence[str] | None = None

    @classmethod
    def taken(cls, options: Mapping[str, Any]) -> TaskOptions:
        """Take what says how to score from the parameters of a function."""
        return cls(**{field.name: options[field.name] for field in fields(cls) if field.name in options})

    @property
    def matchings(self) -> Sequence[str]:
        """The matchings that are named."""
        names = names_in(self.match)
        if self.match is not None and not names:
            raise SettingError(f"match='{self.match}' names none of {', '.join(CHOICES['match'])}")
        if len(set(names)) < len(names):
            raise SettingError(f"match='{','.join(names)}' names one twice")
        return names

    @property
    def base(self) -> Protocol:
        """The protocol that is given or named, or conll."""
        given = self.protocol
        return given if isinstance(given, Protocol) else Protocol.parse(given or CONLL)

    @property
    def asked_scope(self) -> str:
        """The scope that is asked for; without one, blocks that the key has are the units nevertheless."""
        if self.scope is None:
            return self.base.scope
        return self.scope if isinstance(self.scope, str) and self.scope in SCOPES else GROUP

    def scope_of(self, task: Task) -> str:
        """The scope that is asked for, or that a key whose clusters span documents is scored by."""
        usual = self.protocol is None and self.scope is None and task.protocol.scope != "block"
        return task.protocol.scope if usual else self.asked_scope

    @property
    def choices(self) -> dict[str, str]:
        """What is chosen beside the protocol; of several matchings the first."""
        chosen = {name: getattr(self, name) for name in CHOICE_OPTIONS if getattr(self, name)}
        if self.scope is not None:
            chosen["scope"] = self.asked_scope
        if self.repair:
            chosen["repair"] = "yes"
        if self.sets not in (None, "drop"):  # elements may be singletons
            chosen.setdefault("singletons", "keep")
        for name in self.matchings[:1]:
            chosen |= {"match": name} if name in FROM_TREES else {"match": name, "bad_parses": "refuse"}
        return chosen

    def named_protocol(self) -> Protocol:
        """Read the protocol that is named, or conll, with what is chosen beside it."""
        protocol = replace(self.base, **self.choices)
        self._refuse_corefud_choices(protocol)
        return protocol

    def _refuse_corefud_choices(self, protocol: Protocol) -> None:
        """Refuse choices that only CorefUD's rules know, so that none is ignored."""
        for name in ("zeros", "heads"):
            if getattr(self, name) and not (protocol.by_corefud or (protocol.by_ua and name == "zeros")):
                raise SettingError(f"{name}='{getattr(self, name)}' goes with protocol='crac' or 'corefud'")

    def task(self, key: Any, responses: Sequence[Any], failures: Failures | None = None) -> Task:
        """Open what is given as a path or an object, and decide how it is scored.

        Documents that cannot be read go to `failures`, if given.
        """
        task = Task.of(
            key,
            responses,
            names=self.names,
            protocol=self.protocol,
            choices=self.choices,
            parses=self.parses,
            groups=self._groups(),
            jobs=self.jobs,
            matchings=self.matchings,
            failures=failures,
        )
        try:
            task = task.checked()
        except FormatError as error:
            if failures is None:
                raise
            from referee.scoring.unreadable import without_unreadable  # few tasks need it

            task = without_unreadable(task, failures, error).checked()
        self._refuse_corefud_choices(task.protocol)
        return task

    def _groups(self) -> Groups | None:
        if self.scope is None or isinstance(self.scope, Mapping):
            return self.scope
        if self.scope in SCOPES[:-1]:
            return None
        if not is_file(self.scope):
            raise SettingError(
                f"scope='{self.scope}' is neither {', '.join(SCOPES[:-1])} nor a file of groups"
            )
        return read_groups(fspath(self.scope))

    def protocols(self, task: Task) -> Sequence[Protocol]:
        """Vary a task's protocol by the matchings that are named."""
        names = self.matchings or [task.protocol.match]
        other = task.protocol.counting != CONLL
        if self.on_bad_parse == "skip" and (other or not {*names} & {*FROM_TREES}):
            raise SettingError(f"on_bad_parse='skip' needs {BY_TREES}")
        if self.parses and (other or not {*names} & {*FROM_TREES}):
            raise SettingError(f"parses= needs {BY_TREES}")
        return [
            replace(task.protocol, match=name, bad_parses=self.on_bad_parse or task.protocol.bad_parses)
            if name in FROM_TREES and not other
            else replace(task.protocol, match=name, bad_parses="refuse")
            for name in names
        ]

    def single(self, key: Any, responses: Sequence[Any], work: str, failures: Failures | None = None) -> Task:
        """Make a task of one matching, which some work needs."""
        if len(self.matchings) > 1:
            raise SettingError(f"{work} takes one match= at a time")
        task = self.task(key, responses, failures)
        return task.under(self.protocols(task)[0])
