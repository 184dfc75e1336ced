"""AdaBoost.M1: AdaBoost of two classes, and where it leaves SAMME with more."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin.ensembles.rounds import NO_ERROR, TOO_WEAK

import treekit
from treekit.table.record import Table

from ..properties import examples
from .boosting import classes_said, followed, noisy_tables, table_of

USES = ("adaboost", "adaboost_resampled")


@examples(40)
@given(noisy_tables(), st.sampled_from(USES))
def test_of_two_classes_it_is_samme(table: Table, use: str) -> None:
    forests = [
        followed("adaboost", table, use=use, rounds=6, multiclass=form)[0]
        for form in ("samme", "m1")
    ]
    assert forests[0].weights == forests[1].weights
    assert forests[0].facts == forests[1].facts
    for one, other in zip(*(classes_said(forest, table) for forest in forests), strict=True):
        assert (one == other).all()


@examples(40)
@given(noisy_tables(classes=4), st.sampled_from(USES))
def test_every_tree_but_a_first_is_right_on_more_than_half(table: Table, use: str) -> None:
    """Each has the vote log(1 / beta), which is above 0, however many classes there are."""
    forest, _ = followed("adaboost", table, use=use, rounds=6, multiclass="m1")
    scale = 1.0 if use == "adaboost" else 2.0
    weights = table.weights / table.weights.sum()
    if forest.facts == {TOO_WEAK: 1.0}:
        assert float(weights[classes_said(forest, table)[0] != table.y].sum()) >= 0.5 - 1e-9
        return
    for said, vote in zip(classes_said(forest, table), forest.weights, strict=True):
        right = said == table.y
        beta = weights[~right].sum() / weights[right].sum()
        assert beta < 1.0
        if beta > 0.0:
            assert scale * vote == pytest.approx(math.log(1 / beta))
        weights = np.where(right, weights * beta, weights)
        weights = weights / max(weights.sum(), 1e-300)


# Four classes along a line: a stump is right on half of the rows, where a guess is on a quarter.
LINE = table_of([[0], [1], [2], [3]], [0, 1, 2, 3], 4)


@pytest.mark.parametrize("use", USES)
def test_a_first_tree_that_errs_on_half_is_the_only_one(use: str) -> None:
    model = treekit.fit("adaboost", LINE, set={"ensemble": {"use": use, "multiclass": "m1"}})
    assert (len(model.trees), model.facts) == (1, {TOO_WEAK: 1.0})


def test_it_then_answers_as_the_stump_does() -> None:
    boosted, alone = treekit.fit("adaboost_m1", LINE), treekit.fit("stump", LINE)
    assert boosted.predict(LINE).tolist() == alone.predict(LINE).tolist()


def test_samme_goes_on_there() -> None:
    model = treekit.fit("adaboost", LINE)
    assert len(model.trees) > 1
    assert model.tree_weights[0] == pytest.approx(math.log(4 - 1))


def test_a_later_tree_that_errs_on_half_is_dropped() -> None:
    """No column tells anything: the first stump errs on 2 of 5, then its rows weigh the half."""
    table = table_of([[0]] * 5, [0, 0, 0, 1, 2], 3)
    forest, seen = followed("adaboost_m1", table)
    assert forest.weights == pytest.approx([math.log(3 / 2)])
    assert seen[1] == pytest.approx([5 / 6, 5 / 6, 5 / 6, 5 / 4, 5 / 4])
    assert (len(seen), forest.facts) == (2, {TOO_WEAK: 2.0})


def test_a_round_without_error_counts_as_of_two_classes() -> None:
    table = table_of([[0], [1], [2]], [0, 1, 2], 3)
    model = treekit.fit("adaboost_m1", table, set={"tree.stop": "pure"})
    assert model.facts == {NO_ERROR: 1.0}
    assert model.tree_weights == pytest.approx([math.log(2 * 3 + 1)])


@pytest.mark.parametrize("wrong", ["M1", "samme.r", 1, None])
def test_another_form_is_refused(wrong: Any) -> None:
    with pytest.raises(treekit.RecipeError, match="multiclass"):
        treekit.fit("adaboost", LINE, set={"ensemble.multiclass": wrong})
