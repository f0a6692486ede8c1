"""referee.export: a trained neural model as a folder that runs without torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from referee.display import Rows
from referee.exceptions import need_package
from referee.resolvers.neural.guided_corpora import FIRST, guided_corpus
from referee.resolvers.neural.models import facts_in
from referee.resolvers.neural.tuning import DevText, Tuner
from referee.tables.models import export_table, folder_size
from referee.tables.rendering import Output

PathName = str | PathLike[str]


@dataclass(frozen=True, repr=False)
class Export(Rows):
    """A model and its export: the folder, its size in bytes, and the CoNLL score on dev if one was given.

    Examples:
        >>> import referee
        >>> folders = [("my-model", 98_000_000, None), ("my-model-int8", 25_000_000, None)]
        >>> export = referee.Export(folders, parameters=24_800_000)
        >>> export.folders[1][0]
        'my-model-int8'
    """

    _output = "rendering:own_output"

    folders: Sequence[tuple[str, int, float | None]]  # the model, then what was written
    parameters: int  # of the network

    @property
    def output(self) -> Output:
        """What the command prints."""
        return Output(
            lambda: [export_table(self.folders, self.parameters)],
            lambda: [dict(zip(("folder", "bytes", "conll"), row, strict=True)) for row in self.folders],
        )


def export(
    model: PathName,
    output: PathName,
    *,
    int8: bool = False,
    dev: PathName | Sequence[PathName] = (),
    notify: Callable[[Sequence[str]], None] = lambda _: None,
) -> Export:
    """Write a trained model as encoder.onnx, head.safetensors, tokenizer.json and model.json.

    Args:
        model: The trained model's folder.
        output: The folder to write.
        int8: Whether to use eight-bit weights: a quarter of the size, and faster.
        dev: Corpora that both are scored on, with a key; NAME=PATH as in `train`.
        notify: Is given what the readers of corpora noticed.

    Returns:
        The sizes and, with `dev`, the scores of both folders.

    Raises:
        MissingExtra: If onnx is not installed.
        FormatError: If the folder is not a trained model.

    Examples:
        >>> import referee
        >>> made = referee.export("my-model", "my-model-int8", int8=True)  # doctest: +SKIP
    """
    need_package("onnx", "train")
    from referee.training.export.model import export_model

    source, target = Path(model), Path(output)
    names = list(facts_in(source).get("guidelines", [FIRST]))
    paths = [dev] if isinstance(dev, str | PathLike) else dev
    read = [guided_corpus(fspath(path), names, notify=notify) for path in paths]
    network = export_model(source, target, int8=int8)
    texts = [DevText(document, number) for documents, number in read for document in documents]
    rows = []
    for folder in (source, target):
        tuner = Tuner(folder, texts) if texts else None
        rows.append((str(folder), folder_size(folder), tuner.point(tuner.knobs).conll if tuner else None))
    return Export(rows, network.parameters)
