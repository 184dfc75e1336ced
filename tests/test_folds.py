"""Folds, and the rules by which a row of a complexity table is chosen."""

from __future__ import annotations

import numpy as np
import pytest

from treekit.errors import DataError, TreekitError
from treekit.folds import folds_in_turn, random_folds
from treekit.subtrees import ComplexityTable
from treekit.table.record import Floats


def test_rows_are_dealt_out_in_turn() -> None:
    assert folds_in_turn(7, 3).tolist() == [0, 1, 2, 0, 1, 2, 0]


def test_random_folds_are_of_equal_size() -> None:
    dealt = random_folds(23, 5, np.random.default_rng(0))
    assert sorted(np.bincount(dealt)) == [4, 4, 5, 5, 5]
    assert dealt.tolist() != folds_in_turn(23, 5).tolist()


def test_the_same_seed_deals_the_same_folds() -> None:
    one, other = (random_folds(40, 10, np.random.default_rng(7)) for _ in range(2))
    assert one.tolist() == other.tolist()


@pytest.mark.parametrize(
    ("rows", "folds", "told"),
    [
        (6, 10, "6 rows cannot be dealt out into 10 folds; ask for 2 to 6 folds"),
        (6, 1, "6 rows cannot be dealt out into 1 folds; ask for 2 to 6 folds"),
        (1, 2, "1 row cannot be dealt out into 2 folds; give more rows"),
    ],
)
def test_folds_must_all_have_rows(rows: int, folds: int, told: str) -> None:
    with pytest.raises(DataError) as caught:
        folds_in_turn(rows, folds)
    assert str(caught.value) == told


def table(cross_error: list[float], standard_error: list[float]) -> ComplexityTable:
    n = len(cross_error)
    falling: Floats = np.linspace(1.0, 0.1, n)
    return ComplexityTable(
        falling, np.arange(n), falling, np.array(cross_error), np.array(standard_error)
    )


def test_the_least_error_is_the_first_of_equals() -> None:
    assert table([1.0, 0.5, 0.5 - 1e-15, 0.6], [0.1] * 4).least_error() == 1


@pytest.mark.parametrize(
    ("errors", "spread", "row"),
    [
        ([1.0, 0.7, 0.5, 0.6], 0.1, 2),
        ([1.0, 0.6, 0.5, 0.7], 0.1, 1),
        ([1.0, 0.7, 0.5, 0.6], 0.6, 0),
        ([0.4, 0.7, 0.5, 0.6], 0.0, 0),
    ],
)
def test_one_standard_error_above_the_least_is_good_enough(
    errors: list[float], spread: float, row: int
) -> None:
    assert table(errors, [spread] * 4).within_one_standard_error() == row


def test_without_cross_validation_nothing_can_be_chosen() -> None:
    falling = np.array([1.0, 0.5])
    bare = ComplexityTable(falling, np.arange(2), falling)
    with pytest.raises(TreekitError, match="without cross-validation"):
        bare.least_error()
