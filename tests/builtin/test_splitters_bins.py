"""Numeric columns in bins: where the edges lie, which branches there are, and how they read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin import Bins, Merging, Pure
from treekit_builtin.splitters.edges import METHODS, edges_of, in_order

from treekit import Column, Floats, Schema, Table, fit
from treekit.report import render
from treekit.testing.samples import sample_table

from ..properties import examples
from .offering import all_offers, root_offers, table_of

INCOME = [125, 100, 70, 120, 95, 60, 220, 85, 75, 90]
CHEAT = [1, 1, 1, 1, 0, 1, 1, 0, 1, 0]
X = Column("x", "numeric")


def edges(method: Any, values: Any, bins: int, weights: Any = None) -> Floats:
    values = np.asarray(values, dtype=np.float64)
    weights = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=np.float64)
    owner = np.zeros(len(values), np.int64)
    found = edges_of(method, in_order(values, weights, owner, 1), bins)[0]
    return found[np.isfinite(found)]


# --- where the edges lie -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "bins", "expected"),
    [
        ("equal_width", 4, [100, 140, 180]),
        ("equal_width", 2, [140]),
        # 3 and 7 of the ten are nearest to a third and two thirds.
        ("equal_frequency", 3, [80, 110]),
        # 2 and 3 are as near to a quarter: the lower one; so are 7 and 8 to three quarters.
        ("equal_frequency", 4, [72.5, 92.5, 110]),
        # From {60..90}, {95..220}: means 76 and 132, edge 104; then 575/7 and 155.
        ("k_means", 2, [(575 / 7 + 155) / 2]),
    ],
)
def test_edges_of_the_incomes_of_the_cheat_table(
    method: str, bins: int, expected: list[float]
) -> None:
    np.testing.assert_allclose(edges(method, INCOME, bins), expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("values", "bins", "expected"),
    [
        ([1, 1, 1, 1, 1, 2], 2, [1.5]),
        ([1, 2, 2, 2, 2, 2], 2, [1.5]),
        ([1, 1, 2, 2], 4, [1.5]),
        ([3, 3, 3], 4, []),
        ([np.nan, np.nan], 4, []),
        ([1, np.nan, 2, 3, np.nan, 4], 2, [2.5]),
    ],
)
def test_ties_are_not_divided_and_unknown_values_have_no_say(
    values: list[float], bins: int, expected: list[float]
) -> None:
    assert edges("equal_frequency", values, bins).tolist() == expected


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("values", [[1e308, -1e308, 0.0], [1.0, np.nextafter(1.0, 2.0)], [5.0]])
def test_extreme_values_have_sound_edges(method: Any, values: list[float]) -> None:
    found = edges(method, values, 3)
    assert (np.diff(found) > 0).all()
    assert ((found >= min(values)) & (found < max(values))).all()


numbers = st.lists(st.integers(-20, 20), min_size=1, max_size=40)


@examples(150)
@given(values=numbers, bins=st.integers(2, 6), method=st.sampled_from(METHODS))
def test_a_weight_of_two_is_a_value_twice(values: list[int], bins: int, method: Any) -> None:
    weights = [1 + i % 2 for i in range(len(values))]
    np.testing.assert_allclose(
        edges(method, values, bins, weights), edges(method, np.repeat(values, weights), bins)
    )


@examples(100)
@given(n=st.integers(1, 12), bins=st.integers(2, 6), seed=st.integers(0, 99))
def test_without_ties_equal_frequency_agrees_with_pandas(n: int, bins: int, seed: int) -> None:
    values = np.random.default_rng(seed).permutation(n * bins).astype(float)
    found = np.searchsorted(edges("equal_frequency", values, bins), values)
    np.testing.assert_array_equal(found, pd.qcut(values, bins, labels=False))


@examples(100)
@given(values=numbers, bins=st.integers(2, 6))
def test_equal_width_agrees_with_numpy(values: list[int], bins: int) -> None:
    expected = np.linspace(min(values), max(values), bins + 1)[1:-1] if len(set(values)) > 1 else []
    np.testing.assert_allclose(edges("equal_width", values, bins), expected, atol=1e-12)


@pytest.mark.parametrize("bins", [2, 3, 5])
@pytest.mark.parametrize("seed", range(5))
def test_k_means_agrees_with_scikit_learn_from_the_same_start(bins: int, seed: int) -> None:
    cluster = pytest.importorskip("sklearn.cluster")
    values = np.random.default_rng(seed).gamma(2.0, size=200)
    first = np.searchsorted(edges("equal_frequency", values, bins), values)
    start = np.array([[values[first == b].mean()] for b in range(bins)])
    means = cluster.KMeans(bins, init=start, n_init=1, tol=0.0, algorithm="lloyd").fit(
        values[:, None]
    )
    found = np.searchsorted(edges("k_means", values, bins), values)
    np.testing.assert_array_equal(found, means.labels_)


@examples(100)
@given(
    samples=st.lists(numbers, min_size=1, max_size=5),
    bins=st.integers(2, 5),
    method=st.sampled_from(METHODS),
)
def test_samples_beside_each_other_do_not_matter(
    samples: list[list[int]], bins: int, method: Any
) -> None:
    values = np.concatenate([np.array(s, dtype=float) for s in samples])
    owner = np.repeat(np.arange(len(samples)), [len(s) for s in samples])
    together = edges_of(method, in_order(values, np.ones(len(values)), owner, len(samples)), bins)
    for sample, found in zip(samples, together, strict=True):
        np.testing.assert_array_equal(found[np.isfinite(found)], edges(method, sample, bins))


# --- the branches --------------------------------------------------------------------------------


def test_a_bin_without_rows_is_a_branch() -> None:
    """Of the equal widths up to 100, 140, 180 and 220 the third holds no income."""
    table = table_of(Column("income", "numeric"), INCOME, CHEAT, classes="yn")
    model = fit("id3_bins", table)
    assert model.trees[0].rows[1:].tolist() == [7, 2, 0, 1]
    assert str(model).splitlines() == [
        "income <= 100: n (7.0/3.0)",
        "100 < income <= 140: n (2.0)",
        "140 < income <= 180: n (0.0)",
        "income > 180: n (1.0)",
    ]


def test_the_score_is_that_of_all_the_branches() -> None:
    table = table_of(Column("income", "numeric"), INCOME, CHEAT, classes="yn")
    # Gini: 0.42 before, 24/49 in the first branch of seven, 0 in the others.
    assert root_offers(table, Bins()).score[0, 0] == pytest.approx(0.42 - 0.7 * 24 / 49)


def test_static_bins_are_asked_about_once_and_dynamic_ones_again() -> None:
    values = [0, 1, 2, 3, 4, 5, 6, 90, 100]
    table = table_of(X, values, [0, 1, 0, 1, 0, 1, 0, 1, 1], classes="ab")
    depth = {when: fit("id3", table, set={"tree.splitter.numeric": Bins(when=when)}).trees[0].depth
             for when in ("static", "dynamic")}  # fmt: skip
    assert depth == {"static": 1, "dynamic": 3}


def two_columns() -> Table:
    first = Column("half", "nominal", ("low", "high"))
    values = np.array([[0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 4, 101, 102, 103, 104]], dtype=float)
    y = np.array([0, 1, 0, 1, 2, 3, 2, 3], dtype=float)
    target = Column("y", "nominal", tuple("abcd"))
    return Table(Schema((first, X), target), values, y)


@pytest.mark.parametrize(("when", "cuts"), [("static", []), ("dynamic", [[2.5], [102.5]])])
@pytest.mark.parametrize("method", METHODS)
def test_dynamic_bins_are_the_nodes_own(method: Any, when: Any, cuts: list[list[float]]) -> None:
    """Below the first column, bins of the whole table tell nothing apart."""
    model = fit(
        "id3", two_columns(), set={"tree.splitter.numeric": Bins(method=method, bins=2, when=when)}
    )
    tree = model.trees[0]
    found = [tree.test_operands(i).tolist() for i in np.flatnonzero(tree.column == 1)]
    assert found[:2] == cuts


@pytest.mark.parametrize(
    "splitter",
    [
        Bins(method="equal_frequency", when="dynamic"),
        Bins(method="k_means", when="dynamic"),
        Merging(),
        Merging(alpha=0.9),
    ],
)
def test_the_cuts_that_count_ascend_and_the_others_are_infinite(splitter: Any) -> None:
    """Nodes of one level may have tests of different lengths."""
    widths = set()
    for seed in range(3):
        table = sample_table("classification", ("numeric",), rows=80, unknown=True, seed=seed)
        for offers in all_offers(table, splitter, stop=(Pure(),)):
            for j, tests in enumerate(offers.tests):
                for node in np.flatnonzero(offers.score[:, j] > -np.inf):
                    cuts, filling = np.split(tests.operands[node], [tests.n_branches[node] - 1])
                    assert np.isfinite(cuts).all()
                    assert (np.diff(cuts) > 0).all()
                    assert (filling == np.inf).all()
                    widths.add(len(cuts))
    assert len(widths) > 1


def test_a_constant_column_offers_nothing() -> None:
    table = table_of(X, [7.0, 7.0, 7.0], [0, 1, 1], classes="ab")
    for method in METHODS:
        for when in ("static", "dynamic"):
            offers = root_offers(table, Bins(method=method, when=when))  # type: ignore[arg-type]
            assert offers.score[0, 0] == -np.inf


# --- how they read -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("text", ["x <= 2: a (3.0/1.0)", "2 < x <= 4: b (2.0)", "x > 4: a (2.0)"]),
        (
            "rules",
            [
                "IF x <= 2 THEN y = a (3.0/1.0)",
                "IF 2 < x <= 4 THEN y = b (2.0)",
                "IF x > 4 THEN y = a (2.0)",
            ],
        ),
        ("dot", ['n0 -> n1 [label="<= 2"]', 'n0 -> n2 [label="> 2, <= 4"]']),
        ("mermaid", ['n0 -->|"#60;= 2"| n1', 'n0 -->|"#62; 2, #60;= 4"| n2']),
    ],
)
def test_several_cuts_read_as_ranges(form: str, said: list[str]) -> None:
    table = table_of(X, [0, 1, 2, 3, 4, 5, 6], [0, 1, 0, 1, 1, 0, 0], classes="ab")
    model = fit("id3_bins", table, set={"tree.splitter.numeric.bins": 3})
    lines = render(model, form).splitlines()
    assert [line for line in said if line not in lines] == []


def test_conditions_on_bins_within_bins_are_merged_in_a_rule() -> None:
    table = table_of(X, [0, 1, 2, 3, 40, 80], [0, 1, 1, 0, 1, 0], classes="ab")
    model = fit("id3", table, set={"tree.splitter.numeric": Bins(bins=4, when="dynamic")})
    assert "IF 0.75 < x <= 1.5 THEN y = b (1.0)" in render(model, "rules").splitlines()
