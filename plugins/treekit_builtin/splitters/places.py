"""Where a cut lies between two neighbouring values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from treekit import Floats, Kind


def midpoint(low: Floats, high: Floats) -> Floats:
    """The middle of two neighbours, no greater than the upper one even after rounding."""
    middle = low / 2 + high / 2
    # Two neighbouring floats have no number between them: the lower one separates them.
    return np.where(middle < high, middle, low)


def below_midpoint(low: Floats, high: Floats) -> Floats:
    """The greatest number below the middle of two neighbours, but no less than the lower one."""
    return np.maximum(np.nextafter(midpoint(low, high), -np.inf), low)


Middle = Callable[[Floats, Floats], Floats]

# A number in the very middle goes up, a level there goes down (rpart 4.1).
RPART_MIDDLE: dict[Kind, Middle] = {"numeric": below_midpoint, "ordinal": midpoint}
