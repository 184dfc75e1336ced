"""Answers that depend on the row."""

from __future__ import annotations

import attrs
import numpy as np
import pytest

from treekit.compiling import SMALL
from treekit.leaf_models import POWERS, Term, additive, leaf_answers, nearest
from treekit.route import answers_for, visits
from treekit.table.record import Table
from treekit.testing.samples import sample_table
from treekit.tree import SPREAD

from .by_hand import table_of
from .with_extras import RENT, among_rows, chances, lines


@pytest.mark.parametrize(
    ("row", "rent"),
    [
        ((40.0, "low", "york"), 100 - 20),
        ((60.0, "high", "hull"), 100 + 20),
        ((None, "high", "hull"), 100),
        ((80.0, "low", "leeds"), 250 + 10 + (1 - 3.5)),
        ((82.0, None, "york"), 250 + 3 - 1),
        ((70.0, "high", None), 250 + (1 + 3.5) - 15 - 25),
    ],
)
def test_a_leaf_adds_up_its_terms(row: tuple[object, ...], rent: float) -> None:
    assert lines().predict(table_of(RENT, row)) == pytest.approx([rent])


def test_softmax_gives_shares() -> None:
    """By hand: weights 0.375 e * 0.5 and 0.625 e^(0.5 - 1) * 0.75."""
    model = chances()
    no, yes = 0.375 * np.e * 0.5, 0.625 * np.exp(-0.5) * 0.75
    found = model.predict_proba(table_of(model.schema, (11.0, "leeds")))
    assert found == pytest.approx(np.array([[no, yes]]) / (no + yes))
    assert model.predict(table_of(model.schema, (11.0, "leeds"), (9.0, None))).tolist() == [
        "no",
        "yes",
    ]


def test_a_spread_row_is_answered_by_each_leaf_in_part() -> None:
    """4 of 6 parts of the first leaf's 100, 2 of the second's 250 and town's 10."""
    model = lines()
    tree = attrs.evolve(model.trees[0], unknown=np.full(3, SPREAD, np.int32))
    table = table_of(RENT, (None, None, "leeds"))
    found = answers_for(tree, model.answers[0], table, model.leaf_models[0])
    assert found == pytest.approx((4 * 100 + 2 * 260) / 6)


def test_large_tables_are_answered_as_small_ones_are() -> None:
    model = lines()
    rng = np.random.default_rng(0)
    cells = np.stack([rng.uniform(0, 120, SMALL), *rng.integers(0, 2, (2, SMALL))])
    cells[rng.random(cells.shape) < 0.1] = np.nan
    table = Table(RENT, cells)
    parts = np.concatenate(
        [model.predict(table.take(np.arange(i, i + 60))) for i in range(0, 600, 60)]
    )
    assert model.predict(table)[:600] == pytest.approx(parts)


@pytest.mark.parametrize("value", [-1.7e308, 1.7e308])
@pytest.mark.parametrize("slope", [-1e300, 0.0, 1e300])
@pytest.mark.parametrize("link", ["identity", "softmax"])
def test_no_row_is_answered_by_infinity(value: float, slope: float, link: str) -> None:
    coefficients = np.array([[0.0, 0.0], [slope, -slope], [-slope, slope]])
    models = additive(link, np.zeros((1, 2)), [[Term(0, POWERS, coefficients, -1e308)]])
    one = np.zeros(1, np.int64)
    table = attrs.evolve(sample_table("regression", ("numeric",)), cells=np.full((4, 1), value))
    assert np.isfinite(leaf_answers(models, table, one, one)).all()


def test_terms_are_told_as_they_were_given() -> None:
    (models,) = lines().leaf_models
    assert [len(models.terms(node)) for node in range(3)] == [0, 1, 3]
    last = models.terms(2)[-1]
    assert (last.column, last.kind, last.centre) == (0, POWERS, 80.0)
    assert last.coefficients[:, 0].tolist() == [0.0, 1.5, -0.25]


def test_visits_are_the_rows_that_reach_each_node() -> None:
    model = lines()
    rows = [(area, None, None) for area in (30.0, 90.0, None, 50.0, 61.0)]
    found = {
        node: (list(r), list(w)) for node, r, w in visits(model.trees[0], table_of(RENT, *rows))
    }
    assert found == {
        0: ([0, 1, 2, 3, 4], [1.0] * 5),
        1: ([0, 2, 3], [1.0] * 3),
        2: ([1, 4], [1.0] * 2),
    }


def test_visits_share_out_what_is_spread() -> None:
    tree = attrs.evolve(lines().trees[0], unknown=np.full(3, SPREAD, np.int32))
    table = table_of(RENT, *[(area, None, None) for area in (30.0, 90.0, None, 50.0)])
    found = {node: dict(zip(r, w, strict=True)) for node, r, w in visits(tree, table)}
    assert found[1] == pytest.approx({0: 1.0, 2: 2 / 3, 3: 1.0})
    assert found[2] == pytest.approx({1: 1.0, 2: 1 / 3})


def test_the_nearest_rows_of_the_leaf_answer() -> None:
    """By hand: from (12, m, york) it is 0.1 to the second row and sqrt(1.04) to the first."""
    model = among_rows()
    table = table_of(model.schema, (12.0, "m", "york"), (13.0, "l", "leeds"), (None, None, None))
    found = model.predict_proba(table)
    assert found[0] == pytest.approx([1.0, 0.0])
    (models,) = model.leaf_models
    near = nearest(models, table, 0, 1)
    assert near.row.tolist() == [1, 0]
    assert near.distance == pytest.approx([0.1, (0.2**2 + 1) ** 0.5])
    assert near.weight == pytest.approx([1, 1])
    assert np.isfinite(found).all()


def test_rows_of_two_leaves_are_answered_at_once_in_their_order() -> None:
    model = among_rows()
    table = table_of(model.schema, *[(float(price), "m", "york") for price in (30, 10, 24, 11)])
    together = model.predict_proba(table)
    alone = [model.predict_proba(table.take(np.array([i])))[0] for i in range(4)]
    assert together == pytest.approx(np.array(alone))
