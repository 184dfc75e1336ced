"""The standard strategies, registered as anybody's plugin is."""

from __future__ import annotations

from treekit import hookimpl
from treekit_builtin.criteria import Gain, GainRatio
from treekit_builtin.ensembles import Single
from treekit_builtin.growers import Level
from treekit_builtin.impurities import Entropy, Gini, Misclassification, Variance
from treekit_builtin.labels import Majority, Mean
from treekit_builtin.missing import Fractional, MajorityBranch, Refuse
from treekit_builtin.pruners import (
    Collapse,
    CostComplexity,
    ErrorBased,
    NoPruning,
    ReducedError,
)
from treekit_builtin.splitters import Multiway, Subset, Threshold
from treekit_builtin.stops import MaxDepth, MinGain, MinRows, NoColumns, Pure


@hookimpl
def treekit_impurities() -> dict[str, type]:
    return {
        "entropy": Entropy,
        "gini": Gini,
        "misclassification": Misclassification,
        "variance": Variance,
    }


@hookimpl
def treekit_criteria() -> dict[str, type]:
    return {"gain": Gain, "gain_ratio": GainRatio}


@hookimpl
def treekit_splitters() -> dict[str, type]:
    return {"multiway": Multiway, "subset": Subset, "threshold": Threshold}


@hookimpl
def treekit_stops() -> dict[str, type]:
    return {
        "max_depth": MaxDepth,
        "min_gain": MinGain,
        "min_rows": MinRows,
        "no_columns": NoColumns,
        "pure": Pure,
    }


@hookimpl
def treekit_missing() -> dict[str, type]:
    return {"fractional": Fractional, "majority_branch": MajorityBranch, "refuse": Refuse}


@hookimpl
def treekit_labels() -> dict[str, type]:
    return {"majority": Majority, "mean": Mean}


@hookimpl
def treekit_pruners() -> dict[str, type]:
    return {
        "collapse": Collapse,
        "cost_complexity": CostComplexity,
        "error_based": ErrorBased,
        "none": NoPruning,
        "reduced_error": ReducedError,
    }


@hookimpl
def treekit_growers() -> dict[str, type]:
    return {"level": Level}


@hookimpl
def treekit_ensembles() -> dict[str, type]:
    return {"single": Single}


__all__ = [
    "Collapse",
    "CostComplexity",
    "Entropy",
    "ErrorBased",
    "Fractional",
    "Gain",
    "GainRatio",
    "Gini",
    "Level",
    "Majority",
    "MajorityBranch",
    "MaxDepth",
    "Mean",
    "MinGain",
    "MinRows",
    "Misclassification",
    "Multiway",
    "NoColumns",
    "NoPruning",
    "Pure",
    "ReducedError",
    "Refuse",
    "Single",
    "Subset",
    "Threshold",
    "Variance",
]
