"""CHAID's merging of levels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as peer
from treekit_builtin import ChiSquared, FTest, Merging
from treekit_builtin.splitters.merging import MOST_TRIES, _ways_of_any, _ways_of_neighbours

from treekit import NOWHERE, Column, Schema, Table, fit, load_recipe

from ..properties import examples
from .offering import cuts_of, groups_of, root_offers, table_of

COUNTS = {"a": (10, 10), "b": (18, 2), "c": (10, 10), "d": (17, 3)}


def table_of_counts(kind: Any, counts: dict[str, tuple[int, ...]]) -> Table:
    """A column whose levels hold these numbers of each class."""
    column = Column("x", kind, tuple(counts))
    values = np.repeat(np.arange(len(counts)), [sum(c) for c in counts.values()])
    y = np.concatenate([np.repeat(np.arange(len(c)), c) for c in counts.values()])
    return table_of(column, values, y, classes="pqrst"[: len(next(iter(counts.values())))])


# --- figures -------------------------------------------------------------------------------------


def test_nominal_levels_that_are_alike_are_merged() -> None:
    """Of any two of a (10, 10), b (18, 2), c (10, 10) and d (17, 3)."""
    offers = root_offers(table_of_counts("nominal", COUNTS), Merging())
    assert groups_of(offers) == [0, 1, 0, 1]
    assert offers.tries[0, 0] == 7


def test_ordinal_levels_are_merged_with_neighbours_only() -> None:
    """Neighbours differ: p = 0.006, 0.006 and 0.018."""
    offers = root_offers(table_of_counts("ordinal", COUNTS), Merging())
    assert cuts_of(offers) == [0.5, 1.5, 2.5]
    assert offers.tries[0, 0] == 1


def test_neighbours_that_are_alike_are_merged() -> None:
    counts = {"a": (10, 10), "b": (11, 9), "c": (18, 2), "d": (17, 3)}
    offers = root_offers(table_of_counts("ordinal", counts), Merging())
    assert cuts_of(offers) == [1.5]
    assert offers.tries[0, 0] == 3


def test_two_groups_are_left_however_alike() -> None:
    counts = {"a": (10, 10), "b": (10, 10), "c": (10, 10)}
    assert max(groups_of(root_offers(table_of_counts("nominal", counts), Merging()))) == 1


def test_a_stricter_alpha_merges_more() -> None:
    """Between b and c, p = 0.018."""
    counts = {"a": (2, 18), "b": (10, 10), "c": (17, 3)}
    found = [
        max(groups_of(root_offers(table_of_counts("nominal", counts), Merging(alpha=alpha)))) + 1
        for alpha in (0.05, 0.01)
    ]
    assert found == [3, 2]


def test_a_numeric_column_begins_with_bins_of_equal_frequency() -> None:
    """Of ten bins of ten, the first six are of one class and the others of the other."""
    table = table_of(Column("x", "numeric"), range(100), [0] * 60 + [1] * 40, classes="pq")
    offers = root_offers(table, Merging())
    assert cuts_of(offers) == [59.5]
    assert offers.tries[0, 0] == math.comb(9, 1)


def test_numbers_to_predict_are_merged_by_the_f_test() -> None:
    x = np.repeat(np.arange(4), 5)
    y = np.tile([-1.0, -0.5, 0.0, 0.5, 1.0], 4) + np.array([0, 10, 0.1, 10.2])[x]
    table = table_of(Column("x", "nominal", tuple("abcd")), x, y)
    assert groups_of(root_offers(table, Merging())) == [0, 1, 0, 1]


def test_an_absent_nominal_level_goes_nowhere_and_an_ordinal_one_with_the_nearer() -> None:
    counts = {"a": (20, 0), "b": (0, 0), "c": (0, 20), "d": (0, 0)}
    nominal, ordinal = (
        root_offers(table_of_counts(kind, counts), Merging()) for kind in ("nominal", "ordinal")
    )
    assert groups_of(nominal) == [0, NOWHERE, 1, NOWHERE]
    assert cuts_of(ordinal) == [1.5]


def test_weights_count_as_rows() -> None:
    column = Column("x", "nominal", tuple("abc"))
    x, y = np.repeat(np.arange(3), 4), np.array([0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 1.0])
    few, many = (
        max(groups_of(root_offers(table_of(column, x, y, np.full(12, w), classes="pq"), Merging())))
        for w in (1.0, 50.0)
    )
    assert (few + 1, many + 1) == (2, 3)


def test_hundreds_of_levels_are_merged() -> None:
    counts = {f"level {i}": (9, 1) if i % 2 else (1, 9) for i in range(150)}
    offers = root_offers(table_of_counts("nominal", counts), Merging())
    assert groups_of(offers) == [i % 2 for i in range(150)]


# --- the number of ways --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("levels", "groups", "any_two", "neighbours"),
    [(2, 2, 1, 1), (4, 2, 7, 3), (4, 4, 1, 1), (5, 2, 15, 4), (5, 3, 25, 6), (10, 3, 9330, 36)],
)
def test_kass_multipliers(levels: int, groups: int, any_two: int, neighbours: int) -> None:
    assert _ways_of_any(levels, groups) == any_two
    assert _ways_of_neighbours(levels, groups) == neighbours


def test_a_multiplier_is_no_greater_than_an_integer_can_be() -> None:
    assert _ways_of_any(100, 10) == MOST_TRIES == 2**63 - 1


def test_a_corrected_p_value_is_multiplied_by_the_ways() -> None:
    offers = root_offers(
        table_of_counts("nominal", COUNTS),
        Merging(),
        criterion=ChiSquared(value="p_value", bonferroni=True),
    )
    p = peer.chi2_contingency([[20, 20], [35, 5]], correction=False).pvalue
    assert offers.score[0, 0] == pytest.approx(-math.log10(7 * p))


# --- by the definition ---------------------------------------------------------------------------


def p_value(one: list[Any], other: list[Any], classes: int) -> float:
    """SciPy's p-value of the difference of two groups of target values."""
    if not classes:
        if np.ptp([*one, *other]) == 0 or len(one) + len(other) <= 2:
            return 1.0
        return float(peer.f_oneway(one, other).pvalue)
    seen = np.array([np.bincount(g, minlength=classes) for g in (one, other)])
    seen = seen[:, seen.sum(axis=0) > 0]
    if seen.shape[1] < 2:
        return 1.0
    return float(peer.chi2_contingency(seen, correction=False).pvalue)


