"""Every ordered column is ranked once, and nothing of it is lost."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from treekit import DataError
from treekit.table import ranking
from treekit.table.ranking import Rankings, rankings, with_classes
from treekit.table.record import Column, Floats, Ints, Schema, Table

COLUMNS = [0, 1, 2, 3]
CLASSES = ("a", "b", "c")


def cells_of(seed: int, rows: int) -> Floats:
    """Ties, unknown values, a constant column and an empty one."""
    rng = np.random.default_rng(seed)
    some = rng.integers(-3, 4, (4, rows)).astype(float)
    some[1] = rng.normal(size=rows)
    some[0, rng.random(rows) < 0.3] = np.nan
    some[2] = 7.0
    some[3] = np.nan
    return some


def table_of(seed: int, rows: int) -> Table:
    columns = tuple(Column(f"x{i}", "numeric") for i in COLUMNS)
    classes = np.random.default_rng(seed).integers(0, 3, rows).astype(float)
    return Table(Schema(columns, Column("y", "nominal", CLASSES)), cells_of(seed, rows), classes)


def values_of(ranked: Rankings) -> Floats:
    """[columns, rows]: the values that the ranks stand for."""
    found = []
    for i, codes in enumerate(ranked.codes):
        values = np.append(ranked.values[ranked.start[i] : ranked.start[i + 1]], np.nan)
        found.append(values[codes >> np.uint32(ranked.class_bits)])
    return np.array(found)


def classes_of(ranked: Rankings) -> Ints:
    """[columns, rows]: the classes that the codes hold."""
    return (ranked.codes & np.uint32((1 << ranked.class_bits) - 1)).astype(np.int64)


@given(st.integers(0, 99), st.integers(1, 40))
def test_ranks_give_every_value_back(seed: int, rows: int) -> None:
    cells = cells_of(seed, rows)
    ranked = rankings(cells, COLUMNS)
    np.testing.assert_array_equal(values_of(ranked), cells)
    for column, values in enumerate(cells):
        known = values[~np.isnan(values)]
        assert ranked.distinct(column).tolist() == sorted(set(known))
        assert ranked.once[column] == (len(set(known)) == len(known))


@given(st.integers(0, 99), st.integers(1, 40))
def test_codes_hold_the_class_of_each_row(seed: int, rows: int) -> None:
    table = table_of(seed, rows)
    np.testing.assert_array_equal(values_of(table.rankings), table.cells)
    assert (classes_of(table.rankings) == table.y).all()


def test_only_the_ordered_columns_are_ranked() -> None:
    ranked = rankings(cells_of(1, 20), [1, 2])
    assert ranked.columns.tolist() == [1, 2]
    assert ranked.distinct(2).tolist() == [7.0]
    assert len(ranked.codes) == 2


@pytest.mark.parametrize("share", [0.02, 0.5, 0.99, 0.0, 1.0])
def test_the_rankings_of_some_rows_are_those_of_a_table_that_has_no_others(share: float) -> None:
    whole = table_of(5, 60)
    kept = np.random.default_rng(2).random(60) < share
    for rows in (kept, np.flatnonzero(kept)[::-1]):
        some = whole.take(rows)
        np.testing.assert_array_equal(values_of(some.rankings), some.cells)
        assert (classes_of(some.rankings) == some.y).all()
        for column in COLUMNS:
            alone = rankings(some.cells, COLUMNS).distinct(column)
            np.testing.assert_array_equal(some.distinct(column), alone)


def test_rows_taken_twice_have_no_value_once() -> None:
    table = table_of(3, 30)
    assert table.rankings.once[1]
    assert table.take(np.arange(30) < 20).rankings.once[1]
    assert not table.take(np.array([4, 4, 5])).rankings.once.any()


def test_another_target_changes_the_classes_alone() -> None:
    table = table_of(3, 30)
    two = table.aiming_at(Column("z", "nominal", ("no", "yes")), (table.y > 0).astype(float))
    number = table.aiming_at(Column("z", "numeric"), table.y / 2)
    for other in (two, number):
        np.testing.assert_array_equal(values_of(other.rankings), table.cells)
    assert (classes_of(two.rankings) == two.y).all()
    assert number.rankings.class_bits == 0


def test_other_weights_leave_the_rankings() -> None:
    table = table_of(3, 30)
    assert table.reweighted(np.arange(30.0)).rankings is table.rankings


def test_a_table_with_other_cells_or_another_target_has_other_rankings() -> None:
    schema = Schema((Column("x", "numeric"),), Column("y", "nominal", ("a", "b")))
    table = Table(schema, np.array([[3.0, 1.0, 2.0]]), np.array([0.0, 1.0, 0.0]))
    again = table.reweighted(np.array([1.0, 2.0, 1.0]))
    changed = evolve(again, cells=np.array([[7.0, 8.0, 7.0]]))
    assert changed.distinct(0).tolist() == [7.0, 8.0]
    aimed = evolve(again, target_values=np.array([1.0, 1.0, 0.0]))
    assert classes_of(aimed.rankings).tolist() == [[1, 1, 0]]


def test_codes_that_do_not_fit_are_told() -> None:
    many = evolve(rankings(cells_of(1, 4), [1]), start=np.array([0, 1 << 28]))
    with pytest.raises(DataError, match="268,435,456 different values is too much for 40 classes"):
        with_classes(many, np.zeros(4), 40)


NUMBERS = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from([0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 1.0, np.nextafter(1.0, 2.0)]),
)


@given(st.lists(NUMBERS, min_size=1, max_size=60))
def test_a_long_column_gets_the_ranks_of_a_short_one(numbers: list[float]) -> None:
    values = np.array(numbers)
    wanted, found = np.empty(len(values), np.uint32), np.empty(len(values), np.uint32)
    rows, others = np.empty(len(values), np.uint32), np.empty(len(values), np.uint32)
    n_distinct, once = ranking._rank(values[None], wanted[None], rows)
    ranked = ranking._rank_by_words(values, found, others)
    if ranked is not None:
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(values[others[: ranked[0][0]]], values[rows[: n_distinct[0]]])
        assert ranked[1] == once


@given(st.lists(st.one_of(st.integers(-40, 40).map(float), NUMBERS), min_size=1, max_size=60))
def test_whole_numbers_get_the_ranks_of_any(numbers: list[float]) -> None:
    values = np.array(numbers)
    wanted, found = np.empty(len(values), np.uint32), np.empty(len(values), np.uint32)
    rows, others = np.empty(len(values), np.uint32), np.empty(len(values), np.uint32)
    n_distinct, once = ranking._rank(values[None], wanted[None], rows)
    ranked = ranking._rank_whole(values, found, others)
    whole = (values == np.floor(values)) | np.isnan(values)
    known = values[~np.isnan(values)]
    if ranked is None:
        assert not whole.all() or len(known) == 0 or not np.ptp(known) < len(values)
    else:
        np.testing.assert_array_equal(found, wanted)
        np.testing.assert_array_equal(values[others[: ranked[0][0]]], values[rows[: n_distinct[0]]])
        assert ranked[1] == once


@given(st.lists(st.lists(NUMBERS, min_size=3, max_size=3), min_size=2, max_size=30))
def test_columns_are_ranked_together_as_each_alone(rows: list[list[float]]) -> None:
    cells = np.array(rows).T.copy()
    together = rankings(cells, [0, 1, 2])
    for k in range(3):
        alone = rankings(cells, [k])
        np.testing.assert_array_equal(together.codes[k], alone.codes[0])
        np.testing.assert_array_equal(together.distinct(k), alone.distinct(k))
        assert together.once[k] == alone.once[0]


@pytest.mark.parametrize("scale", [1.0, 1e-12, 1e-310])
def test_values_that_differ_in_the_last_digits_are_told_apart(scale: float) -> None:
    rng = np.random.default_rng(0)
    values = 1.0 + scale * rng.integers(0, 40_000, 20_000)
    ranks = np.empty(len(values), np.uint32)
    room = np.empty(len(values), np.uint32)
    n_distinct, _ = ranking._rank(values[None], ranks[None], room)
    distinct = values[room[: n_distinct[0]]]
    np.testing.assert_array_equal(distinct, np.unique(values))
    np.testing.assert_array_equal(distinct[ranks], values)


def test_values_are_looked_up_in_the_cells() -> None:
    cells = np.array([[3.0, -1.0, 3.0], [np.nan, 0.5, 0.25]])
    values = rankings(cells, [0, 1]).values
    assert values[:].tolist() == [-1.0, 3.0, 0.25, 0.5]
    assert values[np.array([3, 0])].tolist() == [0.5, -1.0]
    held, places = values.arguments
    assert np.shares_memory(held, cells)
    assert held[places].tolist() == values[:].tolist()
    assert places.itemsize == 4


def test_a_value_of_zero_has_no_sign() -> None:
    for zeros in ([0.0, -0.0], [-0.0, 0.0]):
        values = rankings(np.array([[*zeros, 1.0]]), [0]).values
        assert not np.signbit(values[:]).any()


def test_rows_of_a_table_look_values_up_in_the_whole_table() -> None:
    table = table_of(0, 30)
    some = table.take(np.arange(10))
    assert some.rankings.values is table.rankings.values
    assert some.rankings.values.cells is table.cells
