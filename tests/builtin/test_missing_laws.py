"""Laws of all missing-value handlers, and scores held to an exhaustive search of the definition."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st
from treekit_builtin import (
    DefaultDirection,
    DropRows,
    Entropy,
    Gini,
    MaxDepth,
    MinRows,
    Multiway,
    OwnBranch,
    Pure,
    Refuse,
    Subset,
    Threshold,
    Typical,
    Variance,
)

from treekit import NOWHERE, DataError, Floats, Ints, Table, ends
from treekit.engine import growth
from treekit.testing.expecting import expect_same_tree
from treekit.tree import STAY

from ..properties import examples
from .unknowns import EVERY_HANDLER, UNKNOWN, gappy_tables, learned, one_test

COUNTING = (OwnBranch(), DefaultDirection(), Typical("node"), Typical("class"))


def statistics(table: Table, some: Any) -> Floats:
    """The statistics of some rows, by their definition."""
    weights, y = table.weights[some], table.y[some]
    if table.task == "regression":
        return np.array([weights.sum(), (weights * y).sum(), (weights * y * y).sum()])
    counts = np.bincount(y.astype(int), weights, len(table.schema.classes))
    return np.array([weights.sum(), *counts])


def every_test(table: Table, column: int, multiway: bool) -> Iterator[tuple[Any, int]]:
    """Each test of a column: the branch of a value, and how many branches there are."""
    values = table.cells[column]
    seen = np.unique(values[~np.isnan(values)])
    if table.columns[column].kind != "nominal":
        for low, high in itertools.pairwise(seen):
            yield (lambda value, cut=(low + high) / 2: int(value > cut)), 2
    elif multiway:
        yield int, len(table.columns[column].levels)
    else:
        for size in range(1, len(seen)):
            for second in itertools.combinations(seen.tolist(), size):
                yield (lambda value, group=second: int(value in group)), 2


def typical(table: Table, column: int, some: Any) -> float:
    """The mean or the first most common level of some rows' known values; NaN: there is none."""
    values, weights = table.cells[column][some], table.weights[some]
    known = ~np.isnan(values)
    if not known.any():
        return UNKNOWN
    if table.columns[column].is_numeric:
        return float((values[known] * weights[known]).sum() / weights[known].sum())
    return float(np.bincount(values[known].astype(int), weights[known]).argmax())


def placed(missing: Any, table: Table, column: int, branch: Ints, test: Any) -> Iterator[Ints]:
    """The branch of every row, in each way in which the handler may place the unknown ones."""
    lost = branch == NOWHERE
    if not lost.any():
        yield branch
    elif isinstance(missing, OwnBranch):
        yield np.where(lost, branch.max() + 100, branch)
    elif isinstance(missing, DefaultDirection):
        for to in np.unique(branch[~lost]):
            yield np.where(lost, to, branch)
    else:
        own = typical(table, column, np.full(table.n_rows, True))
        value = np.full(table.n_rows, own)
        if missing.within == "class":
            for group in np.unique(table.y):
                of_class = typical(table, column, table.y == group)
                value[table.y == group] = own if np.isnan(of_class) else of_class
        yield np.where(lost, [test(v) for v in value], branch)


def score(impurity: Any, table: Table, branch: Ints) -> float:
    """By how much the branches lower the impurity."""
    weight = table.weights.sum()
    after = 0.0
    for b in np.unique(branch):
        stats = statistics(table, branch == b)
        after += stats[0] / weight * float(impurity.impurity(stats))
    return float(impurity.impurity(statistics(table, slice(None)))) - after


def best_score(missing: Any, impurity: Any, table: Table, multiway: bool) -> float:
    """The best score of any test of any column, the unknown rows counted; -inf: no test."""
    best = -np.inf
    for column in range(table.n_columns):
        for test, _ in every_test(table, column, multiway):
            known = ~np.isnan(table.cells[column])
            branch = np.full(table.n_rows, NOWHERE)
            branch[known] = [test(v) for v in table.cells[column, known]]
            if len(np.unique(branch[known])) < 2:
                continue
            for way in placed(missing, table, column, branch, test):
                if len(np.unique(way)) > 1:
                    best = max(best, score(impurity, table, way))
    return best


