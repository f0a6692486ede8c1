"""referee.curate: several annotations of the same texts become one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from referee import formats
from referee.comparing.verdicts import Plan
from referee.curation.curating import Curation, curated
from referee.curation.decisions import read_decisions
from referee.curation.merging import MAJORITY, RULES, TRUSTED, UNION, Rule
from referee.curation.projects import annotators_in
from referee.curation.texts import FEWEST, MOST
from referee.exceptions import SettingError, did_you_mean
from referee.functions.task_options import Names, TaskOptions, names_in
from referee.matching.protocol import Protocol
from referee.model import Corpus
from referee.scoring.evaluate import Bar, no_bar
from referee.scoring.task import PathName, system_names


def curate(
    *annotators: Any, rule: str = MAJORITY, trust: str | None = None, decided: PathName | None = None,
    names: Names | None = None, protocol: Protocol | str | None = None, samples: int = 10_000, seed: int = 1,
    level: float = 0.95,
    progress: Bar = no_bar,
) -> Curation:  # fmt: skip
    """Merge what several annotators made of the same texts, and measure how far they agree.

    Mentions are aligned, and annotators vote on each mention, its words, and which mentions belong together.
    What they leave undecided is listed as cases.

    Args:
        *annotators: Two to twenty annotations of the same texts: paths, corpora, documents, or what else
            `read` takes; or one folder of a project, with a folder for each annotator, or as INCEpTION
            exports it.
        rule: How annotations are merged: by `majority`, as one `trusted` annotator has it, or all as a
            `union`.
        trust: The name of the annotator whom `trusted` follows; under `majority` the one who decides what is
            undecided.
        decided: A file of cases that a person filled in, as `Curation.write_cases` writes it.
        names: What the annotators are called; otherwise after their files.
        protocol: How agreement is counted: a preset, a signature, or a `Protocol`.
        samples: How many resamples of documents the intervals are from.
        seed: The same seed gives the same intervals.
        level: The level of intervals.
        progress: What makes a progress bar, given a number of steps and a label.

    Returns:
        A `Curation`: the merged documents in `merged`, the undecided `cases`, and the `agreement`.

    Raises:
        FormatError: If a file cannot be read, or the texts differ.
        SettingError: If a rule or a name does not exist.

    Examples:
        >>> import referee
        >>> words = ["Ann", "said", "she", "slept", "."]
        >>> ann = referee.Cluster("1", (referee.Mention.at(0, 1), referee.Mention.at(2, 3)))
        >>> one = referee.Document.of("d", words, [(0, 5)], [ann])
        >>> two = referee.Document.of("d", words, [(0, 5)], [])
        >>> made = referee.curate(one, two, names=["one", "two"])
        >>> [(case.kind, dict(case.answers)) for case in made.cases]
        [('mention', {'one': 'yes', 'two': 'no'}), ('mention', {'one': 'yes', 'two': 'no'})]
        >>> referee.curate(one, two, rule="union").merged[0].clusters == (ann,)
        True
    """
    chosen = TaskOptions(protocol=protocol).named_protocol()
    opened = partial(formats.opened, role="key", strict=chosen.strict, ids=chosen.ids)
    people, corpora = _people(annotators, opened)
    called = _called(names_in(names) or people, len(corpora))
    how = _rule(rule, trust, called)
    decisions = [] if decided is None else read_decisions(str(decided), called)
    plan = Plan(samples=samples, seed=seed, level=level)
    return curated(corpora, called, how, decisions, chosen, plan, progress)


def _people(annotators: Sequence[Any], opened: Callable[[Any], Corpus]) -> tuple[list[str], list[Corpus]]:
    """Open what is given for each annotator, or the folder of a project that has them all."""
    paths = [str(each) for each in annotators if isinstance(each, str | PathLike)]
    if len(set(paths)) < len(paths):
        raise SettingError("a file is given twice")
    if len(annotators) == len(paths) == 1 and Path(paths[0]).is_dir():
        names, corpora = annotators_in(Path(paths[0]), opened)
    else:
        corpora = [opened(each) for each in annotators]
        names = system_names(corpora)
    if not FEWEST <= len(corpora) <= MOST:
        raise SettingError(f"give {FEWEST} to {MOST} annotators, not {len(corpora)}")
    return names, corpora


def _called(names: Sequence[str], count: int) -> list[str]:
    if len(names) != count:
        raise SettingError(f"names= has {len(names)}, and annotators are {count}: give one each")
    if len(set(names)) < len(names):
        raise SettingError("names= has one twice")
    return list(names)


def _rule(rule: str, trust: str | None, names: Sequence[str]) -> Rule:
    """Refuse rules and names that do not exist or do not go together."""
    if rule not in RULES:
        near = did_you_mean(rule, RULES)
        raise SettingError(f"no rule='{rule}'; choose from {', '.join(RULES)}{near}")
    if trust is not None and trust not in names:
        near = did_you_mean(trust, names)
        raise SettingError(f"trust='{trust}' is no annotator; there are {', '.join(names)}{near}")
    if rule == TRUSTED and trust is None:
        raise SettingError(f"rule='{TRUSTED}' needs trust=, the name of the annotator: {', '.join(names)}")
    if rule == UNION and trust is not None:
        raise SettingError(f"rule='{UNION}' leaves nothing undecided, so that trust= has nothing to decide")
    return Rule(rule, trust)
