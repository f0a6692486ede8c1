"""The weights of a very small reader, drawn at random, under the names that training gives them."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.resolvers.across.pair_features import FEATURES

WIDTH, HEADS, LAYERS, FIRST = 16, 2, 2, 1
SIZE, HIDDEN = 6, 8


def toy_weights() -> dict[str, Any]:
    random = np.random.default_rng(3)
    shapes: dict[str, tuple[int, ...]] = {
        "mark.weight": (3, WIDTH), "apart": (FIRST + LAYERS, HEADS), "side.weight": (2, WIDTH),
        "g.first.weight": (SIZE, WIDTH), "g.first.bias": (SIZE,), "g.last.weight": (SIZE, WIDTH),
        "g.mean.weight": (SIZE, WIDTH), "f.weight": (HIDDEN, len(FEATURES)), "f.bias": (HIDDEN,),
        "mean": (len(FEATURES),), "kind.weight": (2, HIDDEN), "w.0.weight": (HIDDEN, SIZE),
        "w.1.weight": (HIDDEN, SIZE), "w.2.weight": (HIDDEN, SIZE), "o.2.weight": (5, HIDDEN),
        "o.2.bias": (5,), "o.5.weight": (1, 5), "o.5.bias": (1,),
    }  # fmt: skip
    for number in range(FIRST, FIRST + LAYERS):
        own = {"mix": 3 * WIDTH, "out": WIDTH, "up": 4 * WIDTH}
        for name, size in own.items():
            shapes |= {f"enc.layers.{number}.{name}.weight": (size, WIDTH)}
            shapes |= {f"enc.layers.{number}.{name}.bias": (size,)}
        shapes |= {f"enc.layers.{number}.down.weight": (WIDTH, 4 * WIDTH)}
        for name in ("down", "norm_out", "norm_down"):
            shapes |= {f"enc.layers.{number}.{name}.bias": (WIDTH,)}
        for name in ("norm_out", "norm_down"):
            shapes |= {f"enc.layers.{number}.{name}.weight": (WIDTH,)}
    weights = {name: random.normal(size=shape) * 0.5 for name, shape in shapes.items()}
    return weights | {"std": random.uniform(0.5, 2, len(FEATURES))}
