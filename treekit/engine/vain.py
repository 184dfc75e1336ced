"""Nodes that need not be split, since the pruner makes them leaves whatever grows below them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from attrs import frozen

from treekit.offers import Nodes, PruningData
from treekit.table.record import Bools, Floats

_MARGIN = 1e-9  # two ways of adding up what a node gets wrong differ by less


@frozen(eq=False)
class InVain:
    """What a pruner says of them.

    reason  why they are leaves, in words
    nodes   which nodes they are
    wrong   by the statistics of all rows: surely those that get no more wrong than this; -inf if
            that cannot be told
    """

    reason: str
    nodes: Callable[[Nodes], Bools]
    wrong: Callable[[Floats], float]


def in_vain_for(pruner: Any, data: PruningData) -> InVain | None:
    """What a pruner says of nodes that are split in vain; None: nothing."""
    if not hasattr(pruner, "in_vain"):
        return None

    def wrong(sample: Floats) -> float:
        told = pruner.wrong_in_vain(sample, data) if hasattr(pruner, "wrong_in_vain") else -1.0
        return float(told) * (1.0 - _MARGIN) if told >= 0.0 else -math.inf

    return InVain(str(pruner.reason), lambda nodes: pruner.in_vain(nodes, data), wrong)
