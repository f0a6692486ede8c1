"""Scores several files against one key, and names the systems after their files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from os import PathLike, fspath

from referee import formats
from referee.formats.opening import STDIN, stem
from referee.matching.protocol import Protocol
from referee.matching.units import Groups, default_scope
from referee.metrics.standard import CROSSDOC_METRICS, DEFAULT_METRICS
from referee.model import Corpus
from referee.scoring.engines import Jobs
from referee.scoring.evaluate import evaluate
from referee.scoring.result import Result

PathName = str | PathLike[str]
SHORT_NAMES = {"b3": "b_cubed", "bcub": "b_cubed", "ceafm": "ceaf_m", "ceafe": "ceaf_e"}
Bar = Callable[[int, str], AbstractContextManager[Callable[[int], None]]]  # (steps, label) → what counts them


@contextmanager
def no_bar(_total: int, _label: str) -> Iterator[Callable[[int], None]]:
    """Show nothing of how far work has come."""
    yield lambda _: None


def score_files(
    key: str,
    responses: Sequence[str],
    protocol: Protocol,
    metrics: Sequence[str] | None = None,
    *,
    groups: Groups | None = None,
    parses: str | None = None,
    jobs: Jobs = 1,
    bar: Bar = no_bar,
    scope_is_chosen: bool = True,
) -> list[Result]:
    """Score each response file against a key; a result is called after its file.

    Unless the scope is chosen, blocks are units where the key has them.
    """
    key_corpus = formats.read(key, role="key", strict=protocol.strict, ids=protocol.ids)
    metrics = metrics or metric_names((), protocol)
    protocol = protocol if scope_is_chosen else default_scope(key_corpus, protocol)
    results = []
    with bar(len(key_corpus) * len(responses), "scoring") as advance:
        for path, name in zip(responses, system_names(responses), strict=True):
            response = formats.read(path, role="response", strict=protocol.strict, ids=protocol.ids)
            result = evaluate(
                key_corpus, response, protocol, metrics, groups=groups, parses=parses, jobs=jobs,
                progress=advance,
            )  # fmt: skip
            results.append(replace(result, system=name))
    return results


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
    default = DEFAULT_METRICS if protocol.scope == "document" else CROSSDOC_METRICS
    names = [name for word in words for name in word.lower().replace("-", "_").split(",") if name]
    return [SHORT_NAMES.get(name, name) for name in names] or default
