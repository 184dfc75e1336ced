"""Which rows are learned from and which are tested on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treekit.comparing import Bootstrap, CrossValidation, DataSet, FixedTest, HoldOut, LeaveOneOut
from treekit.comparing.resampling import learned_from
from treekit.errors import DataError
from treekit.folds import stratified_folds
from treekit.table.record import Column, Schema, Table


def data(classes: list[int], n_test: int = 0) -> DataSet:
    schema = Schema((Column("x", "numeric"),), Column("y", "nominal", ("a", "b", "c")))
    n = len(classes)
    return DataSet("d", Table(schema, np.arange(float(n))[None], np.array(classes, float)), n_test)


def numbers(n: int) -> DataSet:
    schema = Schema((Column("x", "numeric"),), Column("y", "numeric"))
    return DataSet("d", Table(schema, np.zeros((1, n)), np.arange(float(n))))


def drawn(how, data, seed=0):
    return how.draw(data, np.random.default_rng(seed))


WAYS = [
    CrossValidation(5, 2),
    LeaveOneOut(),
    HoldOut(0.3, 4),
    Bootstrap(6),
]


@pytest.mark.parametrize("how", WAYS, ids=lambda how: type(how).__name__)
def test_no_row_is_learned_from_and_tested_on(how):
    for fold in drawn(how, data([0, 1, 2] * 7)):
        assert not ((fold.copies > 0) & fold.tested).any()
        assert fold.tested.any()
        assert fold.copies.any()


@pytest.mark.parametrize("how", WAYS, ids=lambda how: type(how).__name__)
def test_the_same_seed_draws_the_same_folds_and_another_seed_others(how):
    digests = [
        [fold.digest for fold in drawn(how, data([0, 1, 2] * 7), seed)] for seed in (3, 3, 4)
    ]
    assert digests[0] == digests[1]
    assert (digests[0] == digests[2]) == isinstance(how, LeaveOneOut)


@pytest.mark.parametrize("table", [data([0] * 13 + [1] * 8 + [2] * 2), numbers(23)])
@pytest.mark.parametrize("how", [CrossValidation(5, 3), LeaveOneOut()])
def test_every_row_is_tested_once_in_every_repeat(how, table):
    folds = drawn(how, table)
    repeats = 1 + max(fold.repeat for fold in folds)
    assert sum(fold.tested.astype(int) for fold in folds).tolist() == [repeats] * 23


@given(st.lists(st.integers(0, 3), min_size=4, max_size=40), st.integers(2, 4), st.integers(0, 99))
def test_stratified_folds_differ_by_one_row_at_most_in_all_and_in_every_class(classes, folds, seed):
    y = np.array(classes)
    dealt = stratified_folds(y, folds, np.random.default_rng(seed))
    for rows in (np.ones(len(y), bool), *(y == c for c in set(classes))):
        sizes = np.bincount(dealt[rows], minlength=folds)
        assert sizes.max() - sizes.min() <= 1


@given(st.integers(5, 60), st.floats(0.2, 0.8), st.integers(0, 9))
def test_a_share_is_held_out_of_every_class_alike(n, share, seed):
    classes = [0] * n + [1] * (2 * n)
    (fold,) = drawn(HoldOut(share), data(classes), seed)
    assert fold.tested.sum() == round(share * len(classes))
    of_first = fold.tested[:n].sum()
    assert abs(of_first - fold.tested.sum() / 3) <= 1


def test_a_bootstrap_draws_as_many_rows_as_there_are():
    for fold in drawn(Bootstrap(10), data([0, 1] * 10)):
        assert fold.copies.sum() == 20
        assert (fold.tested == (fold.copies == 0)).all()


def test_copies_of_a_row_are_its_weight_and_rows_never_drawn_are_not_there():
    table = data([0, 1] * 10).table
    weighted = table.reweighted(np.arange(1.0, 21.0))
    fold = drawn(Bootstrap(1), data([0, 1] * 10))[0]
    for whole in (table, weighted):
        rows = learned_from(whole, fold)
        assert rows.cells[0].tolist() == np.flatnonzero(fold.copies).tolist()
        assert rows.weights.tolist() == (whole.weights * fold.copies)[~fold.tested].tolist()


def test_a_test_file_s_rows_are_tested():
    (fold,) = drawn(FixedTest(), data([0, 1, 2, 0, 1], n_test=2))
    assert fold.tested.tolist() == [False, False, False, True, True]


@pytest.mark.parametrize(
    ("how", "table", "said"),
    [
        (FixedTest(), data([0, 1]), "d: there is no test file"),
        (CrossValidation(5), data([0, 1, 2]), "3 rows cannot be dealt out into 5 folds"),
        (HoldOut(0.1), data([0, 1]), "leaves none on one side"),
        (Bootstrap(), data([0]), "2 rows at least"),
    ],
)
def test_too_few_rows_are_told(how, table, said):
    with pytest.raises(DataError, match=said):
        drawn(how, table)