def merged_by_definition(
    targets: dict[int, list[Any]], ordered: bool, alpha: float, classes: int
) -> list[tuple[int, ...]]:
    groups = [((level,), y) for level, y in sorted(targets.items())]
    while len(groups) > 2:
        pairs = [
            (i, j)
            for i in range(len(groups))
            for j in range(i + 1, len(groups))
            if not ordered or j == i + 1
        ]
        chances = [p_value(groups[i][1], groups[j][1], classes) for i, j in pairs]
        # The first pair that is as alike as any, up to rounding.
        logs = -np.log10(np.maximum(chances, 1e-280))
        at = int(np.argmax(logs <= logs.min() + 1e-9))
        if not chances[at] > alpha:
            break
        i, j = pairs[at]
        both = (groups[i][0] + groups[j][0], groups[i][1] + groups[j][1])
        groups = [both if k == i else g for k, g in enumerate(groups) if k != j]
    return sorted(tuple(sorted(levels)) for levels, _ in groups)


@examples(100)
@given(
    seed=st.integers(0, 2**32 - 1),
    ordered=st.booleans(),
    classes=st.sampled_from([0, 2, 3]),
    alpha=st.sampled_from([0.05, 0.3]),
)
def test_levels_are_merged_as_the_definition_says(
    seed: int, ordered: bool, classes: int, alpha: float
) -> None:
    rng = np.random.default_rng(seed)
    levels = int(rng.integers(2, 7))
    column = Column("x", "ordinal" if ordered else "nominal", tuple("abcdef"[:levels]))
    x = np.concatenate([np.arange(levels), rng.integers(0, levels, 60)])
    lean = rng.normal(size=levels)[x] + rng.normal(size=len(x))
    y = lean.round(3) if not classes else np.digitize(lean, [-0.5, 0.8][: classes - 1])
    table = table_of(column, x, y, classes="pqr"[:classes])
    offers = root_offers(table, Merging(alpha=alpha))
    branch = np.searchsorted(cuts_of(offers), range(levels)) if ordered else groups_of(offers)
    found = sorted(
        tuple(np.flatnonzero(np.array(branch) == g).tolist()) for g in range(max(branch) + 1)
    )
    targets = {level: y[x == level].tolist() for level in range(levels)}
    assert found == merged_by_definition(targets, ordered, alpha, classes)


# --- the recipes ---------------------------------------------------------------------------------


def noisy(task: str, rows: int = 400) -> Table:
    """Three groups of the levels of one column matter; another column does not."""
    rng = np.random.default_rng(4)
    columns = (Column("town", "nominal", tuple("abcdef")), Column("noise", "numeric"))
    cells = np.array([rng.integers(0, 6, rows), rng.normal(size=rows)])
    lean = np.array([0, 4, 0, 8, 4, 8])[cells[0].astype(int)] + rng.normal(size=rows)
    number = task == "regression"
    target = Column("y", "numeric") if number else Column("y", "nominal", ("low", "mid", "high"))
    y = lean if number else np.digitize(lean, [2, 6]).astype(float)
    return Table(Schema(columns, target), cells, y)


@pytest.mark.parametrize(
    ("recipe", "task"), [("chaid", "classification"), ("chaid_regression", "regression")]
)
def test_chaid_finds_the_groups_and_stops_at_chance(recipe: str, task: str) -> None:
    tree = fit(recipe, noisy(task)).trees[0]
    assert tree.test_operands(0).tolist() == [0, 1, 0, 2, 1, 2]
    assert (tree.n_nodes, {tree.reasons[r] for r in tree.reason[tree.is_leaf]}) == (
        4,
        {"no test has a p-value of at most 0.05"},
    )


@pytest.mark.parametrize("recipe", ["chaid", "chaid_regression"])
def test_chaid_gives_unknown_values_a_branch_of_their_own(recipe: str) -> None:
    table = noisy(load_recipe(recipe).task)
    cells = table.cells.copy()
    cells[0, :40] = np.nan
    model = fit(recipe, Table(table.schema, cells, table.target_values))
    assert "town is unknown" in str(model)


def test_the_regression_twin_tests_by_f() -> None:
    criterion = load_recipe("chaid_regression").tree.criterion
    assert criterion == FTest(value="p_value", bonferroni=True)
