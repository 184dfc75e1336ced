"""rpart 4.1.19: the surrogates of every node, with their cuts, sides and agreement.

Of every run without priors and losses whose tree is rpart's (see `test_rpart`), in training and
with unknown values: which columns stand in, in which order, which way each side of their test goes,
and the agreement and adjusted agreement to 1e-8.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from attrs import frozen

from treekit.table.record import Column, Table
from treekit.tree import Tree

from .originals import made_name, needs_originals
from .rpart_runs import RUNS, model_of, table_for, told
from .test_rpart import compared

pytestmark = [pytest.mark.golden, needs_originals]

LEFT, ABSENT, RIGHT = 1, 2, 3  # rpart's codes of the sides of a level
BELOW_GOES_LEFT = -1  # rpart's number of categories of a numeric split


@frozen
class Side:
    """A test as rpart tells it: a cut and whether values below it go left, or where levels go."""

    column: str
    cut: float | None
    sides: tuple[int, ...]


@frozen
class Surrogate:
    """A test that stands in, and how well it does."""

    test: Side
    agreement: float
    adjusted: float


def side_told(run: Any, row: Sequence[float], column: Column) -> Side:
    _, n_categories, _, index, _ = row
    if abs(n_categories) == 1:
        below = LEFT if n_categories == BELOW_GOES_LEFT else RIGHT
        return Side(column.name, index, (below, RIGHT + LEFT - below))
    codes = run["csplit"][int(index) - 1][: len(column.levels)]
    return Side(column.name, None, tuple(codes))


def surrogates_told(run: Any, table: Table) -> Iterator[tuple[int, Side, list[Surrogate]]]:
    """Each split node of rpart: its number, its own test and its surrogates."""
    columns = {made_name(column.name): column for column in table.columns}
    frame, splits, at = run["frame"], run["splits"], 0
    for i, var in enumerate(frame["var"]):
        if var == "<leaf>":
            continue
        own = side_told(run, splits["rows"][at], columns[var])
        first = at + 1 + frame["ncompete"][i]
        at = first + frame["nsurrogate"][i]
        yield frame["node"][i], own, [
            Surrogate(side_told(run, row, columns[name]), row[2], row[4])
            for name, row in zip(splits["var"][first:at], splits["rows"][first:at], strict=True)
        ]  # fmt: skip


def side_found(column: Column, operands: Any, flipped: bool, left: int) -> Side:
    """Our test in rpart's words, where its branch `left` is what rpart calls left."""

    def code(branch: int) -> int:
        if branch < 0:
            return ABSENT
        return LEFT if (1 - branch if flipped else branch) == left else RIGHT

    if column.kind == "nominal":
        return Side(column.name, None, tuple(code(int(b)) for b in operands))
    cut = float(operands[0])
    if column.kind == "ordinal":
        return Side(column.name, None, tuple(code(int(i > cut)) for i in range(len(column.levels))))
    return Side(column.name, cut, (code(0), code(1)))


def is_same(one: Side, other: Side) -> bool:
    near = one.cut == other.cut or (
        one.cut is not None
        and other.cut is not None
        and bool(np.isclose(one.cut, other.cut, rtol=1e-8))
    )
    return one.column == other.column and one.sides == other.sides and near


def left_branch(tree: Tree, node: int, table: Table, own: Side) -> int:
    """Which of our two branches rpart calls left."""
    column = table.columns[tree.column[node]]
    for branch in (0, 1):
        if is_same(side_found(column, tree.test_operands(node), False, branch), own):
            return branch
    raise AssertionError(f"node {node} does not ask what rpart asks: {own}")


@pytest.mark.parametrize(("dataset", "name"), RUNS)
def test_surrogates_are_rparts(dataset: str, name: str) -> None:
    if compared(dataset, name):
        pytest.skip("the trees differ in a tie")
    run, table = told(dataset, name), table_for(dataset, name)
    (tree,) = model_of(dataset, name).trees
    found = tree.surrogates
    assert found is not None
    ours = {1: 0}
    for number, own, expected in surrogates_told(run, table):
        node = ours[number]
        left = left_branch(tree, node, table, own)
        first = int(tree.first_child[node])
        ours[2 * number], ours[2 * number + 1] = first + left, first + 1 - left
        mine = range(int(found.first[node]), int(found.first[node + 1]))
        assert len(mine) == len(expected)
        for j, wanted in zip(mine, expected, strict=True):
            operands = found.operands[found.start[j] : found.start[j + 1]]
            column = table.columns[found.column[j]]
            test = side_found(column, operands, bool(found.flipped[j]), left)
            assert is_same(test, wanted.test), (number, test, wanted.test)
            assert found.agreement[j] == pytest.approx(wanted.agreement, abs=1e-8)
            assert found.adjusted[j] == pytest.approx(wanted.adjusted, abs=1e-8)
