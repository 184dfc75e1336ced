"""Gain and gain ratio in single precision: C4.5's rounding chooses between equal columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin.criteria import Gain, GainRatio
from treekit_builtin.impurities import Entropy, Gini
from treekit_builtin.splitters import Multiway

from treekit import Column, Floats, Offers, Schema, Table

from ..properties import examples
from .offering import root_offers

CRITERIA = [Gain, GainRatio]


def table_of(*columns: list[int], y: list[int]) -> Table:
    """Nominal columns of three levels, and two classes."""
    levels = tuple("xyz")
    schema = Schema(
        tuple(Column(f"c{i}", "nominal", levels) for i in range(len(columns))),
        Column("label", "nominal", ("no", "yes")),
    )
    return Table(schema, np.array(columns, float), np.array(y, float))


# The second column has the levels of the first under other names: their gains are the same.
FIRST = [0, 0, 0, 0, 0, 1, 1, 1, 2]
SECOND = [2, 2, 2, 2, 2, 0, 0, 0, 1]
LABEL = [0, 0, 0, 0, 1, 1, 1, 1, 1]
TIED = table_of(FIRST, SECOND, y=LABEL)


def offers_to_root(table: Table, criterion: Any, impurity: Any = None) -> Offers:
    return root_offers(table, Multiway(), criterion=criterion, impurity=impurity or Entropy())


def single(value: float) -> float:
    return float(np.float32(value))


def by_the_book(counts: Floats) -> tuple[float, float]:
    """Gain and split information of branches [k, classes], rounded wherever C4.5 keeps a figure."""

    def information(parts: Floats) -> float:
        inner = 0.0
        for part in parts[parts > 0]:
            inner = single(inner + part * (np.log(part) / np.log(2)))
        total = parts.sum()
        return single(total * (np.log(total) / np.log(2)) - inner) if total else 0.0

    total = counts.sum()
    classes = counts.sum(axis=0)
    inner = sum(c * (np.log(c) / np.log(2)) for c in classes if c)
    before = single((total * (np.log(total) / np.log(2)) - inner) / total)
    after = 0.0
    for branch in counts:
        after = single(after + information(branch))
    gain = single(before - single(after / total))
    return gain, single(information(counts.sum(axis=1)) / total)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_two_columns_of_the_example_are_equally_good(criterion: Any) -> None:
    offers = offers_to_root(TIED, criterion())
    assert offers.score[0, 0] == pytest.approx(offers.score[0, 1], rel=1e-14)
    assert offers.split_info[0, 0] == pytest.approx(offers.split_info[0, 1], rel=1e-14)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_equal_columns_get_the_figures_that_c45_would_round_them_to(criterion: Any) -> None:
    offers = offers_to_root(TIED, criterion(precision="single"))
    for j, column in enumerate((FIRST, SECOND)):
        counts = np.zeros((3, 2))
        np.add.at(counts, (column, LABEL), 1.0)
        assert (offers.score[0, j], offers.split_info[0, j]) == by_the_book(counts)


def test_the_rounding_chooses_the_later_column_here() -> None:
    ratio = GainRatio(precision="single")
    assert ratio.choose(offers_to_root(TIED, ratio)).tolist() == [1]
    assert GainRatio().choose(offers_to_root(TIED, GainRatio())).tolist() == [0]


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_gain_that_is_not_in_bits_is_left_as_it_is(criterion: Any) -> None:
    for impurity in (Gini(), Entropy(base=3.0)):
        exact = offers_to_root(TIED, criterion(), impurity)
        close = offers_to_root(TIED, criterion(precision="single"), impurity)
        assert close.score.tolist() == exact.score.tolist()


@pytest.mark.parametrize("criterion", CRITERIA)
def test_columns_that_are_not_close_keep_their_exact_figures(criterion: Any) -> None:
    table = table_of(FIRST, [0, 1, 0, 1, 0, 1, 0, 1, 0], y=LABEL)
    exact = offers_to_root(table, criterion())
    close = offers_to_root(table, criterion(precision="single"))
    assert close.score.tolist() == exact.score.tolist()


@examples(50)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=4, max_size=60))
def test_rounded_figures_are_near_the_exact_ones(rows: list[tuple[int, int]]) -> None:
    column, y = [list(part) for part in zip(*rows, strict=True)]
    renamed = [(level + 1) % 3 for level in column]
    table = table_of(column, renamed, y=y)
    exact, close = (offers_to_root(table, Gain(precision=p)) for p in ("double", "single"))
    assert close.score == pytest.approx(exact.score, abs=1e-5)
    assert close.split_info == pytest.approx(exact.split_info, abs=1e-5)


def test_a_precision_of_another_name_is_refused() -> None:
    with pytest.raises(ValueError, match="precision"):
        Gain(precision="half")  # type: ignore[arg-type]
