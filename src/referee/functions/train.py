"""referee.train: trains a resolver from corpora and an encoder, or from what was corrected."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from referee.comparing.verdicts import Verdict
from referee.corrections.reading import Corrections, read_corrections
from referee.display import number_of
from referee.exceptions import FormatError, SettingError, need_package
from referee.functions.compare import compare
from referee.metrics.standard import CONLL
from referee.model import Document, DocumentCorpus
from referee.resolvers.neural.models import facts_of, guidelines_of, model_named
from referee.training.settings import corrected_settings, training_settings

PathName = str | PathLike[str]
Report = Callable[[str], None]
FEWEST = 4  # corrected documents: some of them are held out


def train(
    *corpora: PathName,
    dev: PathName | Sequence[PathName] = (),
    output: PathName,
    resolver: str = "neural",
    corrections: PathName | None = None,
    report: Report = lambda _: None,
    notify: Callable[[Sequence[str]], None] = lambda _: None,
    **settings: Any,
) -> Path:
    """Train a resolver on corpora, measure it on `dev`, and write the best model into a folder.

    With `corrections` a model that is trained goes on learning from what people corrected in the workbench.
    Whether that helped is measured on documents that were held out, and reported.

    Args:
        *corpora: Files or folders in any format; for neural also NAME=PATH, with the guidelines it follows.
        dev: What measures the training, one or several.
        output: The model's folder.
        resolver: What is trained, neural or across.
        corrections: The workbench's journal, a folder, instead of corpora and `dev`.
        report: Is given lines about the training.
        notify: Is given what the readers of corpora noticed.
        **settings: Those of the resolver, as `referee train --help` lists them, such as `encoder`.

    Returns:
        The model's folder.

    Raises:
        SettingError: If the resolver does not have a setting, or not this value of it.
        FormatError: If too few documents were corrected to hold some of them out.
        MissingExtra: If torch is not installed.

    Examples:
        >>> import referee
        >>> referee.train("train.conll", dev="dev.conll", output="my-model", epoch=3)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        referee.exceptions.SettingError: the resolver neural has no setting epoch=; ... did you mean epochs?
    """
    measured = [fspath(path) for path in ([dev] if isinstance(dev, str | PathLike) else dev)]
    if corrections is not None:
        if corpora or measured or resolver != "neural":
            raise SettingError(
                "corrections= is all that resolver='neural' learns from: leave out corpora, dev= and others"
            )
        _learn(Path(corrections), Path(output), corrected_settings(settings), report, notify)
        return Path(output)
    training_settings(resolver, settings)  # refuses what is wrong before torch is loaded
    if not (corpora and measured):
        raise SettingError("give a corpus to train on and dev= to measure by, or corrections=")
    need_package("torch", "train")
    from referee.training.train import train_resolver

    train_resolver(
        [fspath(path) for path in corpora], measured, output, resolver,
        report=report, notify=notify, **settings,
    )  # fmt: skip
    return Path(output)


def _learn(
    journal: Path,
    out: Path,
    chosen: Mapping[str, Any],
    report: Report,
    notify: Callable[[Sequence[str]], None],
) -> None:
    """Go on learning from a journal, and say whether it helped."""
    documents = _corrected(journal, report, notify)
    base = model_named(chosen["model"]).folder
    if base.resolve() == out.resolve():
        raise SettingError(f"output='{out}' is the model itself: choose another folder")
    known = guidelines_of(facts_of(base))
    guidelines = chosen["guidelines"] or known[0]
    if guidelines not in known:
        raise SettingError(f"guidelines='{guidelines}' must be one of {', '.join(known)}")
    need_package("torch", "train")
    from referee.training.corrected import Learning, learn_from

    folds = min(chosen["folds"], len(documents))
    learning = Learning(chosen["epochs"], seed=chosen["seed"])
    found = learn_from(documents, base, out, guidelines, learning, folds, report=report)
    compared = compare(
        *(DocumentCorpus(each, "corrected") for each in (found.key, found.before, found.after)),
        names=["before", "after"], metric=[CONLL], singletons="keep" if found.has_singletons else "drop",
    )  # fmt: skip
    before, after = (each[CONLL] for each in compared.verdicts)
    report(verdict_in_words(before, after, len(documents)))
    report(f"{out}: learnt from all {number_of(len(documents), 'document')}")


def _corrected(journal: Path, report: Report, notify: Callable[[Sequence[str]], None]) -> list[Document]:
    """List the documents that a person corrected or marked as finished, as they are now."""
    read: list[Corrections] = read_corrections(journal)
    notify([notice for each in read for notice in each.notices])
    finished = [each for each in read if each.done]
    begun = [each for each in read if each.edits and not each.done]
    documents = [each.after for each in read if each.done or each.edits]
    if begun:
        notify([
            f"{journal}: {number_of(len(begun), 'document')} not marked as finished: what nobody corrected "
            "in them counts as right"
        ])  # fmt: skip
    if len(documents) < FEWEST:
        raise FormatError(
            f"{journal}: {number_of(len(documents), 'corrected document')}, too few to hold some of them out "
            f"and see whether learning helped: correct {FEWEST} or more, or mark them as finished"
        )
    words = sum(document.text.length for document in documents)
    report(f"{number_of(len(documents), 'document')}, {len(finished)} of them finished: {words:,} words")
    return documents


def verdict_in_words(before: Verdict, after: Verdict, documents: int) -> str:
    """Say whether learning helped on documents that were held out."""
    interval = after.gain_interval
    known = interval is not None and interval.known
    between = f" [{100 * interval.low:+.2f}, {100 * interval.high:+.2f}]" if interval and known else ""
    said = f"CoNLL {100 * before.f1:.2f} before, {100 * after.f1:.2f} after: {100 * after.gain:+.2f}{between}"
    if interval is None or not known or interval.low <= 0 <= interval.high:
        meaning = "not more than chance; correct more, or keep the old model"
    else:
        meaning = "it helped" if after.gain > 0 else "it did harm: keep the old model"
    return f"{number_of(documents, 'held-out document')}: {said}: {meaning}"
