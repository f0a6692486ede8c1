"""Opens models, and sees that they still work: a sentence in which something must be found."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import numpy as np

from referee.exceptions import FormatError, MissingExtra, RefereeError
from referee.resolvers.neural.cutting import cut_sentences, cut_words
from referee.resolvers.neural.models import NEEDED, can_run, facts_of
from referee.resolvers.neural.running import Linked, Model

SENTENCE = "Anna Holt said that she had lost her keys. Her brother found them when he came home."
KEPT_MODELS = 4  # that stay open


def open_model(folder: Path, threads: int = 0) -> Model:
    """Open a model, once in each process: sessions do not survive a fork."""
    return _opened(folder, threads, os.getpid())


@lru_cache(maxsize=KEPT_MODELS)
def _opened(folder: Path, threads: int, _process: int) -> Model:
    if not can_run():
        raise MissingExtra("what the neural resolver needs", "resolve")
    facts_of(folder)
    with openable(folder):
        model = Model(folder, threads)
    try_sentence(model, folder)
    return model


@contextmanager
def openable(folder: Path) -> Iterator[None]:
    """Say of a folder whose files the libraries cannot read that it is no model."""
    try:
        yield
    except (RefereeError, OSError):
        raise
    except Exception as error:  # of three libraries, each with errors of its own
        raise FormatError(f"{folder}: not a model that can be opened: {error}; {versions()}") from error


def try_sentence(model: Model, folder: Path) -> tuple[list[str], Linked]:
    """Resolve the test sentence; a model that finds nothing is refused: its silence looks like a result."""
    text = str(model.about.get("self_test", SENTENCE))
    words = [text[start:end] for start, end in cut_words(text)]
    linked = model.resolve(words, cut_sentences(words))
    if not linked.start.size or not np.isfinite(linked.score).all():
        raise RefereeError(
            f"{folder}: the model finds nothing in its test sentence, so it would find nothing anywhere; "
            f"a library may have changed: {versions()}"
        )
    return words, linked


def versions() -> str:
    """Name the libraries that a model needs, with their versions."""
    from importlib.metadata import version

    return ", ".join(f"{library} {version(library)}" for library in NEEDED)
