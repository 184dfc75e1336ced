"""A comparison made by hand, with names that are hard on every format."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from treekit.comparing import Outcome, Results
from treekit.reporting import About, Curve, DataFacts
from treekit.statistics import Ablation, Analysis, Effect, Explained, Friedman, Pair, PairOnData

CONTENDERS = ("c45 [gini]", "<script>alert(1)</script>", "50% & #1_$a$ {b}", "tree ~^\\ --")
DATA = ("iris", "<b>bold</b>", "[wine]")
FOLDS = 5


def results(failing: bool = False) -> Results:
    """Figures that differ by contender, data set and fold; `failing`: two folds failed."""
    rng = np.random.default_rng(1)
    outcomes = []
    for d, data in enumerate(DATA):
        for c, name in enumerate(CONTENDERS):
            for fold in range(FOLDS):
                accuracy = 0.9 - 0.05 * c - 0.1 * d + 0.02 * rng.random()
                metrics = {"accuracy": accuracy, "leaves": float(12 - 3 * c + d + fold % 2)}
                failed = failing and name == CONTENDERS[3] and fold < 2 and d == 0
                why = "ValueError: <i>no</i> luck" if failed else ""
                outcomes.append(Outcome("", data, name, 0, fold, 7, {} if failed else metrics, why))
    return Results(tuple(outcomes), DATA, CONTENDERS, "classification")


def analysis(metric: str = "accuracy", greater: bool = True) -> Analysis:
    """The ranks are 1.25, 2, 3.5 and 3.25; the critical difference joins two groups."""
    ranks = dict(zip(CONTENDERS, (1.25, 2.0, 3.5, 3.25), strict=True))
    pairs = tuple(
        Pair(a, b, 0.0512, 0.01, 0.09, 0.04, 0.24, 0.5, 0.8, 0.7, 0.2, 0.1, 2, 1, 0)
        for a, b in combinations(CONTENDERS, 2)
    )
    on_data = tuple(
        PairOnData(data, *CONTENDERS[:2], 0.05, 0.01, 0.09, 2.5, 4, 0.0004, 0.0012) for data in DATA
    )
    return Analysis(
        metric, greater, 0.05, 0.01, CONTENDERS, DATA, {"tiny": "a fold is missing"},
        "Friedman's test, then Nemenyi's", "there are four contenders on three data sets",
        ("three data sets are few",), ranks, Friedman(3, 4, 7.0, 0.07, 4.2, (3, 6), 0.064), 1.3,
        ((CONTENDERS[0], CONTENDERS[1]), (CONTENDERS[1], CONTENDERS[3])), pairs, on_data,
    )  # fmt: skip


def ablation() -> Ablation:
    """Two paths of two words each."""
    paths = {"tree.impurity": ("entropy", "gini"), "tree.<pruner>": ("none", "a & b")}
    effects = tuple(
        Effect(metric, path, *words, 0.0125, low, 0.02, 2)
        for metric in ("accuracy", "leaves")
        for path, words, low in zip(paths, paths.values(), (-0.01, 0.005), strict=True)
    )
    shares = Explained("accuracy", dict.fromkeys(paths, 0.25), dict.fromkeys(paths, 0.125), 0.25)
    return Ablation(
        ("accuracy", "leaves"), 0.05, paths, CONTENDERS, DATA, {"tiny": "a fold is missing"},
        effects, {"accuracy": shares}, ("With so few, intervals are too narrow.",),
    )  # fmt: skip


def about(with_curves: bool = False) -> About:
    shares = zip(CONTENDERS, (0.25, 1.0, 0.25, 1.0), strict=True)
    by_name = dict(shares)
    curves = (
        Curve("first", {name: by_name[name] for name in CONTENDERS[:2]}),
        Curve("second", {name: by_name[name] for name in CONTENDERS[2:]}),
    )
    return About(
        title="Which one? <Really> & truly",
        seed=7,
        resampling="cross-validation, folds 5, repeats 1",
        versions={"treekit": "1.2.3", "python": "3.11.9"},
        recipes={name: f'summary = "{name}"\n[tree]\nimpurity = "gini"\n' for name in CONTENDERS},
        data={name: DataFacts(150, 4, 3, "ab" * 32) for name in DATA},
        curves=curves if with_curves else (),
    )
