"""What each column tells at a node: remainders, gains, split information, gain ratios."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from treekit_builtin.impurities import Entropy, Gini

from treekit.datasets import load_dataset

from .figures import Printed, gain, node_stats, position, remainder, split_info, where

# data set, the levels that lead to the node, the node's entropy
ENTROPIES = [
    ("spam", {}, "1"),
    ("tennis", {}, "0.940"),
    ("tennis", {"outlook": "sunny"}, "0.971"),
    ("impurity8", {}, "1"),
    ("parity3", {}, "1"),
]

# data set, the levels that lead to the node, column, remainder, gain
COLUMNS = [
    ("spam", {}, "suspicious_words", "0", "1"),
    ("spam", {}, "unknown_sender", "0.9183", "0.0817"),
    ("spam", {}, "contains_images", "1", "0"),
    ("vegetation", {}, "stream", "1.2507", "0.3060"),
    ("vegetation", {}, "slope", "0.9793", "0.5774"),
    ("vegetation", {}, "elevation", "0.6793", "0.8774"),
    ("vegetation", {"elevation": "medium"}, "stream", None, "1"),
    ("vegetation", {"elevation": "medium"}, "slope", None, "0"),
    ("vegetation", {"elevation": "high"}, "stream", "0.6666", "0.2517"),
    ("vegetation", {"elevation": "high"}, "slope", "0", "0.9183"),
    ("tennis", {}, "outlook", None, "0.246"),
    ("tennis", {}, "outlook", None, "0.2467"),
    ("tennis", {}, "humidity", None, "0.152"),
    ("tennis", {}, "wind", "0.892", "0.048"),
    ("tennis", {}, "temp", None, "0.029"),
    ("tennis", {"outlook": "sunny"}, "temp", None, "0.571"),
    ("tennis", {"outlook": "sunny"}, "humidity", None, "0.971"),
    ("tennis", {"outlook": "sunny"}, "wind", None, "0.020"),
    ("buys_computer", {}, "age", None, "0.2467"),
    ("buys_computer", {}, "income", None, "0.0292"),
    ("buys_computer", {}, "student", None, "0.1518"),
    ("buys_computer", {}, "credit_rating", None, "0.0481"),
    ("impurity8", {}, "X1", "1", "0"),
    ("impurity8", {}, "X2", "0.81", "0.19"),
]

# column, gain, split information, gain ratio
TENNIS_WITH_DAY = [
    ("day", "0.940", "3.81", "0.247"),
    ("outlook", "0.246", "1.58", "0.156"),
    ("humidity", "0.152", "1", "0.152"),
    ("wind", "0.048", "0.99", "0.048"),
    ("wind", "0.048", "0.99", "0.0488"),
    ("temp", "0.029", "1.56", "0.019"),
]

# cut point of taxable_income, weighted Gini
CHEAT_CUTS = [
    (55, "0.420"),
    (65, "0.400"),
    (72.5, "0.375"),
    (80, "0.343"),
    (87.5, "0.417"),
    (92.5, "0.400"),
    (97.5, "0.300"),
    (110, "0.343"),
    (122.5, "0.375"),
    (172.5, "0.400"),
    (230, "0.420"),
]


@pytest.mark.parametrize(("name", "path", "printed"), ENTROPIES)
def test_entropy_of_a_node(name: str, path: dict[str, str], printed: str) -> None:
    node = where(load_dataset(name), **path)
    assert Entropy().impurity(node_stats(node)) == Printed(printed)


@pytest.mark.parametrize(("name", "path", "column", "left", "gained"), COLUMNS)
def test_gain_of_a_column(name, path, column, left, gained) -> None:  # type: ignore[no-untyped-def]
    node = where(load_dataset(name), **path)
    assert gain(node, column) == Printed(gained)
    if left is not None:
        assert remainder(node, column) == Printed(left)


@pytest.mark.parametrize(("column", "gained", "info", "ratio"), TENNIS_WITH_DAY)
def test_gain_ratio_when_the_day_is_a_column(
    column: str, gained: str, info: str, ratio: str
) -> None:
    table = load_dataset("tennis", kinds={"day": "nominal"})
    assert gain(table, column) == Printed(gained)
    assert split_info(table, column) == Printed(info)
    assert gain(table, column) / split_info(table, column) == Printed(ratio)


@pytest.mark.parametrize(("cut", "printed"), CHEAT_CUTS)
def test_weighted_gini_at_a_cut_point(cut: float, printed: str) -> None:
    table = load_dataset("cheat")
    assert remainder(table, "taxable_income", impurity=Gini(), cut=cut) == Printed(printed)


def test_the_cut_points_are_the_midpoints_of_neighbouring_incomes() -> None:
    table = load_dataset("cheat")
    incomes = np.sort(table.cells[position(table, "taxable_income")])
    midpoints = ((incomes[1:] + incomes[:-1]) / 2).tolist()
    assert midpoints == [cut for cut, _ in CHEAT_CUTS[1:-1]]


def test_only_two_cut_points_lie_between_unlike_classes() -> None:
    table = load_dataset("cheat")
    incomes = table.cells[position(table, "taxable_income")]
    order = np.argsort(incomes)
    unlike = np.flatnonzero(np.diff(table.y[order]))
    assert ((incomes[order][unlike] + incomes[order][unlike + 1]) / 2).tolist() == [80, 97.5]


@pytest.mark.parametrize(
    "columns", [*itertools.combinations("ABC", 1), *itertools.combinations("ABC", 2)]
)
def test_neither_one_bit_nor_two_tell_anything_of_parity(columns: tuple[str, ...]) -> None:
    assert gain(load_dataset("parity3"), *columns) == pytest.approx(0.0, abs=1e-12)


def test_all_three_bits_tell_parity() -> None:
    assert gain(load_dataset("parity3"), "A", "B", "C") == pytest.approx(1.0)
