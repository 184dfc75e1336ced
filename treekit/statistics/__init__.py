"""Statistics over comparisons: is a difference between contenders real, and how large is it?"""

from __future__ import annotations

from treekit.statistics.record import Analysis, Friedman, Pair, PairOnData

__all__ = ["Analysis", "Friedman", "Pair", "PairOnData"]
