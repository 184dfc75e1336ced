"""Columns that compete by the p-value of a permutation test (Hothorn, Hornik and Zeileis 2006)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency, pearsonr, permutation_test
from treekit_builtin.criteria import PermutationTest, PermutationTestNumber
from treekit_builtin.impurities import Entropy, Variance

from treekit import Floats, Offers, Step, Table, Tree, fit, load_recipe, read_table
from treekit.engine import grow
from treekit.testing.samples import sample_table

from ..golden.originals import SHARED
from .splits import score, score_stats, tables


class Watching:
    """A criterion's offers to the root, seen on the way."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def looked(self, step: Step) -> None:
        self.steps.append(step)

    def finished(self, opened: Any) -> None: ...


def reviewed(data: Table | pd.DataFrame, criterion: Any, **options: Any) -> Offers:
    """What every column offers to the root."""
    table = data if isinstance(data, Table) else read_table(data, target="y")
    name = "ctree" if table.task == "classification" else "ctree_regression"
    changes = {"tree.criterion": criterion, "tree.stop": {"use": "max_depth", "depth": 1}}
    watching = Watching()
    grow(table, load_recipe(name, {**changes, **options}).tree, np.random.default_rng(0), watching)
    return watching.steps[0].offers


def strasser_weber(g: Floats, h: Floats, w: Floats) -> tuple[float, int]:
    """The quadratic form and its freedom by the definition (Hothorn et al. 2006, section 3)."""
    total = w.sum()
    t = (g.T * w) @ h
    mean_h = w @ h / total
    apart = h - mean_h
    v = (apart.T * w) @ apart / total
    sums = w @ g
    expected = np.outer(sums, mean_h)
    covariance = total / (total - 1) * np.kron((g.T * w) @ g, v)
    covariance -= 1 / (total - 1) * np.kron(np.outer(sums, sums), v)
    d = (t - expected).ravel()
    inverse = np.linalg.pinv(covariance, rcond=1e-10)
    return float(d @ inverse @ d), int(np.linalg.matrix_rank(covariance, tol=1e-8))


def dummies(values: Floats, n: int) -> Floats:
    return np.eye(n)[values.astype(int)]


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("unknown", [False, True])
def test_the_p_values_are_those_of_the_definition(task: str, weighted: bool, unknown: bool) -> None:
    table = sample_table(task, rows=60, weighted=weighted, unknown=unknown, seed=5)
    kind = PermutationTest if task == "classification" else PermutationTestNumber
    offers = reviewed(table, kind(bonferroni=False))
    compared = 0
    for j, column in enumerate(offers.columns):
        values = table.cells[column]
        known = ~np.isnan(values)
        if not np.isfinite(offers.score[0, j]):
            continue
        levels = len(table.columns[column].levels)
        nominal = table.columns[column].kind == "nominal"
        g = dummies(values[known], levels) if nominal else values[known, None]
        y = table.y[known]
        h = dummies(y, 3) if task == "classification" else y[:, None]
        statistic, freedom = strasser_weber(g, h, table.weights[known])
        assert offers.score[0, j] == pytest.approx(-chi2.logsf(statistic, freedom) / math.log(10))
        compared += 1
    assert compared >= 6


@settings(deadline=None)
@given(tables())
def test_of_levels_it_is_pearsons_chi_squared_but_for_one_row(table: list[list[int]]) -> None:
    counted = [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    data = pd.DataFrame([(f"l{i}", f"c{j}") for i, j in counted], columns=["x", "y"])
    expected = chi2_contingency(table, correction=False)
    statistic = expected.statistic * (len(data) - 1) / len(data)
    found = reviewed(data, PermutationTest(), **{"tree.splitter.nominal": "multiway"})
    assert found.score[0, 0] == pytest.approx(
        -chi2.logsf(statistic, expected.dof) / math.log(10), abs=1e-9
    )


def test_of_two_numbers_it_is_the_squared_correlation() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=50)
    y = x + rng.normal(size=50)
    found = reviewed(pd.DataFrame({"x": x, "y": y}), PermutationTestNumber())
    expected = -chi2.logsf(49 * pearsonr(x, y).statistic ** 2, 1) / math.log(10)
    assert found.score[0, 0] == pytest.approx(expected)


def test_a_number_far_from_zero_loses_no_digits() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.integers(0, 8, 50).astype(float), rng.integers(0, 8, 50).astype(float)
    near = reviewed(pd.DataFrame({"x": x, "y": y}), PermutationTestNumber())
    far = reviewed(pd.DataFrame({"x": x + 2.0**40, "y": y - 2.0**40}), PermutationTestNumber())
    np.testing.assert_allclose(far.score, near.score, rtol=1e-9)


def test_bonferroni_counts_the_columns_that_vary() -> None:
    rng = np.random.default_rng(0)
    data = pd.DataFrame(rng.normal(size=(40, 3)), columns=["a", "b", "y"])
    data["same"] = 7.0
    plain = reviewed(data, PermutationTestNumber(bonferroni=False)).score[0]
    corrected = reviewed(data, PermutationTestNumber()).score[0]
    offered = np.isfinite(plain)
    np.testing.assert_allclose(
        10.0 ** -corrected[offered], 1 - (1 - 10.0 ** -plain[offered]) ** 2, rtol=1e-12
    )
    assert offered.sum() == 2


# --- within a column -----------------------------------------------------------------------------


