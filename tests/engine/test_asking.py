"""Where few columns are drawn, nodes look in bins or in order; the tree is that of levels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import evolve
from treekit_builtin import Entropy, MajorityBranch, MinRows, Pure

from tests.engine.recipes import parts
from tests.engine.test_finishing import finished_from, grown
from treekit import Column, Floats, Schema, Table
from treekit.engine import best_cuts
from treekit.engine.growth import Growing
from treekit.engine.subtrees.asking import BINNED_FROM
from treekit.testing.expecting import expect_same_tree

WHOLE = 1 << 17


def noisy(rows: int, weights: Floats | None = None, ties: int = 0, constant: int = 0) -> Table:
    """Eight columns and two classes that they tell apart badly; some columns tell nothing."""
    rng = np.random.default_rng(rows)
    cells = rng.normal(size=(8, rows))
    y = (cells[:4].sum(axis=0) + 2 * rng.normal(size=rows) > 0).astype(float)
    if ties:
        cells = np.round(cells * ties) / ties
    cells[:constant] = 1.0
    columns = tuple(Column(f"x{i}", "numeric") for i in range(8))
    return Table(Schema(columns, Column("y", "nominal", ("no", "yes"))), cells, y, weights)


def bag(rows: int) -> Floats:
    """How often a bootstrap sample has each row."""
    drawn = np.random.default_rng(rows).integers(rows, size=rows)
    return np.bincount(drawn, minlength=rows).astype(float)


def asked(table: Table, columns: int, **others: Any) -> int:
    growth = Growing(table, parts(table, **others), np.random.default_rng(0), columns=columns)
    assert growth.finishing is not None
    return growth.finishing.asked


TABLES = {
    "bag": noisy(1500, bag(1500)),
    "unweighted": noisy(1500),
    "ties": noisy(1500, bag(1500), ties=30),
    "constant columns": noisy(1500, bag(1500), constant=6),
    "counted columns": noisy(1500, bag(1500), ties=2),
    # So many that cases are numbered anew on the way.
    "many rows": noisy(20_000, bag(20_000)),
}


@pytest.mark.parametrize("name", list(TABLES))
@pytest.mark.parametrize("columns", [1, 3])
def test_the_tree_is_that_of_levels(name: str, columns: int) -> None:
    table = TABLES[name]
    assert asked(table.take(table.weights > 0), columns) == columns
    assert table.n_rows > 4 * BINNED_FROM
    with finished_from(0):
        by_levels = grown(table, columns)
    with finished_from(WHOLE):
        expect_same_tree(grown(table, columns), by_levels, name)


@pytest.mark.parametrize("least", [5, 60])
def test_branches_hold_what_the_stop_rules_ask_for(least: int) -> None:
    table = noisy(1500, bag(1500), ties=30)
    others: dict[str, Any] = {"stop": (Pure(), MinRows(branch=least)), "impurity": Entropy()}
    with finished_from(0):
        by_levels = grown(table, 2, **others)
    with finished_from(WHOLE):
        tree = grown(table, 2, **others)
    expect_same_tree(tree, by_levels, f"at least {least}")
    assert tree.rows[1:].min() >= least


def test_bins_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = noisy(1500, bag(1500))
    monkeypatch.setattr(best_cuts, "BINNED_FROM", WHOLE)
    with finished_from(0):
        in_order = grown(table, 3)
    with finished_from(WHOLE):
        expect_same_tree(grown(table, 3), in_order, "in bins")


def test_columns_are_handed_on_where_sums_depend_on_their_order() -> None:
    table = noisy(300)
    assert asked(table, 3) == 3
    assert asked(evolve(table, given_weights=np.full(300, 0.1)), 3) == 0
    unknown = table.cells.copy()
    unknown[0, 0] = np.nan
    assert asked(Table(table.schema, unknown, table.y), 3, missing=MajorityBranch()) == 0


def test_columns_are_handed_on_where_all_are_asked_about() -> None:
    assert asked(noisy(300), 8) == 0
