"""Rows that walk a tree many at a time end where each would end alone, by the same rule."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treekit.errors import DataError
from treekit.route import Ends, answers_for, ends
from treekit.route.descent import TOGETHER, followed, for_tree, walk
from treekit.table.record import Schema, Table
from treekit.tree import CUTS, LEAF, LEVELS, LINEAR, REFUSE, SPREAD, STAY, Tree

from .any_model import schemas, tables, trees
from .by_hand import cut, groups, grown, leaf, schema_of, table_of, total_of
from .with_extras import surrogates

COEFFICIENTS = st.floats(-2, 2).filter(bool)


@st.composite
def asked(draw: Any) -> tuple[Tree, Table]:
    """Any tree, sums and surrogates included, and more rows than walk together."""
    schema = draw(schemas())
    tree = draw(with_sums(schema, draw(trees(schema))[0]))
    tree = attrs.evolve(tree, surrogates=draw(st.none() | surrogates(schema, tree)))
    table = draw(tables(schema))
    if draw(st.booleans()):
        table = Table(schema, np.nan_to_num(table.cells))
    n_rows = draw(st.integers(0, 2 * TOGETHER + 10)) if table.n_rows else 0
    return tree, table.take(np.arange(n_rows) % max(1, table.n_rows))


@st.composite
def with_sums(draw: Any, schema: Schema, tree: Tree) -> Tree:
    """The tree with sums of columns for some of its single cuts."""
    ordered = [i for i, column in enumerate(schema.columns) if column.kind != "nominal"]
    kind, column = tree.kind.copy(), tree.column.copy()
    operands = [tree.test_operands(node) for node in range(tree.n_nodes)]
    for node in np.flatnonzero((kind == CUTS) & (np.diff(tree.start) == 1)):
        if draw(st.booleans()):
            summed = draw(st.lists(st.sampled_from(ordered), min_size=1, unique=True))
            terms = [(float(i), draw(COEFFICIENTS), 1.0) for i in summed]
            kind[node], column[node] = LINEAR, summed[0]
            operands[node] = np.concatenate([operands[node], np.ravel(terms)])
    start = np.cumsum([0, *map(len, operands)]).astype(np.int64)
    flat = np.concatenate([np.empty(0), *operands])
    return attrs.evolve(tree, kind=kind, column=column, start=start, operands=flat)


def found(tree: Tree, table: Table, rows: range, compiled: bool) -> Ends | str:
    """The ends of these rows, or why there are none."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            return ends(tree, table, compiled, rows)
    except DataError as error:
        return str(error)


def the_same(one: Ends | str, other: Ends | str) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    alike = ("row", "node", "share", "whole")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in alike)


@given(asked(), st.data())
def test_the_walk_ends_where_a_row_alone_does(given_: tuple[Tree, Table], data: Any) -> None:
    tree, table = given_
    begin = data.draw(st.integers(0, table.n_rows))
    rows = range(begin, data.draw(st.integers(begin, table.n_rows)))
    quick, general = (found(tree, table, rows, compiled) for compiled in (True, False))
    assert the_same(quick, general)


@given(asked())
def test_every_row_is_at_a_leaf_or_counted_as_left(given_: tuple[Tree, Table]) -> None:
    tree, table = given_
    if not len(tree.signs):
        return
    walked, arrays = [], followed(tree)
    for compiled in (True, False):
        at = np.full(table.n_rows, -1)
        with np.errstate(over="ignore", invalid="ignore"):
            left = for_tree(walk, arrays, compiled)(table.cells, arrays, 0, at)
        assert left == (tree.kind[at] != LEAF).sum()
        assert np.isin(tree.unknown[at[tree.kind[at] != LEAF]], (SPREAD, STAY, REFUSE)).all()
        walked.append(at)
    np.testing.assert_array_equal(*walked)


MIXED = schema_of("y: no yes", a="", b="", town="york leeds hull")
ROWS = [(a, b, town) for a in (0, 2, None) for b in (0, 5, None) for town in ("york", "hull", None)]


def mixed(unknown: int) -> Tree:
    """A cut, below it levels and a sum, and below these more cuts: of one number, and of two."""
    low = groups(
        "town",
        {
            "york": cut("b", 1, leaf(1, 0), leaf(2, 1), unknown=unknown),
            "leeds hull": leaf(0, 3),
        },
        unknown=unknown,
    )
    far = cut("b", (1, 4), leaf(1, 1), leaf(2, 0), leaf(0, 1), unknown=unknown)
    high = total_of({"a": (1.0, 1.0), "b": (-1.0, 1.0)}, 1.0, far, leaf(5, 1), unknown=unknown)
    return grown(MIXED, cut("a", 1, low, high, unknown=unknown))[0]


@pytest.mark.parametrize("unknown", [0, 1, STAY, SPREAD])
def test_a_walk_goes_on_after_a_test_that_is_no_single_cut(unknown: int) -> None:
    tree, table = mixed(unknown), table_of(MIXED, *ROWS)
    kinds = {CUTS, LEVELS, LINEAR, LEAF}
    assert set(tree.kind.tolist()) == kinds
    for rows in (range(table.n_rows), range(5, table.n_rows), range(13, 14)):
        assert the_same(*(found(tree, table, rows, compiled) for compiled in (True, False)))


