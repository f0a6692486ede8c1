"""A tiny encoder in a folder as people have them: BERT's kind or MPNet's, with random weights."""

from __future__ import annotations

import json
import string
from pathlib import Path
from typing import Any

import numpy as np

from toy_story import STORY

WIDTH, LAYERS, POSITIONS = 16, 2, 512
NAMES = {
    "bert": {
        "mix": (
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
        ),
        "norm": "attention.output.LayerNorm",
        "marks": ("[PAD]", "[UNK]", "[CLS]", "[SEP]"),
    },
    "mpnet": {
        "mix": ("attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o"),
        "norm": "attention.LayerNorm",
        "marks": ("<s>", "<pad>", "</s>", "[UNK]"),
    },
}


def write_encoder(folder: Path, kind: str = "bert") -> Path:
    """Write the folder's files."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = toy_tokenizer(kind)
    pieces = len(tokenizer["model"]["vocab"])
    config = {
        "model_type": kind, "num_hidden_layers": LAYERS, "hidden_size": WIDTH, "intermediate_size": 4 * WIDTH,
        "num_attention_heads": 2, "max_position_embeddings": POSITIONS + 2 * (kind == "mpnet"),
        "vocab_size": pieces, "layer_norm_eps": 1e-12,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    save_file(toy_weights(kind, pieces), folder / "model.safetensors")
    return folder


def toy_tokenizer(kind: str = "bert") -> dict[str, Any]:
    """Make a tokenizer's file of the story's words and all letters."""
    marks = NAMES[kind]["marks"]
    letters = [*string.ascii_lowercase, *string.digits, *string.punctuation]
    words = dict.fromkeys(
        [*marks, *letters, *(f"##{sign}" for sign in letters), *map(str.lower, STORY), "дом"]
    )
    added = [
        {"id": number, "content": mark, "special": True, "single_word": False, "lstrip": False,
         "rstrip": False, "normalized": False}
        for number, mark in enumerate(marks)
    ]  # fmt: skip
    return {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "post_processor": None,
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"}, "decoder": None,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100,
                  "vocab": {word: number for number, word in enumerate(words)}},
    }  # fmt: skip


def toy_weights(kind: str, pieces: int) -> dict[str, Any]:
    """Make weights under the names that such files have."""
    random = np.random.default_rng(1)

    def array(*shape: int) -> Any:
        return (random.standard_normal(shape) * 0.1).astype(np.float32)

    def norm(name: str) -> dict[str, Any]:
        return {f"{name}.weight": np.ones(WIDTH, np.float32), f"{name}.bias": np.zeros(WIDTH, np.float32)}

    start = "bert." if kind == "bert" else ""
    weights = {"embeddings.word_embeddings.weight": array(pieces, WIDTH)}
    weights["embeddings.position_embeddings.weight"] = array(POSITIONS + 2 * (kind == "mpnet"), WIDTH)
    if kind == "bert":
        weights["embeddings.token_type_embeddings.weight"] = array(2, WIDTH)
    else:
        weights["encoder.relative_attention_bias.weight"] = array(32, 2)
    weights |= norm("embeddings.LayerNorm") | {"pooler.dense.weight": array(WIDTH, WIDTH)}
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        for name in NAMES[kind]["mix"]:
            weights |= {f"{at}{name}.weight": array(WIDTH, WIDTH), f"{at}{name}.bias": array(WIDTH)}
        weights |= {f"{at}intermediate.dense.weight": array(4 * WIDTH, WIDTH)}
        weights |= {f"{at}intermediate.dense.bias": array(4 * WIDTH)}
        weights |= {
            f"{at}output.dense.weight": array(WIDTH, 4 * WIDTH),
            f"{at}output.dense.bias": array(WIDTH),
        }
        weights |= norm(f"{at}{NAMES[kind]['norm']}") | norm(f"{at}output.LayerNorm")
    return {start + name: weight for name, weight in weights.items()}
