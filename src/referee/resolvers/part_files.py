"""Resolves file by file: each input gives one output in a folder, and what is finished is not done again.

An output is written under another name and renamed when it is whole; then a record beside it says of which
input, by which settings and versions it was made, and what is in it. A file without a record that fits is
done again, so that a run can be broken off anywhere; so is a file of which documents have failed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from referee import formats
from referee.exceptions import FormatError, RefereeError, SettingError
from referee.formats.failures import AllFailedError, Failure, Failures
from referee.formats.fitting import LONGEST_NAME
from referee.formats.io.opening import STDIN, UNPACKERS, state_of
from referee.formats.io.remote import FileState, is_remote
from referee.formats.io.saving import remove_abandoned, save
from referee.formats.writing import left_out
from referee.resolvers.base import Resolver, resolver_named, resolver_within
from referee.resolvers.neural.models import GROUP
from referee.resolvers.raw_texts import clashes, distinct_names, is_text, paths_below, source_files, texts_of
from referee.resolvers.resolved import JSON_LINES, save_resolved, without_scores
from referee.resolvers.resolving import resolve_all
from referee.scoring.dask_engine import versions_here
from referee.scoring.engines import Jobs, engine_for

RECORD = ".finished"  # the ending of records, whose names begin with a dot: no folder of documents has them
RESOLVING_PACKAGES = ("spacy", "onnxruntime", "tokenizers")  # whose versions may change what is resolved
IDLE = ("threads",)  # settings that change nothing that is resolved
CHUNK = 2**20  # bytes


class PartFile(NamedTuple):
    """A file to be resolved, and the one to be written."""

    source: str
    target: str
    state: FileState  # of the source, when the work was planned
    name: str = ""  # of the document, if the source is a text


class PartDone(NamedTuple):
    """The outcome for one file."""

    target: str
    finished_before: bool
    redone: str = ""  # why it was done again, if there was an output already
    notices: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()  # documents that were not written, or the file if it cannot be read
    is_written: bool = True


@dataclass(frozen=True)
class PartRecipe:
    """How files are resolved; `versions` are those of the process that plans."""

    resolver: str
    settings: Mapping[str, Any]
    form: str
    versions: Mapping[str, str]
    scores: bool = False  # whether to write how sure the resolver is

    @cached_property
    def made(self) -> Resolver:
        """The resolver, made where it works."""
        return resolver_named(self.resolver, **self.settings)

    @cached_property
    def made_with(self) -> dict[str, str]:
        """All that an output depends on besides its input, by name."""
        settings = {name: _written(value) for name, value in self.settings.items() if name not in IDLE}
        always = {"resolver": self.resolver, "format": self.form, "scores": str(self.scores)}
        return {**always, **settings, **self.versions}

    def refuse_other_versions(self) -> None:
        """Refuse to resolve with other packages than those of the main process."""
        here = resolving_versions()
        for name in sorted(here.keys() | self.versions.keys()):
            if here.get(name) != self.versions.get(name):
                worker, planned = here.get(name, "none"), self.versions.get(name, "none")
                raise RefereeError(
                    f"{name}: a worker has {worker}, the main process {planned}; install the same everywhere"
                )


@dataclass(frozen=True)
class PartWork:
    """Resolves some of the files, in whichever process."""

    parts: Sequence[PartFile]
    recipe: PartRecipe
    strict: bool = True

    def __call__(self, batch: range) -> list[PartDone]:
        """Do what is not finished."""
        self.recipe.refuse_other_versions()
        return [self._done(self.parts[number]) for number in batch]

    def _done(self, part: PartFile) -> PartDone:
        failures = Failures(self.strict)
        try:
            return self._resolved(part, failures)
        except AllFailedError:
            pass  # which failures have, one by one
        except Exception as error:
            failures.add(part.source, error)
        stays = "; the output of an earlier run stays as it was" * os.path.exists(part.target)  # noqa: PTH110 no error if the name is too long
        failed = tuple(failure._replace(reason=failure.reason + stays) for failure in failures.found)
        return PartDone(part.target, False, failures=failed, is_written=False)

    def _resolved(self, part: PartFile, failures: Failures) -> PartDone:
        wanted = {"input": [*part.state, part.name], "made with": self.recipe.made_with}
        if len(os.fsencode(Path(part.target).name)) > LONGEST_NAME:
            raise FormatError(f"{part.source}: its name is too long for an output's; give it a shorter one")
        redone = _unfinished(part.target, wanted)
        if redone is None:
            return PartDone(part.target, True)
        if state_of(part.source) != part.state:
            raise FormatError(f"{part.source}: has changed since it was found; run again once it is complete")
        texts = texts_of([part.source], failures, part.name or None)
        raw = isinstance(texts, list)
        choices = map(self.recipe.made.choice_for, texts if raw else ())  # type: ignore[arg-type]
        notices = [f"{part.source}: {choice}" for choice in choices if choice]
        documents = resolve_all(self.recipe.made, texts, failures=failures)
        documents = documents if self.recipe.scores else map(without_scores, documents)
        lost = save_resolved(documents, part.target, self.recipe.form, failures, raw=raw)
        made = {"output": _digest(part.target), "failures": failures.found}
        record = json.dumps(wanted | made, indent=1)
        save(_record_of(part.target), lambda file: print(record, file=file))
        notices += texts.notices
        notices += [left_out(part.target, formats.FORMATS[self.recipe.form], lost)] if lost else []
        return PartDone(part.target, False, redone, tuple(notices), tuple(failures.found))


def resolve_parts(
    parts: Sequence[PartFile], recipe: PartRecipe, jobs: Jobs = 1, *, strict: bool = False
) -> Iterator[PartDone]:
    """Resolve files, in order, by any engine.

    A document that cannot be read or resolved is in `failures` of what is said about its file, whose other
    documents are written. Such a file is done again by the next run.

    Args:
        parts: The files, as `planned_parts` lists them.
        recipe: How they are resolved, as `recipe_for` fixes it.
        jobs: How many processes work, or an engine.
        strict: Whether the first document that fails ends the work with its error.

    Returns:
        What was done with each file, as soon as it is done.

    Raises:
        RefereeError: If nothing can be resolved as asked, whatever the file.

    Examples:
        >>> import referee
        >>> list(referee.resolve_parts([], referee.recipe_for("camp", {}, "jsonlines")))
        []
    """
    for folder in {Path(part.target).parent for part in parts}:
        folder.mkdir(parents=True, exist_ok=True)
        remove_abandoned(folder)
    batches = [range(number, number + 1) for number in range(len(parts))]
    for done in engine_for(jobs).map(PartWork(parts, recipe, strict), batches):
        yield from done


def planned_parts(inputs: Sequence[str], folder: str, form: str | None = None) -> tuple[list[PartFile], str]:
    """List the files that names stand for, each with its output in a folder, and choose the format.

    Files below a folder that is named keep their folders.

    Args:
        inputs: Files and folders.
        folder: Where the outputs go.
        form: The format of the outputs; otherwise texts become JSON lines, and others stay what they are.

    Returns:
        The files, and the name of the format.

    Raises:
        SettingError: If the input is standard input, or the folder is not on this machine.

    Examples:
        >>> import referee, tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     written = Path(folder, "a.txt").write_text("Ann slept.")
        ...     parts, form = referee.planned_parts([folder], str(Path(folder, "out")))
        >>> len(parts), form
        (1, 'jsonlines')
    """
    if STDIN in inputs:
        raise SettingError("standard input cannot be resumed; give files or folders")
    if is_remote(folder):
        raise SettingError(f"{folder}: outputs go to a folder that this machine and all workers see")
    sources = [pair for name in inputs for pair in source_files(name)]
    form = form or (JSON_LINES if is_text(sources[0][0]) else formats.form_for(_unpacked(sources[0][1])))
    ending = formats.FORMATS[form].suffixes[0]
    if not formats.FORMATS[form].write:
        raise SettingError(
            f"{form}: has a file for each document, not one for each input; give another form=…"
        )
    targets = _targets(sources, ending)
    names = distinct_names([source for source, _ in sources])
    parts = []
    for (source, _), below, name in zip(sources, targets, names, strict=True):
        target = str(Path(folder, below))
        if not is_remote(source) and Path(target).resolve() == Path(source).resolve():
            raise SettingError(f"{source} would be written over itself; give another folder")
        parts.append(PartFile(source, target, state_of(source), name if is_text(source) else ""))
    return parts, form


def _targets(sources: Sequence[tuple[str, str]], ending: str) -> list[str]:
    """Name outputs after their inputs; where two would have one name, also after their folders or endings.

    >>> _targets([("a.txt", "a.txt"), ("sub/a.txt", "a.txt"), ("b.md", "b.md"), ("b.txt", "b.txt")], ".x")
    ['a.x', 'sub/a.x', 'b.md.x', 'b.txt.x']
    """
    below = [_unpacked(name) for _, name in sources]
    targets = [str(PurePosixPath(name).with_suffix(ending)) for name in below]
    for clashing in clashes(targets):
        paths = map(_unpacked, paths_below([sources[number][0] for number in clashing]))
        for number, path in zip(clashing, paths, strict=True):
            targets[number] = str(PurePosixPath(path).with_suffix(ending))
    for clashing in clashes(targets):
        for number in clashing:
            targets[number] = str(PurePosixPath(targets[number]).with_name(PurePosixPath(below[number]).name))
            targets[number] += ending
    if twice := clashes(targets):
        raise SettingError(f"{sources[twice[0][0]][0]} is given twice, or packed and unpacked; give it once")
    return targets


def recipe_for(resolver: str, settings: Mapping[str, Any], form: str, *, scores: bool = False) -> PartRecipe:
    """Fix how files are resolved; a resolver or a setting that does not exist is refused at once.

    Args:
        resolver: The resolver's name.
        settings: Those that it declares.
        form: The format of the outputs.
        scores: Whether the outputs say how sure the resolver is.

    Returns:
        What `resolve_parts` takes, with the versions of all that decides what is resolved.

    Raises:
        SettingError: If there is no such resolver or setting.

    Examples:
        >>> import referee
        >>> referee.recipe_for("camp", {}, "jsonlines").resolver
        'camp'
    """
    resolver_within(resolver, **settings)
    return PartRecipe(resolver, settings, form, resolving_versions(), scores)


@cache
def resolving_versions() -> dict[str, str]:
    """List the versions here that decide what is resolved: of packages, and of spaCy's models."""
    versions = versions_here()
    for name in RESOLVING_PACKAGES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    models = [*entry_points(group="spacy_models"), *entry_points(group=GROUP)]
    return versions | {model.name: model.dist.version for model in models if model.dist}


