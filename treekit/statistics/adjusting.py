"""Many tests at once: p-values adjusted so that alpha bounds the chance of any false rejection."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment (1979): the smallest p counts m times, the next m - 1 times, ...

    They may be compared with alpha as they are.
    """
    p = np.asarray(p_values, np.float64)
    order = np.argsort(p, kind="stable")
    steps = np.arange(len(p), 0, -1) * p[order]
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(value) for value in adjusted]
