"""How an encoder is rounded to int8: one rule for its export and for training that prepares for it.

A matrix has a scale for each of its outputs, and the states that it is multiplied with have one for each
subword: an encoder has a few subwords and columns that are many times larger than all others, and with one
scale for all of them little would be left of the rest. What a subword becomes also depends on nothing but its
window then, so that the same text gives the same bits in any batch.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from referee.resolvers.neural.forward import Floats

STATE_STEPS = 127  # on each side of zero
# Processors without an instruction for it (VNNI) add products of two neighbours in 16 bits, and
# cut off what is larger: 255 * 63 * 2 just fits, so all processors give the same.
WEIGHT_STEPS = 63
TABLE_STEPS = 127  # of subwords, which are only looked up
SMALLEST = 1e-8  # the size of a row is taken as at least this, so that zeros divide by something


def rounded_rows(matrix: Floats, steps: int) -> tuple[npt.NDArray[np.int8], Floats]:
    """Round each row to whole steps; each has another size of steps.

    >>> whole, size = rounded_rows(np.array([[1.0, -0.5], [0.02, 0.04]], np.float32), 2)
    >>> whole.tolist(), size.tolist()
    ([[2, -1], [1, 2]], [[0.5], [0.019999999552965164]])
    """
    size = np.maximum(np.abs(matrix).max(1, keepdims=True), SMALLEST).astype(np.float32) / np.float32(steps)
    return np.round(matrix / size).astype(np.int8), size
