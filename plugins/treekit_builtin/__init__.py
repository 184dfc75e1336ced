"""The standard strategies, registered as anybody's plugin is."""

from __future__ import annotations

from treekit import hookimpl
from treekit_builtin.criteria import (
    ChiSquared,
    Gain,
    GainRatio,
    GStatistic,
    KolmogorovSmirnov,
    MdlGain,
    NormalisedGain,
    Twoing,
    WeightedImpurity,
)
from treekit_builtin.ensembles import Single
from treekit_builtin.growers import Level
from treekit_builtin.impurities import (
    Dkm,
    Entropy,
    Gini,
    Misclassification,
    Poisson,
    Renyi,
    StandardDeviation,
    Tsallis,
    Variance,
)
from treekit_builtin.labels import (
    Frequencies,
    Laplace,
    Majority,
    Mean,
    MEstimate,
    MinimumCost,
)
from treekit_builtin.missing import Fractional, MajorityBranch, Refuse
from treekit_builtin.pruners import (
    Collapse,
    CostComplexity,
    CriticalValue,
    ErrorBased,
    Mdl,
    MinimumError,
    NoPruning,
    Pessimistic,
    ReducedError,
    description_length,
)
from treekit_builtin.splitters import Grouping, Multiway, Subset, Threshold
from treekit_builtin.stops import (
    MaxDepth,
    MinGain,
    MinImpurity,
    MinRows,
    MinWeightFraction,
    NoColumns,
    Pure,
)


@hookimpl
def treekit_impurities() -> dict[str, type]:
    return {
        "dkm": Dkm,
        "entropy": Entropy,
        "gini": Gini,
        "logical_entropy": Gini,
        "misclassification": Misclassification,
        "poisson": Poisson,
        "renyi": Renyi,
        "standard_deviation": StandardDeviation,
        "tsallis": Tsallis,
        "variance": Variance,
    }


@hookimpl
def treekit_criteria() -> dict[str, type]:
    return {
        "chi_squared": ChiSquared,
        "g_statistic": GStatistic,
        "gain": Gain,
        "gain_ratio": GainRatio,
        "kolmogorov_smirnov": KolmogorovSmirnov,
        "mdl_gain": MdlGain,
        "normalised_gain": NormalisedGain,
        "twoing": Twoing,
        "weighted_impurity": WeightedImpurity,
    }


@hookimpl
def treekit_splitters() -> dict[str, type]:
    return {"grouping": Grouping, "multiway": Multiway, "subset": Subset, "threshold": Threshold}


@hookimpl
def treekit_stops() -> dict[str, type]:
    return {
        "max_depth": MaxDepth,
        "min_gain": MinGain,
        "min_impurity": MinImpurity,
        "min_rows": MinRows,
        "min_weight_fraction": MinWeightFraction,
        "no_columns": NoColumns,
        "pure": Pure,
    }


@hookimpl
def treekit_missing() -> dict[str, type]:
    return {"fractional": Fractional, "majority_branch": MajorityBranch, "refuse": Refuse}


@hookimpl
def treekit_labels() -> dict[str, type]:
    return {
        "frequencies": Frequencies,
        "laplace": Laplace,
        "m_estimate": MEstimate,
        "majority": Majority,
        "mean": Mean,
        "minimum_cost": MinimumCost,
    }


@hookimpl
def treekit_pruners() -> dict[str, type]:
    return {
        "collapse": Collapse,
        "cost_complexity": CostComplexity,
        "critical_value": CriticalValue,
        "error_based": ErrorBased,
        "mdl": Mdl,
        "minimum_error": MinimumError,
        "none": NoPruning,
        "pessimistic": Pessimistic,
        "reduced_error": ReducedError,
    }


@hookimpl
def treekit_growers() -> dict[str, type]:
    return {"level": Level}


@hookimpl
def treekit_ensembles() -> dict[str, type]:
    return {"single": Single}


__all__ = [
    "ChiSquared",
    "Collapse",
    "CostComplexity",
    "CriticalValue",
    "Dkm",
    "Entropy",
    "ErrorBased",
    "Fractional",
    "Frequencies",
    "GStatistic",
    "Gain",
    "GainRatio",
    "Gini",
    "Grouping",
    "KolmogorovSmirnov",
    "Laplace",
    "Level",
    "MEstimate",
    "Majority",
    "MajorityBranch",
    "MaxDepth",
    "Mdl",
    "MdlGain",
    "Mean",
    "MinGain",
    "MinImpurity",
    "MinRows",
    "MinWeightFraction",
    "MinimumCost",
    "MinimumError",
    "Misclassification",
    "Multiway",
    "NoColumns",
    "NoPruning",
    "NormalisedGain",
    "Pessimistic",
    "Poisson",
    "Pure",
    "ReducedError",
    "Refuse",
    "Renyi",
    "Single",
    "StandardDeviation",
    "Subset",
    "Threshold",
    "Tsallis",
    "Twoing",
    "Variance",
    "WeightedImpurity",
    "description_length",
]
