"""Why a node is a leaf."""

from __future__ import annotations

import numpy as np
import pytest
from treekit_builtin.growers import Level
from treekit_builtin.stops import (
    MaxDepth,
    MinGain,
    MinImpurity,
    MinRows,
    MinWeightFraction,
    NoColumns,
    Pure,
)

from treekit.offers import Nodes


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
    assert MinGain(gain).after(batch, np.array([score])).tolist() == [stopped]


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
    ],
)
def test_the_reason_is_said_in_words(stop: Before | MinGain, reason: str) -> None:
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
    ],
)
def test_a_bad_parameter_is_named(make: object, message: str) -> None:
    with pytest.raises(ValueError, match="must be") as caught:
        make()  # type: ignore[operator]
    assert str(caught.value) == message


def test_rows_or_weight_is_all_that_can_be_counted() -> None:
    with pytest.raises(ValueError, match="'count' must be in"):
        MinRows(count="cases")  # type: ignore[arg-type]


class ThreeLevels:
    """A growth that takes three levels."""

    def __init__(self) -> None:
        self.open_nodes = 3

    def split_level(self) -> None:
        self.open_nodes -= 1


def test_the_level_grower_splits_until_no_node_is_open() -> None:
    growth = ThreeLevels()
    Level().grow(growth)
    assert growth.open_nodes == 0