@pytest.mark.parametrize("multiway", [False, True])
@pytest.mark.parametrize("missing", COUNTING, ids=str)
@examples(60)
@given(table=gappy_tables(), entropy=st.booleans())
def test_the_score_is_that_of_an_exhaustive_search_with_the_unknown_rows_placed(
    missing: Any, multiway: bool, table: Table, entropy: bool
) -> None:
    assume(not (table.task == "regression" and missing == Typical("class")))
    impurity = Variance() if table.task == "regression" else Entropy() if entropy else Gini()
    nominal = Multiway() if multiway else Subset(divisions="every")
    splitter = {"numeric": Threshold(), "ordinal": Threshold(), "nominal": nominal}
    tree = one_test(missing, table, impurity=impurity, splitter=splitter)
    wanted = best_score(missing, impurity, table, multiway)
    if tree.n_nodes == 1:
        assert wanted == -np.inf or len(np.unique(table.y)) == 1
    else:
        assert tree.score[0] == pytest.approx(wanted, abs=1e-9)
        # The score is that of the very children.
        whole = float(impurity.impurity(tree.stats[0]))
        after = tree.stats[1:, 0] @ impurity.impurity(tree.stats[1:]) / tree.stats[0, 0]
        assert tree.score[0] == pytest.approx(whole - after, abs=1e-9)


@examples(60)
@given(table=gappy_tables(tasks=["classification"]), missing=st.sampled_from(COUNTING))
def test_formulas_in_blocks_and_compiled_ones_count_the_unknown_alike(
    table: Table, missing: Any
) -> None:
    class Blocks:
        def impurity(self, stats: Floats) -> Floats:
            return np.asarray(Gini().impurity(stats))

    deep = {"stop": (Pure(), MaxDepth(3))}
    interpreted = one_test(missing, table, **deep)
    expect_same_tree(one_test(missing, table, impurity=Blocks(), **deep), interpreted, "blocks")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growth, "SMALL", -1)
        expect_same_tree(one_test(missing, table, **deep), interpreted, "compiled")


def accepts(missing: Any, table: Table) -> bool:
    try:
        getattr(missing, "check", lambda table: None)(table)
    except DataError:
        return False
    return True


@pytest.mark.parametrize("missing", [m for m in EVERY_HANDLER if m != Refuse()], ids=str)
@examples(25)
@given(table=gappy_tables(), branch=st.integers(1, 3))
def test_every_row_is_answered(missing: Any, table: Table, branch: int) -> None:
    assume(accepts(missing, table))
    stop = (Pure(), MaxDepth(4), MinRows(branch=branch))
    model = learned(missing, table, stop=stop)
    nothing = Table(table.schema, np.full((table.n_columns, 1), UNKNOWN))
    for rows in (table, nothing):
        if table.task == "regression":
            answers = model.predict(rows)
            assert ((answers >= table.y.min() - 1e-9) & (answers <= table.y.max() + 1e-9)).all()
        else:
            np.testing.assert_allclose(model.predict_proba(rows).sum(axis=1), 1.0)
            found = ends(model.trees[0], rows)
            np.testing.assert_allclose(np.bincount(found.row, found.share), 1.0)


@examples(60)
@given(table=gappy_tables(gaps=0.0))
def test_without_unknown_values_every_handler_grows_the_same_tree(table: Table) -> None:
    assume(not np.isnan(table.cells).any())
    stop = (Pure(), MaxDepth(4))
    grown = [
        one_test(missing, table, stop=stop) for missing in EVERY_HANDLER if accepts(missing, table)
    ]
    assert len(grown) >= len(EVERY_HANDLER) - 1
    nowhere = np.full_like(grown[0].unknown, STAY)
    for tree in grown:
        plain = evolve(tree, unknown=nowhere, surrogates=None)
        expect_same_tree(plain, evolve(grown[0], unknown=nowhere, surrogates=None), "another tree")


@examples(25)
@given(table=gappy_tables())
def test_dropping_rows_is_growing_on_the_rest(table: Table) -> None:
    assume(accepts(DropRows(), table))
    whole = table.take(~np.isnan(table.cells).any(axis=0))
    dropped = one_test(DropRows(), table)
    expect_same_tree(dropped, one_test(DropRows(), whole), "rows were not dropped")


@examples(25)
@given(table=gappy_tables())
def test_a_filled_table_grows_the_tree_of_typical_values_of_the_table(table: Table) -> None:
    cells = table.cells.copy()
    for column, values in enumerate(cells):
        every = np.full(table.n_rows, True)
        values[np.isnan(values)] = typical(table, column, every)
    filled = Table(table.schema, cells, table.y, table.given_weights)
    grown = one_test(Typical("table"), table)
    expect_same_tree(grown, one_test(Typical("table"), filled), "another table was grown on")
