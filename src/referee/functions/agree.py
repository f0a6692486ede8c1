"""referee.agree: agreement between annotators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee import formats
from referee.comparing.annotators import Agreement, agreement
from referee.exceptions import SettingError
from referee.functions.task_options import TaskOptions
from referee.matching.protocol import Protocol
from referee.scoring.evaluate import Bar, no_bar
from referee.scoring.task import system_names


def agree(
    *annotators: Any, protocol: Protocol | str | None = None, singletons: str | None = None,
    zeros: str | None = None, heads: str | None = None, names: Sequence[str] | None = None,
    progress: Bar = no_bar,
) -> Agreement:  # fmt: skip
    """Measure agreement between annotators, none of whom is the key.

    Documents that not all annotators have are left out.

    Args:
        *annotators: Two or more annotations of the same texts: paths, corpora, documents, or what else
            `read` takes.
        protocol: A preset (`conll`, `crac`, `crossdoc`, …), a signature, or a `Protocol`. Otherwise the
            key's usual one: `crac` for CorefUD's CoNLL-U, `conll` for the rest.
        singletons: `keep` or `drop` clusters of one mention.
        zeros: By CorefUD's rules, whether words that are not written match by what they depend on
            (`dependent`) or by position (`linear`).
        heads: By CorefUD's rules, take the heads that the files give (`given`) or those of trees (`tree`).
        names: What the annotators are called; otherwise after their files.
        progress: What makes a progress bar, given a number of steps and a label.

    Returns:
        An `Agreement`: F1 of every pair in each metric with the mean, and Krippendorff's alpha over chains.

    Raises:
        FormatError: If a file cannot be read, or no document is common to all.
        ProtocolError: If the protocol compares other than exact spans, document by document.

    Examples:
        >>> import referee
        >>> words = ["Ann", "said", "she", "slept", "."]
        >>> ann = referee.Cluster("1", (referee.Mention.at(0, 1), referee.Mention.at(2, 3)))
        >>> key = referee.Document.of("d", words, [(0, 5)], [ann])
        >>> referee.agree(key, key, names=["one", "two"]).mean["muc"]
        1.0
    """
    if len(annotators) < 2:
        raise SettingError("give two or more annotators")
    paths = [each for each in annotators if isinstance(each, str)]
    if len(set(paths)) < len(paths):
        raise SettingError("a file is given twice")
    chosen = TaskOptions.taken(locals()).named_protocol()
    corpora = [formats.opened(each, role="key", strict=chosen.strict, ids=chosen.ids) for each in annotators]
    pairs = len(corpora) * (len(corpora) - 1) // 2
    with progress(pairs * len(corpora[0]), "comparing") as advance:
        return agreement(corpora, names or system_names(corpora), chosen, progress=advance)
