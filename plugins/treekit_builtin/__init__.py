"""The standard strategies, registered as anybody's plugin is."""

from __future__ import annotations

from treekit import hookimpl
from treekit_builtin.criteria import (
    ChiSquared,
    FTest,
    Gain,
    GainRatio,
    GStatistic,
    Hellinger,
    Improvement,
    KolmogorovSmirnov,
    MdlGain,
    NormalisedGain,
    PermutationTest,
    PermutationTestNumber,
    Twoing,
    WeightedImpurity,
)
from treekit_builtin.ensembles import (
    AdaBoost,
    AdaBoostR2,
    AdaBoostR2Weighted,
    AdaBoostResampled,
    Bagging,
    GradientBoosting,
    RandomForest,
    Single,
)
from treekit_builtin.growers import BestFirst, Level, Lookahead, Optimal
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
    Knn,
    Laplace,
    Linear,
    Majority,
    Mean,
    Median,
    MEstimate,
    MinimumCost,
    NaiveBayes,
)
from treekit_builtin.missing import (
    DefaultDirection,
    DropRows,
    Fractional,
    MajorityBranch,
    OwnBranch,
    Refuse,
    StopAtNode,
    Surrogate,
    Typical,
)
from treekit_builtin.pruners import (
    M5,
    Collapse,
    CostComplexity,
    CriticalValue,
    ErrorBased,
    Mdl,
    MinimumError,
    NoPruning,
    Pessimistic,
    ReducedError,
    WeakestLink,
)
from treekit_builtin.splitters import (
    Bins,
    Grouping,
    LevelCuts,
    Merging,
    Multiway,
    ObliqueLda,
    ObliqueLeastSquares,
    ObliqueLogistic,
    OneVsRest,
    RandomCuts,
    RandomProjections,
    RpartAnova,
    RpartClass,
    Subset,
    Threshold,
)
from treekit_builtin.stops import (
    ChiSquaredTest,
    MaxDepth,
    MaxLeaves,
    MinGain,
    MinImpurity,
    MinRows,
    MinSpread,
    MinWeightFraction,
    NoColumns,
    Pure,
    PValue,
    SameValues,
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
        "f_test": FTest,
        "g_statistic": GStatistic,
        "gain": Gain,
        "gain_ratio": GainRatio,
        "hellinger": Hellinger,
        "improvement": Improvement,
        "kolmogorov_smirnov": KolmogorovSmirnov,
        "mdl_gain": MdlGain,
        "normalised_gain": NormalisedGain,
        "permutation_test": PermutationTest,
        "permutation_test_number": PermutationTestNumber,
        "twoing": Twoing,
        "weighted_impurity": WeightedImpurity,
    }


@hookimpl
def treekit_splitters() -> dict[str, type]:
    return {
        "bins": Bins,
        "grouping": Grouping,
        "level_cuts": LevelCuts,
        "merging": Merging,
        "multiway": Multiway,
        "oblique_lda": ObliqueLda,
        "oblique_least_squares": ObliqueLeastSquares,
        "oblique_logistic": ObliqueLogistic,
        "one_vs_rest": OneVsRest,
        "random_cuts": RandomCuts,
        "random_projections": RandomProjections,
        "rpart_anova": RpartAnova,
        "rpart_class": RpartClass,
        "subset": Subset,
        "threshold": Threshold,
    }


@hookimpl
def treekit_stops() -> dict[str, type]:
    return {
        "chi_squared": ChiSquaredTest,
        "max_depth": MaxDepth,
        "max_leaves": MaxLeaves,
        "min_gain": MinGain,
        "min_impurity": MinImpurity,
        "min_rows": MinRows,
        "min_spread": MinSpread,
        "min_weight_fraction": MinWeightFraction,
        "no_columns": NoColumns,
        "p_value": PValue,
        "pure": Pure,
        "same_values": SameValues,
    }


@hookimpl
def treekit_missing() -> dict[str, type]:
    return {
        "default_direction": DefaultDirection,
        "drop_rows": DropRows,
        "fractional": Fractional,
        "majority_branch": MajorityBranch,
        "own_branch": OwnBranch,
        "refuse": Refuse,
        "stop_at_node": StopAtNode,
        "surrogate": Surrogate,
        "typical": Typical,
    }


@hookimpl
def treekit_labels() -> dict[str, type]:
    return {
        "frequencies": Frequencies,
        "knn": Knn,
        "laplace": Laplace,
        "linear": Linear,
        "m_estimate": MEstimate,
        "majority": Majority,
        "mean": Mean,
        "median": Median,
        "minimum_cost": MinimumCost,
        "naive_bayes": NaiveBayes,
    }


@hookimpl
def treekit_pruners() -> dict[str, type]:
    return {
        "collapse": Collapse,
        "cost_complexity": CostComplexity,
        "critical_value": CriticalValue,
        "error_based": ErrorBased,
        "m5": M5,
        "mdl": Mdl,
        "minimum_error": MinimumError,
        "none": NoPruning,
        "pessimistic": Pessimistic,
        "reduced_error": ReducedError,
        "weakest_link": WeakestLink,
    }


@hookimpl
def treekit_growers() -> dict[str, type]:
    return {"best_first": BestFirst, "level": Level, "lookahead": Lookahead, "optimal": Optimal}


@hookimpl
def treekit_ensembles() -> dict[str, type]:
    return {
        "adaboost": AdaBoost,
        "adaboost_r2": AdaBoostR2,
        "adaboost_r2_weighted": AdaBoostR2Weighted,
        "adaboost_resampled": AdaBoostResampled,
        "bagging": Bagging,
        "gradient_boosting": GradientBoosting,
        "random_forest": RandomForest,
        "single": Single,
    }


__all__ = [
    "M5",
    "AdaBoost",
    "AdaBoostR2",
    "AdaBoostR2Weighted",
    "AdaBoostResampled",
    "Bagging",
    "BestFirst",
    "Bins",
    "ChiSquared",
    "ChiSquaredTest",
    "Collapse",
    "CostComplexity",
    "CriticalValue",
    "Dkm",
    "Entropy",
    "ErrorBased",
    "FTest",
    "Fractional",
    "Frequencies",
    "GStatistic",
    "Gain",
    "GainRatio",
    "Gini",
    "GradientBoosting",
    "Grouping",
    "Hellinger",
    "Improvement",
    "Knn",
    "KolmogorovSmirnov",
    "Laplace",
    "Level",
    "LevelCuts",
    "Linear",
    "Lookahead",
    "MEstimate",
    "Majority",
    "MajorityBranch",
    "MaxDepth",
    "MaxLeaves",
    "Mdl",
    "MdlGain",
    "Mean",
    "Median",
    "Merging",
    "MinGain",
    "MinImpurity",
    "MinRows",
    "MinSpread",
    "MinWeightFraction",
    "MinimumCost",
    "MinimumError",
    "Misclassification",
    "Multiway",
    "NaiveBayes",
    "NoColumns",
    "NoPruning",
    "NormalisedGain",
    "ObliqueLda",
    "ObliqueLeastSquares",
    "ObliqueLogistic",
    "OneVsRest",
    "Optimal",
    "PValue",
    "PermutationTest",
    "PermutationTestNumber",
    "Pessimistic",
    "Poisson",
    "Pure",
    "RandomCuts",
    "RandomForest",
    "RandomProjections",
    "ReducedError",
    "Refuse",
    "Renyi",
    "RpartAnova",
    "RpartClass",
    "Single",
    "StandardDeviation",
    "Subset",
    "Threshold",
    "Tsallis",
    "Twoing",
    "Variance",
    "WeakestLink",
    "WeightedImpurity",
]
