"""Scores several files against one key, and names the systems after their files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path

from referee import formats
from referee.formats.catalogue import MARKED_ENDINGS
from referee.formats.io.opening import STDIN, stem
from referee.formats.marked.text import name_of_answer
from referee.matching.answers.placing import names_of_documents
from referee.matching.protocol import Protocol
from referee.matching.units import Groups, default_scope
from referee.metrics.mention_metrics import MENTION_METRICS
from referee.metrics.standard import CROSSDOC_METRICS, DEFAULT_METRICS
from referee.model import Corpus
from referee.scoring.engines import Jobs
from referee.scoring.evaluate import evaluate
from referee.scoring.result import Result

COREFUD_METRICS = (*DEFAULT_METRICS, *MENTION_METRICS)
PathName = str | PathLike[str]
SHORT_NAMES = {
    "b3": "b_cubed", "bcub": "b_cubed", "ceafm": "ceaf_m", "ceafe": "ceaf_e", "mor": "mention_overlap",
    "zero": "zeros",
}  # fmt: skip
Bar = Callable[[int, str], AbstractContextManager[Callable[[int], None]]]  # (steps, label) → what counts them


@contextmanager
def no_bar(_total: int, _label: str) -> Iterator[Callable[[int], None]]:
    """Show nothing of how far work has come."""
    yield lambda _: None


def score_files(
    key: str,
    responses: Sequence[PathName | Corpus],
    protocol: Protocol,
    metrics: Sequence[str] | None = None,
    *,
    groups: Groups | None = None,
    parses: str | None = None,
    jobs: Jobs = 1,
    bar: Bar = no_bar,
    scope_is_chosen: bool = True,
) -> list[Result]:
    """Score each response file against a key; a result is called after its file, or folder of answers.

    Unless the scope is chosen, blocks are units where the key has them.
    """
    key_corpus = formats.read(key, role="key", strict=protocol.strict, ids=protocol.ids)
    metrics = metrics or metric_names((), protocol)
    protocol = protocol if scope_is_chosen else default_scope(key_corpus, protocol)
    responses = gathered(key_corpus, responses)
    results = []
    with bar(len(key_corpus) * len(responses), "scoring") as advance:
        for path, name in zip(responses, system_names(responses), strict=True):
            response = formats.opened(path, role="response", strict=protocol.strict, ids=protocol.ids)
            result = evaluate(
                key_corpus, response, protocol, metrics, groups=groups, parses=parses, jobs=jobs,
                progress=advance,
            )  # fmt: skip
            results.append(replace(result, system=name))
    return results


def gathered(key: PathName | Corpus, responses: Sequence[PathName | Corpus]) -> list[PathName | Corpus]:
    """Take the files of marked text that are named after the key's documents for one system a folder."""
    folders: dict[str, list[str]] = {}
    for each in responses:
        if not isinstance(each, Corpus) and fspath(each).endswith(MARKED_ENDINGS) and Path(each).is_file():
            folders.setdefault(str(Path(each).parent), []).append(fspath(each))
    if all(len(files) < 2 for files in folders.values()) or key == STDIN:
        return list(responses)
    names = names_of_documents(formats.opened(key).ids)
    systems: list[PathName | Corpus] = []
    seen: set[str] = set()
    for each in responses:
        folder = "" if isinstance(each, Corpus) else str(Path(each).parent)
        files = folders.get(folder, [])
        if isinstance(each, Corpus) or each not in files or len(files) < 2 or _strangers(files, names):
            systems.append(each)
        elif folder not in seen:
            seen.add(folder)
            corpus = formats.read(*files, role="response")
            corpus.name = folder if folder != "." else Path.cwd().name
            systems.append(corpus)
    return systems


def _strangers(files: Sequence[str], names: Mapping[str, str]) -> bool:
    return any(name_of_answer(file) not in names for file in files)


def system_names(given: Sequence[PathName | Corpus]) -> list[str]:
    """Call systems after their files, in full where that is not enough; at last by number.

    >>> system_names(["runs/a.conll", "b.conll.gz"]), system_names(["one/a.conll", "two/a.conll"])
    (['a', 'b'], ['one/a.conll', 'two/a.conll'])
    """
    full = [each.name if isinstance(each, Corpus) else fspath(each) for each in given]
    short = ["stdin" if name == STDIN else stem(name) for name in full]
    for names in (short, full):
        if len(set(names)) == len(names):
            return names
    return [f"{name} ({number})" for number, name in enumerate(full, start=1)]


def metric_names(words: Sequence[str], protocol: Protocol) -> Sequence[str]:
    """Read metrics, under short names too and several in a word; without any, what the protocol calls for.

    >>> metric_names(["muc,b3", "CEAFe"], Protocol())
    ['muc', 'b_cubed', 'ceaf_e']
    """
    default: Sequence[str] = DEFAULT_METRICS if protocol.scope == "document" else CROSSDOC_METRICS
    default = COREFUD_METRICS if protocol.by_corefud else default
    names = [name for word in words for name in word.lower().replace("-", "_").split(",") if name]
    return [SHORT_NAMES.get(name, name) for name in names] or default
