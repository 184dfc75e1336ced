"""Figures in so many digits as say something."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from treekit.comparing.wording import UNKNOWN

LEAST_P: Final = 0.001


def places(values: Iterable[float]) -> int:
    """How many decimals figures that are read together need: three digits or so of the largest."""
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    for limit, found in ((0.0, 0), (0.1, 0), (1.0, 3), (10.0, 2), (1000.0, 1)):
        if largest <= limit:
            # Of small figures the first three digits that are not 0.
            return found or (min(2 - math.floor(math.log10(largest)), 9) if largest else 1)
    return 0


def decimal(value: float | None, n_places: int, sign: str = "") -> str:
    """A figure with so many decimals; nothing known is a dash."""
    if value is None or math.isnan(value):
        return UNKNOWN
    shown = f"{value:{sign}.{n_places}f}"
    # What rounds to zero is on neither side of it.
    return shown.lstrip("+-") if float(shown) == 0.0 else shown


def probability(p: float | None) -> str:
    """A p-value, or a probability."""
    if p is None or math.isnan(p):
        return UNKNOWN
    return f"< {LEAST_P}" if p < LEAST_P else f"{p:.3f}"
