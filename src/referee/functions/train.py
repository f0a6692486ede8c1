"""referee.train: trains a resolver from corpora and an encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from referee.exceptions import need_package
from referee.training.settings import training_settings

PathName = str | PathLike[str]


def train(
    *corpora: PathName,
    dev: PathName | Sequence[PathName],
    output: PathName,
    resolver: str = "neural",
    report: Callable[[str], None] = lambda _: None,
    notify: Callable[[Sequence[str]], None] = lambda _: None,
    **settings: Any,
) -> Path:
    """Train a resolver on corpora, measure it on `dev`, and write the best model into a folder.

    Args:
        *corpora: Files or folders in any format; for neural also NAME=PATH, with the guidelines it follows.
        dev: What measures the training, one or several.
        output: The model's folder.
        resolver: What is trained, neural or across.
        report: Is given lines about the training.
        notify: Is given what the readers of corpora noticed.
        **settings: Those of the resolver, as `referee train --help` lists them, such as `encoder`.

    Returns:
        The model's folder.

    Raises:
        SettingError: If the resolver does not have a setting, or not this value of it.
        MissingExtra: If torch is not installed.

    Examples:
        >>> import referee
        >>> referee.train("train.conll", dev="dev.conll", output="my-model", epoch=3)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        referee.exceptions.SettingError: the resolver neural has no setting epoch=; ... did you mean epochs?
    """
    training_settings(resolver, settings)  # refuses what is wrong before torch is loaded
    need_package("torch", "train")
    from referee.training.train import train_resolver

    measured = [dev] if isinstance(dev, str | PathLike) else dev
    train_resolver(
        [fspath(path) for path in corpora], [fspath(path) for path in measured], output, resolver,
        report=report, notify=notify, **settings,
    )  # fmt: skip
    return Path(output)
