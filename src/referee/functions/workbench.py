"""referee.workbench: a page on this machine, in which texts are read and corrected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee import formats
from referee.curation.curating import Curation
from referee.exceptions import need_package
from referee.formats.failures import Failures
from referee.functions.convert import convert
from referee.functions.task_options import TaskOptions
from referee.matching.protocol import Protocol
from referee.model import Corpus
from referee.resolvers.base import Resolver, default_resolver, resolver_within, resolvers
from referee.scoring.evaluate import Bar, no_bar
from referee.scoring.task import PathName, system_names

if TYPE_CHECKING:
    from referee.service.workbench.bench import Workbench
    from referee.service.workbench.documents import OpenDocument
    from referee.service.workbench.running import OpenWorkbench

ENDING = ".journal"  # of the folder beside the corpus
NO_RESOLVER = "none"


def workbench(
    source: PathName | Curation, *, key: Any = None, systems: Sequence[Any] = (), resolver: str | None = None,
    journal: PathName | None = None, who: str | None = None, port: int = 0, no_open: bool = False,
    protocol: Protocol | str | None = None, progress: Bar = no_bar, **settings: Any,
) -> OpenWorkbench:  # fmt: skip
    """Open a corpus or a text in the browser: read it, correct it, and see the score move.

    The page is served on this machine alone, under an address that nobody can guess. Each edit is kept in a
    journal beside the corpus before the page shows it as saved; the source is never changed. What was
    corrected is exported from the page, in any format.

    Args:
        source: A file or folder that `read` takes, or running text, which is resolved first; or what `curate`
            made, whose undecided cases are listed, and whose annotators are systems.
        key: What it is scored against: a path, a corpus, documents, or what else `read` takes.
        systems: Systems whose links are suggested: paths or corpora with the same documents.
        resolver: What resolves texts that have no clusters, `none` for nothing; where a corpus has clusters,
            a resolver that is named here suggests others. Otherwise the best that is installed.
        journal: The folder of the journal; otherwise `SOURCE.journal` beside the source, or
            `merged.journal` here.
        who: Who corrects, for the journal; otherwise the user's name.
        port: The port of the page; 0 takes a free one.
        no_open: Whether the browser is left alone; the address is in the value.
        protocol: How the score is counted, as for `score`: a preset, a signature, or a `Protocol`.
        progress: What makes a progress bar, given a number of steps and a label.
        **settings: Those that the resolver declares.

    Returns:
        The open workbench, with its `address`; `wait` waits until somebody ends it, `stop` ends it.

    Raises:
        FormatError: If nothing can be read, or another workbench has the journal open.
        MissingExtra: If the packages of a server are not installed.

    Examples:
        >>> import referee, tempfile
        >>> from pathlib import Path
        >>> words = ["Ann", "said", "she", "slept", "."]
        >>> ann = referee.Cluster("1", (referee.Mention.at(0, 1), referee.Mention.at(2, 3)))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "d.jsonl")
        ...     referee.write([referee.Document.of("d", words, [(0, 5)], [ann])], path)
        ...     with referee.workbench(path, no_open=True) as bench:  # doctest: +SKIP
        ...         bench.corrected[0].id
        'd'
    """
    need_package("starlette", "serve")
    need_package("uvicorn", "serve")
    from referee.service.workbench.running import OpenWorkbench, user_name

    curated, path = (source, source.merged.name) if isinstance(source, Curation) else (None, fspath(source))
    chosen = _chosen_resolver(NO_RESOLVER if curated and resolver is None else resolver, settings)
    how = TaskOptions(protocol=protocol)
    folder = Path(journal) if journal is not None else Path(path.rstrip("/\\") + ENDING)
    making = _Making(path, folder, who or user_name(), progress, chosen, suggests=resolver is not None)
    making.curated = curated
    return OpenWorkbench(folder, lambda: making.bench(key, systems, how), port=port).started(no_open=no_open)


def _chosen_resolver(name: str | None, settings: Any) -> tuple[Resolver | None, str]:
    """Make the resolver that is named, or the best that is installed, if any is."""
    if name == NO_RESOLVER:
        return None, ""
    if name is None and not settings and not any(entry.is_ready() for entry in resolvers().values()):
        return None, ""
    name = name or default_resolver(settings)
    return resolver_within(name, **settings), name


class _Making:
    """Reads all that a workbench needs."""

    def __init__(
        self, path: str, folder: Path, who: str, progress: Bar, chosen: tuple[Resolver | None, str], *,
        suggests: bool,
    ) -> None:  # fmt: skip
        self.path, self.folder, self.who, self.progress = path, folder, who, progress
        self.curated: Curation | None = None
        self.chosen, self.suggests = chosen, suggests

    def bench(self, key: Any, systems: Sequence[Any], how: TaskOptions) -> Workbench:
        """Open the documents with their journals, the key, and the systems."""
        from referee.service.workbench.bench import Workbench
        from referee.service.workbench.opening import Opening

        failures = Failures()
        resolver, name = self.chosen
        opening = Opening(
            self.folder, self.who, self.progress, resolver, name,
            suggests=self.suggests and resolver is not None,
        )  # fmt: skip
        given = self.curated.merged if self.curated else self.path
        documents, across, notices = opening.documents(given, failures)
        if self.curated:
            systems = [*self.curated.annotations(), *systems]
            for document, merged in zip(documents, self.curated.documents, strict=True):
                document.cases = merged.cases
        named, more = _with_systems(documents, systems)
        failures.warn()
        notices += [*(resolver.notices if resolver else ()), *more]
        notices += [f"left out: {failure}" for failure in failures.found]
        bench = Workbench(
            title=Path(self.path).name or self.path, folder=self.folder, documents=documents, convert=convert,
            who=self.who, systems=named, scores=_scores(documents, key, how, self.path, across=across),
            cross_document=across, notices=tuple(notices),
        )  # fmt: skip
        bench.prepare(self.progress)
        return bench


def _with_systems(
    documents: Sequence[OpenDocument], systems: Sequence[Any]
) -> tuple[dict[str, Corpus], list[str]]:
    """Open systems, and give each document what they found in it."""
    from referee.service.workbench.opening import in_words_of

    corpora = [formats.opened(each, role="response") for each in systems]
    named = dict(zip(system_names(corpora), corpora, strict=True))
    said: list[str] = []
    for name, corpus in named.items():
        missing = 0
        for document in documents:
            if document.id not in corpus.ids:
                missing += 1
                continue
            clusters, lost = in_words_of(document.journal.before, corpus[document.id])
            said += [f"{name}: {lost}"] * bool(lost)
            document.systems = {**document.systems, name: clusters}
        if missing:
            said.append(f"{name}: has no document of the name of {missing} of {len(documents)}")
    return named, said


def _scores(documents: Sequence[OpenDocument], key: Any, how: TaskOptions, name: str, *, across: bool) -> Any:
    """Bring the documents together with the key, if there is one."""
    if key is None:
        return None
    from referee.service.workbench.scoring import LiveCorpus, LiveScores, ReadOnce

    live = LiveCorpus(documents, name, cross_document=across)
    task = how.task(key, [live])
    key = task.key if task.key.cross_document else ReadOnce(task.key)
    return LiveScores(replace(task, key=key), live)
