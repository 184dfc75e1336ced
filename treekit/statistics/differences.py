"""Differences of paired figures, such that ties are ties."""

from __future__ import annotations

import math

import numpy as np

from treekit.comparing.results import DIGITS
from treekit.table.record import Floats


def differences(first: Floats, second: Floats) -> Floats:
    """First less second, without the noise of the last bits, which would break up ties."""
    return np.array([_less(float(a), float(b)) for a, b in zip(first, second, strict=True)])


def _less(first: float, second: float) -> float:
    size = max(abs(first), abs(second))
    return round(first - second, DIGITS - 1 - math.floor(math.log10(size))) if size else 0.0
