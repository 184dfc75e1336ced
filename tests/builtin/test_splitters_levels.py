"""Two groups of a column's levels: one against the rest, or any two."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin import Entropy, Gini, MinRows, OneVsRest, Subset, Variance

from tests.engine.tables import tables
from treekit import NOWHERE, Column, Schema, Table, fit, load_dataset

from ..properties import examples
from .offering import groups_of, root_offers, table_of

STATUS = 1  # of the cheat table: Single (2 yes, 2 no), Married (0, 4), Divorced (1, 1)
ABCDE = Column("x", "nominal", tuple("abcde"))


def only(table: Table, column: int) -> Table:
    """The table with one of its columns."""
    schema = Schema((table.columns[column],), table.schema.target)
    return Table(schema, table.cells[[column]], table.target_values, table.given_weights)


# --- one_vs_rest ---------------------------------------------------------------------------------


def test_the_level_that_gains_most_is_asked_for() -> None:
    """Gini: 0.42 before; Single 0.3667, Married 0.3, Divorced 0.4 after."""
    offers = root_offers(only(load_dataset("cheat"), STATUS), OneVsRest())
    assert groups_of(offers) == [1, 0, 1]
    assert offers.score[0, 0] == pytest.approx(0.12)
    assert offers.tries[0, 0] == 3


def test_every_other_level_goes_to_the_second_branch_even_an_absent_one() -> None:
    table = table_of(ABCDE, [0, 0, 1, 1, 3], [0, 0, 1, 1, 1], classes="pq")
    assert groups_of(root_offers(table, OneVsRest())) == [0, 1, 1, 1, 1]


def test_it_reads_as_a_level_and_the_others() -> None:
    table = table_of(ABCDE, [0, 1, 2, 2, 3, 4], [0, 0, 1, 1, 0, 0], classes="pq")
    model = fit("id3", table, set={"tree.splitter.nominal": "one_vs_rest"})
    assert str(model) == "x = c: q (2.0)\nx in {a, b, d, e}: p (4.0)"


def test_a_level_may_be_asked_for_below_another() -> None:
    table = table_of(ABCDE, [0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2], classes="pqr")
    model = fit("id3", table, set={"tree.splitter.nominal": "one_vs_rest", "tree.stop": "pure"})
    assert (model.trees[0].n_leaves, model.trees[0].depth) == (3, 2)


@examples(60)
@given(table=tables(unknown=False))
def test_the_best_level_is_the_best_by_definition(table: Table) -> None:
    """Each level's test, scored from the rows themselves."""
    impurity: Any = Variance() if table.task == "regression" else Entropy()
    for c, column in enumerate(table.columns):
        if column.kind == "numeric":
            continue
        found = root_offers(only(table, c), OneVsRest(), impurity=impurity).score[0, 0]
        values = table.cells[c]
        scores = [gain(table, values == level, impurity) for level in np.unique(values)]
        expected = max(scores) if len(scores) > 1 else -np.inf
        assert found == pytest.approx(expected, abs=1e-9)


def gain(table: Table, first: Any, impurity: Any) -> float:
    """What dividing the rows into `first` and the others takes from the impurity."""
    whole, *parts = (stats(table, mask) for mask in (np.ones(len(first), bool), first, ~first))
    after = sum(p[0] / whole[0] * float(impurity.impurity(p)) for p in parts)
    return float(impurity.impurity(whole)) - after


def stats(table: Table, mask: Any) -> Any:
    w, y = table.weights[mask], table.y[mask]
    if table.task == "regression":
        y = y - np.average(table.y, weights=table.weights)
        return np.array([w.sum(), (w * y).sum(), (w * y * y).sum()])
    return np.concatenate([[w.sum()], np.bincount(y.astype(int), w, len(table.schema.classes))])


# --- subset --------------------------------------------------------------------------------------


@examples(60)
@given(table=tables(), which=st.booleans())
def test_with_two_classes_or_a_number_the_order_is_sufficient(table: Table, which: bool) -> None:
    """Breiman et al. 1984, theorem 4.5."""
    if len(table.schema.classes) > 2:
        return
    impurity: Any = Variance() if table.task == "regression" else (Gini() if which else Entropy())
    for c, column in enumerate(table.columns):
        if column.kind != "nominal":
            continue
        one, other = (
            root_offers(only(table, c), Subset(divisions=d), impurity=impurity)
            for d in ("sufficient", "every")
        )
        assert one.score[0, 0] == pytest.approx(other.score[0, 0], abs=1e-9)


THREE = (  # a: p and q alike, b: r, c: p, d: q
    [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3],
    [0, 0, 1, 1, 2, 2, 2, 0, 0, 0, 1, 1, 1],
)


@pytest.mark.parametrize(
    ("splitter", "tries"),
    [
        (Subset(), 7),
        (Subset(divisions="every"), 7),
        (Subset(divisions="ordered"), 3),
        (Subset(exhaustive=3), 3),
        (Subset(exhaustive=3, divisions="every"), 3),
    ],
)
def test_tries_are_the_divisions_weighed(splitter: Subset, tries: int) -> None:
    """Four levels have 7 divisions into two groups, and 3 in one order."""
    table = table_of(ABCDE, *THREE, classes="pqr")
    assert root_offers(table, splitter).tries[0, 0] == tries


def test_with_two_classes_every_division_is_weighed_if_wanted() -> None:
    table = table_of(ABCDE, [0, 0, 1, 1, 2, 2, 3], [0, 1, 0, 0, 1, 1, 0], classes="pq")
    found = [root_offers(table, Subset(divisions=d)).tries[0, 0] for d in ("sufficient", "every")]
    assert found == [3, 7]


def test_the_order_of_three_classes_may_miss_the_best_division() -> None:
    """The first of the greatest classes, p, is in b (half of it) and d (half), not in a and c."""
    table = table_of(ABCDE, [0, 1, 1, 1, 1, 2, 3, 3], [1, 0, 0, 2, 2, 2, 0, 1], classes="pqr")
    found = {d: groups_of(root_offers(table, Subset(divisions=d))) for d in ("ordered", "every")}
    assert found == {"ordered": [0, 1, 1, 1, NOWHERE], "every": [0, 1, 1, 0, NOWHERE]}


def test_an_absent_level_goes_nowhere() -> None:
    table = table_of(ABCDE, [0, 0, 1, 1], [0, 0, 1, 1], classes="pq")
    assert groups_of(root_offers(table, Subset())) == [1, 0, NOWHERE, NOWHERE, NOWHERE]


@pytest.mark.parametrize("divisions", ["sufficient", "every", "ordered"])
@pytest.mark.parametrize("classes", ["pq", "pqr", ""])
def test_many_levels_are_divided_in_order(divisions: Any, classes: str) -> None:
    levels = 40
    column = Column("x", "nominal", tuple(f"level {i}" for i in range(levels)))
    values = np.repeat(np.arange(levels), 3)
    y = (values % max(len(classes), 2)).astype(float)
    table = table_of(column, values, y, classes=classes)
    offers = root_offers(table, Subset(divisions=divisions))
    assert offers.tries[0, 0] == levels - 1
    first = np.array(groups_of(offers)) == groups_of(offers)[0]
    # Levels of one target value stay together.
    assert all(len(set(first[k :: max(len(classes), 2)])) == 1 for k in range(2))


def test_the_branch_minimum_holds_for_every_division() -> None:
    table = table_of(ABCDE, *THREE, classes="pqr")
    offers = root_offers(table, Subset(divisions="every"), stop=(MinRows(branch=6),))
    sizes = np.bincount(np.array(groups_of(offers))[THREE[0]])
    assert sizes.min() >= 6
