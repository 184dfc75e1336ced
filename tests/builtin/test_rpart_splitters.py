"""rpart's own sums: the tests of `threshold` and `subset`, decided among by the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from treekit_builtin.splitters.places import below_midpoint, midpoint
from treekit_builtin.splitters.rpart_class import altered_priors

import treekit
from treekit.table.record import Column, Schema, Table
from treekit.testing.samples import sample_table

X = Column("x", "numeric")
CLASSES = Column("y", "nominal", ("a", "b"))


def of_classes(x: list[float], y: list[int]) -> Table:
    return Table(Schema((X,), CLASSES), np.array([x], float), np.array(y, float))


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_root_is_split_as_the_plain_recipe_splits_it(task: str) -> None:
    plain, own = {
        "classification": ("cart", "rpart"),
        "regression": ("regression", "rpart_regression"),
    }[task]
    table = sample_table(task, rows=200, seed=4)
    one, other = (
        treekit.fit(recipe, table, set={"tree.pruner.alpha": 0.0}).trees[0]
        for recipe in (plain, own)
    )
    assert other.column[0] == one.column[0]
    assert sorted(other.rows[1:3]) == sorted(one.rows[1:3])


def test_a_column_with_too_many_levels_for_three_classes_is_refused() -> None:
    levels = tuple(f"level {i}" for i in range(21))
    columns = (Column("few", "nominal", ("u", "v")), Column("many", "nominal", levels))
    cells = np.array([np.arange(42) % 2, np.arange(42) % 21], float)
    three = Table(
        Schema(columns, Column("y", "nominal", ("a", "b", "c"))), cells, np.arange(42.0) % 3
    )
    with pytest.raises(treekit.DataError, match=r"'many' has 21 levels.* 20 are the most"):
        treekit.fit("rpart", three)
    treekit.fit("rpart", Table(Schema(columns, CLASSES), cells, np.arange(42.0) % 2))


def test_a_number_in_the_very_middle_goes_up() -> None:
    table = of_classes([1.0] * 10 + [3.0] * 10, [0] * 10 + [1] * 10)
    middle = of_classes([2.0], [0])
    answers = {
        recipe: treekit.fit(recipe, table).predict(middle).tolist() for recipe in ("cart", "rpart")
    }
    assert answers == {"cart": ["a"], "rpart": ["b"]}


@pytest.mark.parametrize(
    ("low", "high", "middle", "below"),
    [
        (1.0, 3.0, 2.0, np.nextafter(2.0, 0.0)),
        # Neighbouring floats have nothing between them: the lower one is the cut.
        (1.0, np.nextafter(1.0, 2.0), 1.0, 1.0),
    ],
)
def test_cuts_lie_between_their_neighbours(
    low: float, high: float, middle: float, below: float
) -> None:
    one, other = np.array([low]), np.array([high])
    assert midpoint(one, other).tolist() == [middle]
    assert below_midpoint(one, other).tolist() == [below]


def test_the_improvement_is_the_weight_times_the_fall_of_gini() -> None:
    table = of_classes([1.0] * 10 + [3.0] * 10, [0] * 9 + [1] * 11)
    (tree,) = treekit.fit("rpart", table).trees
    # Of 20 rows (9, 11): 20 * 0.495 before; after (9, 1) and (0, 10): 10 * 0.18.
    assert tree.score[0] == pytest.approx(20 * 0.495 - 10 * 0.18)


def test_altered_priors_are_one_but_for_the_rounding_that_rpart_keeps() -> None:
    three = Column("y", "nominal", ("a", "b", "c"))
    y = np.repeat([0.0, 1.0, 2.0], [152, 68, 124])
    table = Table(Schema((X,), three), np.zeros((1, len(y))), y)
    # The shares are added up to a hair less than 1 (rpart on the penguins).
    assert altered_priors(table).tolist() == [1.0000000000000002] * 3


def by_definition(table: Table, rows: np.ndarray, column: int, prior: np.ndarray) -> float:
    """The greatest improvement of a cut, each cut looked at by itself."""
    x, y = table.cells[column, rows], table.y[rows].astype(int)
    x, y = x[~np.isnan(x)], y[~np.isnan(x)]

    def gini(some: np.ndarray) -> float:
        share = prior * np.bincount(y[some], minlength=len(prior)) / some.sum()
        return float(some.sum() * (share * (1 - share)).sum())

    every = np.ones(len(x), dtype=bool)
    return max(
        gini(every) - gini(x <= cut) - gini(x > cut)
        for cut in np.unique(x)[:-1]
        if 7 <= (x <= cut).sum() <= len(x) - 7
    )


@pytest.mark.parametrize("rows", [300, 3000])
def test_the_root_has_the_best_of_all_cuts(rows: int) -> None:
    """Interpreted and compiled; with ties and unknown values."""
    rng = np.random.default_rng(2)
    cells = np.round(rng.normal(size=(3, rows)), 1)
    y = (cells.sum(axis=0) + rng.normal(size=rows) > 0).astype(float)
    cells[rng.random(cells.shape) < 0.1] = np.nan
    table = Table(Schema(tuple(Column(n, "numeric") for n in "uvw"), CLASSES), cells, y)
    best = [by_definition(table, np.arange(rows), c, altered_priors(table)) for c in range(3)]
    (tree,) = treekit.fit("rpart", table).trees
    assert tree.score[0] == pytest.approx(max(best), rel=1e-12)
    assert tree.column[0] == int(np.argmax(best))


@pytest.mark.parametrize("rows", [200, 3000])
def test_rows_that_are_spread_over_branches_count_in_each(rows: int) -> None:
    table = sample_table("classification", rows=rows, seed=4)
    (tree,) = treekit.fit("rpart", table, set={"tree.missing": "fractional"}).trees
    inner = np.flatnonzero(~tree.is_leaf)
    below = tree.sum_over_children(tree.stats[:, 0])
    np.testing.assert_allclose(below[inner], tree.stats[inner, 0])