@settings(deadline=None)
@given(tables())
def test_a_tests_own_score_is_the_quadratic_form_of_its_branches(table: list[list[int]]) -> None:
    n = np.sum(table)
    expected = chi2_contingency(table, correction=False).statistic * (n - 1) / n
    assert score(PermutationTest(), table, Entropy()) == pytest.approx(expected, abs=1e-9)


@given(
    st.lists(st.integers(-9, 9).map(float), min_size=2, max_size=9),
    st.lists(st.integers(-9, 9).map(float), min_size=2, max_size=9),
)
def test_of_a_number_the_cuts_are_in_the_order_of_the_standardised_two_sample_statistic(
    left: list[float], right: list[float]
) -> None:
    # c_max of one dimension: |T - mean| over its deviation, T the sum of the left branch
    y = np.array([*left, *right])
    n, m = len(y), len(left)
    variance = m * (n - m) / (n - 1) * y.var()
    expected = (np.sum(left) - m * y.mean()) ** 2 / variance if variance > 0 else 0.0
    stats = np.array([[len(p), np.sum(p), np.square(p).sum()] for p in (left, right)])
    found = float(score_stats(PermutationTestNumber(), stats, Variance()))
    assert found == pytest.approx(expected, abs=1e-9)


# --- permutations --------------------------------------------------------------------------------


def test_permutations_come_near_scipys() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=12)
    y = 0.5 * x + rng.normal(size=12)
    drawn = permutation_test(
        (x,),
        lambda a: pearsonr(a, y).statistic ** 2,
        permutation_type="pairings",
        n_resamples=4999,
        alternative="greater",
        rng=1,
    )
    found = reviewed(
        pd.DataFrame({"x": x, "y": y}), PermutationTestNumber(resamples=4999, bonferroni=False)
    )
    assert 10.0 ** -found.score[0, 0] == pytest.approx(drawn.pvalue, abs=0.02)


def test_where_no_permutation_reaches_the_statistic_the_surer_column_still_wins() -> None:
    rng = np.random.default_rng(0)
    y = rng.normal(size=80)
    data = pd.DataFrame({"good": y + rng.normal(scale=0.7, size=80), "same": y, "y": y})
    found = reviewed(data, PermutationTestNumber(resamples=99)).score[0]
    assert 2 < found[0] + math.log10(2) < found[1]


def test_the_same_seed_draws_the_same_permutations() -> None:
    criterion = {"tree.criterion.resamples": 19, "tree.stop": {"use": "p_value", "alpha": 0.5}}
    table = sample_table("classification", rows=80, seed=3)
    one, other = (fit("ctree", table, set=criterion, seed=5) for _ in range(2))
    assert str(one) == str(other)


# --- party ---------------------------------------------------------------------------------------

needs_data = pytest.mark.skipif(
    not (SHARED / "data").is_dir(), reason="the data are not beside the checkout (../shared/data)"
)


def inner(model: Any) -> list[tuple[str, float, float]]:
    """Column, cut and 1 - p-value of the inner nodes, as party prints them."""
    tree: Tree = model.trees[0]
    names = [column.name for column in model.schema.columns]
    return [
        (names[tree.column[i]], float(tree.operands[tree.start[i]]), 1 - 10.0 ** -tree.score[i])
        for i in np.flatnonzero(~tree.is_leaf)
    ]


def leaves(model: Any) -> list[int]:
    return sorted(model.trees[0].rows[model.trees[0].is_leaf].tolist())


def rounded(nodes: Sequence[tuple[str, float, float]]) -> list[tuple[str, float, float]]:
    return [(name, cut, round(criterion, 3)) for name, cut, criterion in nodes]


@needs_data
def test_ctree_grows_partys_tree_of_the_irises() -> None:
    model = fit("ctree", SHARED / "data" / "R-iris.csv", target="Species")
    assert rounded(inner(model)) == [
        ("Petal.Length", 1.9, 1.0),
        ("Petal.Width", 1.7, 1.0),
        ("Petal.Length", 4.8, 0.999),
    ]
    assert leaves(model) == [8, 46, 46, 50]


@needs_data
def test_ctree_regression_grows_partys_tree_of_the_air_quality() -> None:
    days = pd.read_csv(SHARED / "data" / "R-airquality.csv").dropna(subset=["Ozone"])
    model = fit("ctree_regression", days, target="Ozone")
    assert rounded(inner(model)) == [
        ("Temp", 82.0, 1.0),
        ("Wind", 6.9, 0.998),
        ("Wind", 10.3, 0.997),
        ("Temp", 77.0, 0.997),
    ]
    assert leaves(model) == [7, 10, 21, 30, 48]


@needs_data
@pytest.mark.parametrize(
    ("column", "statistic"),
    [("Petal.Length", 140.264)],
)
def test_the_statistic_is_the_one_that_party_prints(column: str, statistic: float) -> None:
    flowers = pd.read_csv(SHARED / "data" / "R-iris.csv")
    data = flowers[[column, "Species"]].rename(columns={"Species": "y"})
    expected = -chi2.logsf(statistic, 2) / math.log(10)
    assert reviewed(data, PermutationTest()).score[0, 0] == pytest.approx(expected, abs=2e-4)


def test_fourteen_days_are_too_few_to_be_sure_of_anything() -> None:
    model = fit("ctree", "tennis", set={"tree.stop.1.split": 2, "tree.stop.1.branch": 1})
    tree = model.trees[0]
    assert tree.n_nodes == 1
    assert tree.reasons[tree.reason[0]] == "no test has a p-value of at most 0.05"