def _unpacked(name: str) -> str:
    return next((name.removesuffix(packing) for packing in UNPACKERS if name.endswith(packing)), name)


def _record_of(target: str) -> Path:
    path = Path(target)
    name = f".{path.name}{RECORD}"
    if len(os.fsencode(name)) > LONGEST_NAME:
        name = f".{blake2b(os.fsencode(path.name), digest_size=16).hexdigest()}{RECORD}"
    return path.with_name(name)


def _unfinished(target: str, wanted: Mapping[str, Any]) -> str | None:
    """Say why an output has to be made, in no words if there is none yet; None if it is finished."""
    if not Path(target).exists():
        return ""
    try:
        record = json.loads(_record_of(target).read_bytes())
        before, made, output = record["input"], record["made with"], record["output"]
    except (OSError, ValueError, KeyError, TypeError):
        return "it was not known to be complete"
    if output != _digest(target):
        return "it has been changed"
    if record.get("failures"):
        return "documents of it have failed"
    if before != wanted["input"]:
        return "its input has changed"
    now = wanted["made with"]
    others = sorted(name for name in now.keys() | made.keys() if now.get(name) != made.get(name))
    return f"it was made with another {', '.join(others)}" if others else None


def _digest(path: str) -> str:
    whole = blake2b(digest_size=16)
    with Path(path).open("rb") as file:
        while chunk := file.read(CHUNK):
            whole.update(chunk)
    return whole.hexdigest()


def _written(value: object) -> str:
    """Write a setting; of a file or folder that it names, what is in it."""
    path = Path(value) if isinstance(value, str) else None
    if path is None or not path.exists():
        return repr(value)
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    return " ".join([repr(value), *(_digest(str(file)) for file in files)])
