"""Why a node is a leaf."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from treekit_builtin.stops import (
    ChiSquaredTest,
    MaxDepth,
    MaxLeaves,
    MinGain,
    MinImpurity,
    MinRows,
    MinWeightFraction,
    NoColumns,
    Pure,
    PValue,
)

from treekit import Found, Nodes, fit


def nodes(**arrays: list[float]) -> Nodes:
    n = len(next(iter(arrays.values())))
    weight = np.asarray(arrays.get("weight", [1.0] * n), dtype=float)
    return Nodes(
        stats=np.stack([weight, weight], axis=1),
        rows=np.asarray(arrays.get("rows", [1] * n), dtype=np.int64),
        depth=np.asarray(arrays.get("depth", [0] * n), dtype=np.int64),
        impurity=np.asarray(arrays.get("impurity", [1.0] * n), dtype=float),
        pure=np.asarray(arrays.get("pure", [False] * n), dtype=bool),
        columns_left=np.asarray(arrays.get("columns_left", [1] * n), dtype=np.int64),
        sample=np.array([10.0, 10.0]),
    )


def found(score: float = 0.0, branches: Any = ((0, 0), (0, 0))) -> Found:
    """A best test with this score, and branches of these class counts."""
    stats = np.array([[[sum(branch), *branch] for branch in branches]], dtype=float)
    return Found(np.array([score]), np.array([1]), lambda: stats)


Before = Pure | NoColumns | MaxDepth | MinRows | MinWeightFraction | MinImpurity


@pytest.mark.parametrize(
    ("stop", "batch", "stopped"),
    [
        (Pure(), nodes(pure=[True, False]), [True, False]),
        (NoColumns(), nodes(columns_left=[0, 1, 5]), [True, False, False]),
        (MaxDepth(2), nodes(depth=[0, 1, 2, 3]), [False, False, True, True]),
        (MaxDepth(0), nodes(depth=[0]), [True]),
        (MinRows(split=20), nodes(rows=[19, 20, 21]), [True, False, False]),
        (MinRows(branch=2), nodes(rows=[3, 4]), [True, False]),
        (MinRows(), nodes(rows=[1, 2]), [True, False]),
        (MinRows(branch=2, count="weight"), nodes(weight=[3.9, 4.0]), [True, False]),
        (MinRows(split=3, count="weight"), nodes(rows=[9], weight=[2.5]), [True]),
        (MinRows(split=3), nodes(rows=[9], weight=[2.5]), [False]),
        (MinWeightFraction(0.25), nodes(weight=[2.4, 2.5, 2.6]), [True, False, False]),
        (MinWeightFraction(1.0), nodes(weight=[9.0, 10.0]), [True, False]),
        (MinImpurity(0.2), nodes(impurity=[0.1, 0.2, 0.21]), [True, True, False]),
        (MinImpurity(0.0), nodes(impurity=[1e-9]), [False]),
    ],
)
def test_a_node_is_stopped_before_tests_are_looked_for(
    stop: Before, batch: Nodes, stopped: list[bool]
) -> None:
    assert stop.before(batch).tolist() == stopped


def test_weights_that_add_up_but_for_rounding_are_enough() -> None:
    weight = sum([0.1] * 10)
    assert weight < 1.0
    assert MinRows(split=1, count="weight").before(nodes(weight=[weight])).tolist() == [False]
    assert MinWeightFraction(0.1).before(nodes(weight=[weight])).tolist() == [False]


def test_without_an_impurity_only_pure_nodes_are_hardly_mixed() -> None:
    batch = nodes(impurity=[0.0, 0.0], pure=[False, True])
    assert MinImpurity(0.5).before(batch).tolist() == [False, True]


@pytest.mark.parametrize(
    ("stop", "rows", "weight"),
    [
        (MinRows(branch=7), 7, 0),
        (MinRows(branch=2.5, count="weight"), 0, 2.5),
        (MinRows(split=20), 1, 0),
    ],
)
def test_branches_must_hold_the_minimum_in_what_is_counted(
    stop: MinRows, rows: float, weight: float
) -> None:
    assert (stop.branch_rows, stop.branch_weight) == (rows, weight)


@pytest.mark.parametrize(
    ("gain", "impurity", "score", "stopped"),
    [
        (0.0, 1.0, 0.01, False),
        (0.0, 1.0, 0.0, True),
        (0.0, 1.0, -0.001, True),
        (0.0, 1.0, 2e-16, True),
        (0.0, 1e6, 2e-10, True),
        (0.0, 1e-20, 1e-22, False),
        (0.1, 1.0, 0.1, True),
        (0.1, 1.0, 0.1 + 1e-15, True),
        (0.1, 1.0, 0.11, False),
        (0.0, 0.0, 1e-15, True),
        (0.0, 0.0, 1e-6, False),
        (0.0, 1.0, -np.inf, True),
        (0.0, 1.0, np.nan, True),
    ],
)
def test_a_score_must_exceed_the_gain_by_more_than_rounding(
    gain: float, impurity: float, score: float, stopped: bool
) -> None:
    batch = nodes(impurity=[impurity])
    assert MinGain(gain).after(batch, found(score)).tolist() == [stopped]


@pytest.mark.parametrize(
    ("alpha", "branches", "stopped"),
    [
        # chi-squared 2.8 and 1 degree of freedom: a p-value of 0.0943
        (0.05, [(4, 3), (1, 6)], True),
        (0.1, [(4, 3), (1, 6)], False),
        # 10 and 1 degree of freedom: 0.00157, whatever the empty branch
        (0.01, [(4, 0), (0, 0), (0, 6)], False),
        (0.001, [(4, 0), (0, 0), (0, 6)], True),
        # 3.5467 and 2 degrees of freedom: exp(-1.7733) = 0.1698
        (0.17, [(3, 2), (0, 4), (2, 3)], False),
        (0.169, [(3, 2), (0, 4), (2, 3)], True),
        # all in one branch: nothing is told
        (0.99, [(5, 5), (0, 0)], True),
        (1.0, [(5, 5), (0, 0)], False),
    ],
)
def test_the_best_tests_branches_must_not_be_independent_of_the_class(
    alpha: float, branches: list[tuple[int, ...]], stopped: bool
) -> None:
    best = found(0.5, branches)
    assert ChiSquaredTest(alpha).after(nodes(rows=[14]), best).tolist() == [stopped]


@pytest.mark.parametrize(
    ("alpha", "score", "stopped"),
    [
        (0.01, 2.0, False),
        (0.01, 2.0 - 1e-15, False),
        (0.01, 1.999, True),
        (0.05, 1.3010299956639813, False),
        (0.05, 1.3, True),
        (1.0, 0.0, False),
        (0.05, -np.inf, True),
        (0.05, np.nan, True),
    ],
)
def test_a_score_is_minus_log10_of_the_p_value_that_must_not_exceed_alpha(
    alpha: float, score: float, stopped: bool
) -> None:
    assert PValue(alpha).after(nodes(rows=[14]), found(score)).tolist() == [stopped]


def test_the_engine_is_told_how_many_leaves_there_may_be() -> None:
    assert MaxLeaves(8).most_leaves == 8


@pytest.mark.parametrize("leaves", [1, 2, 3, 5])
def test_a_tree_has_no_more_leaves_than_it_may(leaves: int) -> None:
    stop = ["pure", {"use": "max_leaves", "leaves": leaves}]
    model = fit("cart", "tennis", set={"tree.stop": stop, "tree.pruner": "none"})
    assert model.n_leaves == leaves
    tree = model.trees[0]
    told = {tree.reasons[r] for r in tree.reason[tree.is_leaf]}
    assert f"the tree may not have more than {leaves} leaves" in told


def test_quinlans_test_keeps_noise_out_of_the_fourteen_days() -> None:
    model = fit("id3", "tennis", set={"tree.stop": ["pure", "no_columns", "chi_squared"]})
    tree = model.trees[0]
    assert tree.n_nodes == 1
    assert tree.reasons[tree.reason[0]] == ChiSquaredTest(0.01).reason


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        (Pure(), "all target values are the same"),
        (NoColumns(), "no column is left to ask about"),
        (MinRows(split=20), "fewer than 20 rows"),
        (MinRows(branch=2, count="weight"), "a weight of less than 4"),
        (MaxDepth(3), "the greatest depth, 3, is reached"),
        (MinGain(0.01), "no test scores more than 0.01"),
        (MinWeightFraction(0.05), "a weight of less than 0.05 of the whole sample's"),
        (MinImpurity(0.1), "an impurity of at most 0.1"),
        (MaxLeaves(8), "the tree may not have more than 8 leaves"),
        (ChiSquaredTest(0.01), "the best test's chi-squared has a p-value of more than 0.01"),
        (PValue(0.05), "no test has a p-value of at most 0.05"),
    ],
)
def test_the_reason_is_said_in_words(stop: Any, reason: str) -> None:
    assert stop.reason == reason


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MinRows(branch=-1), "'branch' must be >= 0.0: -1"),
        (lambda: MinRows(split=float("nan")), "'split' must be >= 0.0: nan"),
        (lambda: MaxDepth(-1), "'depth' must be >= 0: -1"),
        (lambda: MinWeightFraction(0.0), "'share' must be > 0.0: 0.0"),
        (lambda: MinWeightFraction(1.5), "'share' must be <= 1.0: 1.5"),
        (lambda: MinImpurity(-0.1), "'impurity' must be >= 0.0: -0.1"),
        (lambda: MinImpurity(float("inf")), "'impurity' must be < inf: inf"),
        (lambda: MinGain(float("inf")), "'gain' must be a finite number: inf"),
        (lambda: MaxLeaves(0), "'leaves' must be >= 1: 0"),
        (lambda: ChiSquaredTest(0.0), "'alpha' must be > 0.0: 0.0"),
        (lambda: PValue(1.5), "'alpha' must be <= 1.0: 1.5"),
    ],
)
def test_a_bad_parameter_is_named(make: object, message: str) -> None:
    with pytest.raises(ValueError, match="must be") as caught:
        make()  # type: ignore[operator]
    assert str(caught.value) == message


def test_rows_or_weight_is_all_that_can_be_counted() -> None:
    with pytest.raises(ValueError, match="'count' must be in"):
        MinRows(count="cases")  # type: ignore[arg-type]


def test_rows_that_are_alike_in_every_column_are_a_leaf_that_says_so() -> None:
    rows = pd.DataFrame({"a": [1, 1, 1], "b": ["x", None, "x"], "y": ["p", "q", "p"]})
    kinds, rules = {"a": "numeric"}, {"tree.stop": ["pure", "same_values"]}
    (tree,) = fit("cart", rows, target="y", kinds=kinds, set=rules).trees
    assert tree.reasons[tree.reason[0]] == "all rows are alike in every column"
