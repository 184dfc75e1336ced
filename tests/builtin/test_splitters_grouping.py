"""Grouping: C4.5's -s."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from treekit_builtin.criteria import Gain
from treekit_builtin.impurities import Entropy
from treekit_builtin.splitters import Grouping
from treekit_builtin.stops import MinRows

import treekit
from treekit import NOWHERE, Column, Offers, Schema, Table
from treekit.table import read_table

from .offering import groups_of, root_offers


def table_of(counts: Mapping[str, tuple[float, ...]]) -> Table:
    """One column whose levels have these weights of the classes: a row for each that is not 0."""
    levels = tuple(counts)
    n_classes = len(next(iter(counts.values())))
    cells = [
        (float(level), float(label), weight)
        for level, weights in enumerate(counts.values())
        for label, weight in enumerate(weights)
        if weight > 0
    ]
    values, y, weights = (np.array(part) for part in zip(*cells, strict=True))
    classes = tuple(f"k{i}" for i in range(n_classes))
    schema = Schema((Column("c", "nominal", levels),), Column("label", "nominal", classes))
    return Table(schema, values[None], y, weights)


def offered(
    counts: Mapping[str, tuple[float, ...]], branch: float = 2.0, by: Any = "ratio"
) -> Offers:
    return root_offers(
        table_of(counts),
        Grouping(by),
        impurity=Entropy(),
        criterion=Gain(),
        stop=(MinRows(branch=branch, count="weight"),),
    )


RARE = {"a": (6.0, 1.0), "b": (1.0, 6.0), "c": (1.0, 0.0)}


def test_the_heaviest_group_is_left_alone_while_few_groups_hold_the_branch_minimum() -> None:
    assert groups_of(offered(RARE, branch=2.0)) == [0, 1, 2]


def test_any_pair_may_merge_where_three_groups_hold_the_branch_minimum() -> None:
    assert groups_of(offered(RARE, branch=1.0)) == [0, 1, 0]


def test_by_gain_groups_merge_until_two_are_left() -> None:
    four = {"a": (6.0, 1.0), "b": (1.0, 6.0), "c": (4.0, 2.0), "d": (2.0, 5.0)}
    assert groups_of(offered(four, by="gain")) == [0, 1, 0, 1]


def test_levels_of_one_and_the_same_class_merge_first() -> None:
    pure = {"a": (3.0, 0.0), "b": (0.0, 4.0), "c": (5.0, 0.0), "d": (0.0, 2.0)}
    assert groups_of(offered(pure)) == [0, 1, 0, 1]


def test_a_tenth_of_a_case_of_another_class_does_not_keep_levels_apart() -> None:
    strays = {"a": (3.0, 0.1), "b": (4.0, 0.1), "c": (2.0, 0.1), "d": (0.0, 5.0)}
    assert groups_of(offered(strays)) == [0, 0, 0, 1]


def test_a_level_that_weighs_half_a_case_is_set_aside() -> None:
    light = {"a": (6.0, 1.0), "b": (1.0, 6.0), "c": (0.5, 0.0)}
    offers = offered(light)
    assert groups_of(offers) == [0, 1, 2]
    assert offers.tests[0].n_branches.tolist() == [3]


def test_what_is_set_aside_counts_before_the_split_and_not_in_its_information() -> None:
    offers = offered({"a": (6.0, 1.0), "b": (1.0, 6.0), "c": (0.25, 0.25)})

    def total(*parts: float) -> float:
        return sum(parts) * math.log2(sum(parts)) - sum(p * math.log2(p) for p in parts)

    gain = (total(7.25, 7.25) - total(6.0, 1.0) - total(1.0, 6.0)) / 14.5
    assert offers.score[0, 0] == pytest.approx(gain)
    assert offers.split_info[0, 0] == pytest.approx(total(7.0, 7.0) / 14.5)


def test_one_group_is_no_test() -> None:
    assert offered({"a": (3.0, 0.0), "b": (2.0, 0.0), "c": (0.0, 0.4)}).score.tolist() == [
        [-np.inf]
    ]


def test_a_column_of_two_levels_is_split_as_it_is() -> None:
    assert groups_of(offered({"a": (3.0, 1.0), "b": (1.0, 2.0)})) == [0, 1]


# The days of Quinlan 1986, table 1, with the numbers of his C4.5 (1993, figure 1-1).
DAYS = """outlook,temperature,humidity,windy,label
sunny,75,70,true,play
sunny,80,90,true,no
sunny,85,85,false,no
sunny,72,95,false,no
sunny,69,70,false,play
overcast,72,90,true,play
overcast,83,78,false,play
overcast,64,65,true,play
overcast,81,75,false,play
rain,71,80,true,no
rain,65,70,true,no
rain,75,80,false,play
rain,68,80,false,play
rain,70,96,false,play
"""


@pytest.mark.parametrize(
    ("pruner", "overcast", "children"), [("collapse", 2.0, 3), ("error_based", NOWHERE, 2)]
)
def test_pruning_drops_the_branch_of_levels_that_cannot_come_so_far(
    pruner: str, overcast: float, children: int, tmp_path: Any
) -> None:
    path = tmp_path / "days.csv"
    path.write_text(DAYS)
    kinds = {"outlook": "nominal", "windy": "nominal"}
    settings = {"tree.splitter.nominal": "grouping", "tree.pruner": pruner}
    table = read_table(path, target="label", kinds=kinds)
    (tree,) = treekit.fit("c45", table, set=settings).trees
    again = np.flatnonzero(tree.column == 0)[-1]
    levels = dict(zip(table.columns[0].levels, tree.test_operands(int(again)), strict=True))
    assert levels["overcast"] == overcast
    assert tree.n_children[again] == children
