"""Resolves file by file: each input gives one output in a folder, and what is finished is not done again.

An output is written under another name and renamed when it is whole; then a record beside it says of which
input, by which settings and versions it was made, and what is in it. A file without a record that fits is
done again, so that a run can be broken off anywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from referee import formats
from referee.exceptions import FormatError, RefereeError, SettingError
from referee.formats.io.opening import STDIN, UNPACKERS, state_of
from referee.formats.io.remote import FileState, is_remote
from referee.formats.io.saving import UNFINISHED, save
from referee.resolvers.base import Resolver, resolver_named, resolver_within
from referee.resolvers.neural.models import GROUP
from referee.resolvers.raw_texts import is_text, source_files, texts_of
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


class PartDone(NamedTuple):
    """The outcome for one file."""

    target: str
    finished_before: bool
    redone: str = ""  # why it was done again, if there was an output already
    notices: tuple[str, ...] = ()


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

    def __call__(self, batch: range) -> list[PartDone]:
        """Do what is not finished."""
        self.recipe.refuse_other_versions()
        return [self._done(self.parts[number]) for number in batch]

    def _done(self, part: PartFile) -> PartDone:
        wanted = {"input": list(part.state), "made with": self.recipe.made_with}
        redone = _unfinished(part.target, wanted)
        if redone is None:
            return PartDone(part.target, True)
        if state_of(part.source) != part.state:
            raise FormatError(f"{part.source}: has changed since it was found; run again once it is complete")
        texts = texts_of([part.source])
        documents = resolve_all(self.recipe.made, texts)
        documents = documents if self.recipe.scores else map(without_scores, documents)
        save_resolved(documents, part.target, self.recipe.form, raw=isinstance(texts, list))
        record = json.dumps(wanted | {"output": _digest(part.target)}, indent=1)
        save(_record_of(part.target), lambda file: print(record, file=file))
        return PartDone(part.target, False, redone, () if isinstance(texts, list) else tuple(texts.notices))


def resolve_parts(parts: Sequence[PartFile], recipe: PartRecipe, jobs: Jobs = 1) -> Iterator[PartDone]:
    """Resolve files, in order, by any engine.

    Args:
        parts: The files, as `planned_parts` lists them.
        recipe: How they are resolved, as `recipe_for` fixes it.
        jobs: How many processes work, or an engine.

    Returns:
        What was done with each file, as soon as it is done.

    Raises:
        RefereeError: If a file cannot be read or resolved.

    Examples:
        >>> import referee
        >>> list(referee.resolve_parts([], referee.recipe_for("camp", {}, "jsonlines")))
        []
    """
    for folder in {Path(part.target).parent for part in parts}:
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob(f".*{UNFINISHED}"):  # of a run that was broken off
            left.unlink(missing_ok=True)
    batches = [range(number, number + 1) for number in range(len(parts))]
    for done in engine_for(jobs).map(PartWork(parts, recipe), batches):
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
    parts: dict[str, PartFile] = {}
    for source, name in sources:
        target = str(Path(folder, PurePosixPath(_unpacked(name)).with_suffix(ending)))
        if target in parts:
            raise SettingError(f"{source} and {parts[target].source} would both become {target}; "
                                "give the folder that they are in")  # fmt: skip
        if not is_remote(source) and Path(target).resolve() == Path(source).resolve():
            raise SettingError(f"{source} would be written over itself; give another folder")
        parts[target] = PartFile(source, target, state_of(source))
    return list(parts.values()), form


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
    return path.with_name(f".{path.name}{RECORD}")


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
