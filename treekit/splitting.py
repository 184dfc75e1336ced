"""What branches tell by their weights alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from treekit.compiling import kernel


@kernel
def part_information(weight: Any, total: Any) -> Any:
    """What a branch of some weight adds to the split information, in bits (Quinlan 1993, 2.4).

    Of numbers, or of arrays; nothing weighs nothing.
    """
    share = weight / (total + (total <= 0.0))
    return -share * np.log2(share + (share <= 0.0))
