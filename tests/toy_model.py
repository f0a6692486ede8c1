"""A model for the neural resolver that is made here: words are mentions, and those of one gender are linked.

Its encoder is a table of a vector for each word, written as ONNX by hand; its head has the weights that do
the rest. What ships can be tested with it without torch, and its numbers can be told beforehand.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from referee.resolvers.neural import features as surface

MENTION, FEMININE, MASCULINE, NEUTER, ENTITY, WIDTH = range(6)  # of a word's vector, and its size
SEX = {
    FEMININE: "clara anna she her i",
    MASCULINE: "peter brother he his him",
    NEUTER: "dog it",
}
ALONE = "door garden keys"  # mentions that are linked to nothing
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
VOCABULARY = {word: number for number, word in enumerate([*MARKS, *" ".join([*SEX.values(), ALONE]).split()])}
LINK = 2.0  # what two words of one gender score, in log odds; others score − LINK
MENTIONED = 5.0  # what a mention scores
FACTS = {
    "width": WIDTH, "spans_per_word": 3.0, "antecedents": 10, "special_tokens": [2, 3, 0], "unknown": 1,
    "mention_threshold": -4.0,
}  # fmt: skip


def write_toy(folder: Path, *, bias: float = -12.0, **facts: Any) -> Path:
    """Write the files of the model; `bias` is added to all links."""
    from safetensors.numpy import save_file
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "encoder.onnx").write_bytes(encoder(word_vectors()))
    save_file(head(bias), folder / "head.safetensors")
    tokenizer = Tokenizer(models.WordLevel(VOCABULARY, "[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizers.Lowercase(), pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "model.json").write_text(json.dumps(FACTS | facts), "utf-8")
    return folder


def word_vectors() -> Any:
    """Report of each word whether it is a mention, of which gender, and whether it is an entity."""
    table = np.zeros((len(VOCABULARY), WIDTH), np.float32)
    for gender, words in SEX.items():
        for word in words.split():
            table[VOCABULARY[word], [MENTION, gender, ENTITY]] = 1
    for word in ALONE.split():
        table[VOCABULARY[word], ENTITY] = 1
    return table


def head(bias: float) -> dict[str, Any]:
    """Make weights: a mention scores MENTIONED, a pair their sum, 4 for the same gender, and the bias."""
    identity = 10 * np.eye(WIDTH)  # so large that the unit after it changes nothing
    genders = np.diag([0, 0.1, 0.1, 0.1, 0])
    judged = np.zeros((2, WIDTH))
    judged[0, MENTION] = judged[1, ENTITY] = 1
    length = np.full((30, 2), -100.0)
    length[0] = 0
    guideline = np.zeros((2, WIDTH))
    guideline[1, NEUTER] = -1  # by the second guidelines things are not linked
    sizes = (surface.MATCHES, surface.ALL_PRONOUN_PAIRS, surface.DISTANCES, surface.RELATIONS)
    rough = [np.zeros((size, 1)) for size in sizes]
    rough[3][8:12] = -10  # of two speakers
    seen = {"pronoun": 13, "determiner": 7, "capital": 3, "width": 8}
    none = np.zeros(WIDTH)
    weights = {
        "guideline.weight": guideline, "length.weight": length, "ends.weight": np.zeros((2 * WIDTH, WIDTH)),
        "first.weight": identity, "first.bias": none, "last.weight": identity, "last.bias": none,
        "first_score.weight": judged, "first_score.bias": np.full(2, -MENTIONED),
        "last_score.weight": np.zeros((2, WIDTH)), "last_score.bias": np.zeros(2),
        "span_first.weight": identity, "span_first.bias": none,
        "span_last.weight": np.zeros((WIDTH, WIDTH)), "span_mean.weight": np.zeros((WIDTH, WIDTH)),
        **{f"seen.{name}.weight": np.zeros((size, WIDTH)) for name, size in seen.items()},
        "mention.weight": none[None], "mention.bias": np.zeros(1),
        "query.weight": genders, "query.bias": none, "key.weight": genders, "key.bias": none,
        "product.weight": np.array([[2 * LINK * WIDTH**0.5]]),
        **{f"rough.{number}.weight": table for number, table in enumerate(rough)},
        **{f"pairs.{number}.weight": np.zeros((size, 1)) for number, size in enumerate(sizes)},
        "ours.weight": none[None], "ours.bias": np.zeros(1), "theirs.weight": none[None],
        "products.weight": np.zeros((1, 1)),
        "category.weight": np.zeros((surface.CATEGORIES, 1)),
        "category.bias": np.full(surface.CATEGORIES, bias),
    }  # fmt: skip
    return {name: np.ascontiguousarray(weight, np.float32) for name, weight in weights.items()}


FLOAT, INT64 = 1, 7  # what ONNX calls its types


def encoder(table: Any) -> bytes:
    """Write ONNX: `states` are the rows of the table that `rows` has the numbers of."""
    tensor = b"".join(_number(1, size) for size in table.shape) + _number(2, FLOAT)
    tensor += _field(8, b"table") + _field(9, table.tobytes())
    node = _field(1, b"table") + _field(1, b"rows") + _field(2, b"states") + _field(4, b"Gather")
    inputs = ("rows", "kinds")
    graph = _field(1, node) + _field(2, b"toy") + _field(5, tensor)
    graph += b"".join(_field(11, _value(name, INT64, 2)) for name in inputs)
    graph += _field(12, _value("states", FLOAT, 3))
    return _number(1, 8) + _field(7, graph) + _field(8, _number(2, 17))


def _value(name: str, kind: int, dimensions: int) -> bytes:
    shape = b"".join(_field(1, _field(2, f"d{number}".encode())) for number in range(dimensions))
    return _field(1, name.encode()) + _field(2, _field(1, _number(1, kind) + _field(2, shape)))


def _field(number: int, content: bytes) -> bytes:
    """Write a field of protobuf that has a length."""
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _varint(value: int) -> bytes:
    pieces = []
    while value > 127:
        pieces.append(value & 127 | 128)
        value >>= 7
    return struct.pack(f"{len(pieces) + 1}B", *pieces, value)