def test_known_values_end_whole_whatever_becomes_of_unknown_ones() -> None:
    table = table_of(MIXED, *(row for row in ROWS if None not in row))
    for unknown in (STAY, SPREAD, REFUSE):
        for compiled in (True, False):
            there = ends(mixed(unknown), table, compiled)
            assert there.whole
            assert there.row.tolist() == list(range(table.n_rows))
            assert (there.share == 1.0).all()


def test_a_row_that_is_spread_is_not_whole() -> None:
    table = table_of(MIXED, (0, 0, "york"), (None, 0, "york"))
    for compiled in (True, False):
        there = ends(mixed(SPREAD), table, compiled)
        assert not there.whole
        assert there.row[0] == 0
        assert set(there.row[1:].tolist()) == {1}
        assert there.share[1:].sum() == pytest.approx(1.0)


def test_a_row_of_which_a_part_is_lost_is_not_whole() -> None:
    tree, answers = grown(MIXED, cut("a", 1, leaf(0, 0), leaf(2, 2)))
    tree = attrs.evolve(tree, stats=tree.stats * [[2], [1], [1]])
    table = table_of(MIXED, (None, 0, "york"))
    for compiled in (True, False):
        there = ends(tree, table, compiled)
        assert (there.node.tolist(), there.share.tolist(), there.whole) == ([2], [0.5], False)
        assert answers_for(tree, answers, table, None, compiled).tolist() == [[0.25, 0.25]]


def test_of_refused_rows_the_first_is_told() -> None:
    rows = [(0, 0, "hull")] * (TOGETHER + 3) + [(2, None, "hull"), (None, 0, "hull")]
    told = "row 132 (counted from 1) has no known value in column 'b'"
    for compiled in (True, False):
        with pytest.raises(DataError, match=told.replace("(", r"\(").replace(")", r"\)")):
            ends(mixed(REFUSE), table_of(MIXED, *rows), compiled)


def test_signs_lead_from_single_cuts_only() -> None:
    tree = mixed(0)
    single = [
        i for i in range(tree.n_nodes) if tree.kind[i] == CUTS and len(tree.test_operands(i)) == 1
    ]
    assert len(single) == 2
    for node, sign in enumerate(tree.signs):
        if node in single:
            assert sign["cut"] == tree.test_operands(node)[0]
            assert (sign["column"], sign["first"]) == (tree.column[node], tree.first_child[node])
        else:
            assert sign["first"] == node
    assert len(grown(MIXED, leaf(1, 2))[0].signs) == 0


def deep(levels: int) -> Tree:
    """Cuts one below the other, by turns of a and b, each with a leaf beside the next."""
    node = leaf(0, 8)
    for level in reversed(range(levels)):
        node = cut("ab"[level % 2], level, leaf(8, 0), node, unknown=0)
    return grown(MIXED, node)[0]


def test_the_first_steps_are_those_that_lead_a_third_of_the_rows() -> None:
    assert deep(4).rows[:8:2].tolist() == [40, 32, 24, 16]
    assert deep(4).straight == 4
    assert deep(9).straight == 7  # of 80 rows 32 come to the seventh cut, 24 to the next
    assert grown(MIXED, leaf(1, 2))[0].straight == 0
    below = groups("town", {"york": cut("a", 1, leaf(1, 0), leaf(0, 1)), "hull": leaf(1, 1)})
    assert grown(MIXED, below)[0].straight == 0


def test_columns_of_single_cuts() -> None:
    assert deep(2).cut_columns.tolist() == [0, 1]
    assert mixed(0).cut_columns.tolist() == [0, 1]
    assert grown(MIXED, leaf(1, 2))[0].cut_columns.tolist() == []


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("every", [0, 1, 7, TOGETHER + 1])
def test_rows_go_the_same_way_whether_or_not_those_beside_them_are_known(
    every: int, order: Any
) -> None:
    tree = deep(12)
    cells = np.random.default_rng(3).integers(-1, 14, (3, 5 * TOGETHER + 9)).astype(float)
    cells[2] = 0
    cells[:2, :50] = [[np.inf], [-np.inf]]
    if every:
        cells[0, ::every] = np.nan
    table = Table(MIXED, np.asarray(cells, order=order))
    assert the_same(*(found(tree, table, range(3, table.n_rows), way) for way in (True, False)))


def test_unknown_values_are_looked_for_where_that_is_worth_it() -> None:
    wide = schema_of("y: no yes", **{f"x{i}": "" for i in range(40)})
    node = leaf(0, 900)
    for i in range(40):
        node = cut(f"x{i}", 0, leaf(1, 0), node)
    long, short = (grown(wide, root)[0] for root in (node, cut("x0", 0, leaf(9000, 0), node)))
    assert (long.straight, short.straight) == (40, 1)
    assert followed(long).known.tolist() == list(range(40))
    assert TOGETHER // 4 <= followed(long).together < TOGETHER
    assert len(followed(short).known) == 0
    assert followed(deep(4)).together == followed(short).together == TOGETHER
