"""Statistics over comparisons: is a difference between contenders real, and how large is it?

Results -> `analysed` -> Analysis, `ablated` -> Ablation -> `lines_of`, `as_plain`
"""

from __future__ import annotations

from treekit.statistics.ablation import ablated, check_varied, is_ablation, varied_of
from treekit.statistics.analysis import analysed
from treekit.statistics.record import (
    Ablation,
    Analysis,
    Effect,
    Explained,
    Friedman,
    Pair,
    PairOnData,
)
from treekit.statistics.wording import as_plain, lines_of, verdict

__all__ = [
    "Ablation",
    "Analysis",
    "Effect",
    "Explained",
    "Friedman",
    "Pair",
    "PairOnData",
    "ablated",
    "analysed",
    "as_plain",
    "check_varied",
    "is_ablation",
    "lines_of",
    "varied_of",
    "verdict",
]
