"""Figures and laws of the impurities that the worked examples do not reach."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import mean_poisson_deviance
from sklearn.tree import DecisionTreeRegressor
from treekit_builtin.impurities import (
    Dkm,
    Entropy,
    Gini,
    Poisson,
    Renyi,
    StandardDeviation,
    Tsallis,
    Variance,
)

from tests.worked.figures import counts, gain_of, numbers
from treekit import LEAF, Column, Schema, Table, fit, load_recipe
from treekit.engine import grow
from treekit.registry import installed
from treekit.testing import Law, contract_tests, laws_of

CLASSES = st.lists(st.integers(0, 1000), min_size=2, max_size=8).filter(any)
ORDERS = st.floats(0.05, 50.0)

# Parameters that the contract tests of all standard strategies do not reach.
test_contract = contract_tests(
    "impurity",
    Tsallis(q=0.3),
    Tsallis(q=1.0),
    Tsallis(q=5.0),
    Renyi(alpha=0.3),
    Renyi(alpha=1.0),
    Renyi(alpha=10.0),
    Renyi(alpha=1.5, base=10.0),
)


def test_logical_entropy_is_another_name_of_gini() -> None:
    assert installed().get("impurity", "logical_entropy") is Gini


# --- classes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("impurity", "classes", "expected"),
    [
        (Dkm(), (3, 3), 1.0),
        (Dkm(), (1, 5), math.sqrt(5) / 3),
        (Dkm(), (2, 8), 0.8),
        (Dkm(), (0, 6), 0.0),
        (Dkm(), (1, 1, 1), math.sqrt(2)),
        (Dkm(), (1, 1, 2), 2 * math.sqrt(3) / 4 + 0.5),
        (Tsallis(q=0.5), (1, 1), 2 * (math.sqrt(2) - 1)),
        (Tsallis(q=3.0), (1, 3), (1 - 28 / 64) / 2),
        (Tsallis(q=1.5), (1, 1, 2), 2 * (1 - 2 / 8 - math.sqrt(0.125))),
        (Tsallis(q=1.0), (1, 1), math.log(2)),
        (Renyi(alpha=2.0), (1, 3), math.log2(16 / 10)),
        (Renyi(alpha=0.5), (1, 4), 2 * math.log2(3 / math.sqrt(5))),
        (Renyi(alpha=3.0, base=math.e), (1, 3), math.log(64 / 28) / 2),
        (Renyi(alpha=1.0), (1, 1, 2), 1.5),
    ],
)
def test_impurity_of_class_counts(impurity, classes, expected) -> None:  # type: ignore[no-untyped-def]
    assert impurity.impurity(counts(*classes)) == pytest.approx(expected, abs=1e-15)


@given(CLASSES)
def test_tsallis_of_order_one_is_entropy_in_nats(classes: list[int]) -> None:
    expected = Entropy(base=math.e).impurity(counts(*classes))
    assert Tsallis(q=1.0).impurity(counts(*classes)) == pytest.approx(expected, abs=1e-12)


@given(CLASSES)
def test_tsallis_of_order_two_is_gini(classes: list[int]) -> None:
    expected = Gini().impurity(counts(*classes))
    assert Tsallis(q=2.0).impurity(counts(*classes)) == pytest.approx(expected, abs=1e-12)


@given(CLASSES, st.floats(1.1, 16.0))
def test_renyi_of_order_one_is_entropy(classes: list[int], base: float) -> None:
    expected = Entropy(base=base).impurity(counts(*classes))
    found = Renyi(alpha=1.0, base=base).impurity(counts(*classes))
    assert found == pytest.approx(expected, abs=1e-12)


@given(CLASSES)
def test_renyi_of_order_two_is_the_chance_of_a_collision_in_bits(classes: list[int]) -> None:
    collision = 1.0 - Gini().impurity(counts(*classes))
    assert Renyi().impurity(counts(*classes)) == pytest.approx(-np.log2(collision), abs=1e-12)


@given(CLASSES, ORDERS.filter(lambda q: abs(q - 1.0) > 1e-3))
def test_tsallis_is_its_definition(classes: list[int], q: float) -> None:
    share = np.array(classes)[np.array(classes) > 0] / sum(classes)
    by_definition = (1.0 - (share**q).sum()) / (q - 1.0)
    assert Tsallis(q=q).impurity(counts(*classes)) == pytest.approx(by_definition, abs=1e-9)


@given(CLASSES, ORDERS, ORDERS)
def test_renyi_falls_as_its_order_rises(classes: list[int], one: float, other: float) -> None:
    low, high = sorted((one, other))
    greatest = max(classes) / sum(classes)
    found = [float(Renyi(alpha=a).impurity(counts(*classes))) for a in (low, high, 1e300)]
    assert found[0] >= found[1] - 1e-9
    assert found[1] >= found[2] - 1e-9
    assert found[2] == pytest.approx(-math.log2(greatest), abs=1e-9)


@pytest.mark.parametrize("step", [-1e-9, 1e-9])
def test_orders_next_to_one_give_entropy_to_many_digits(step: float) -> None:
    expected = float(Entropy(base=math.e).impurity(counts(3, 5, 2)))
    tsallis = Tsallis(q=1.0 + step).impurity(counts(3, 5, 2))
    renyi = Renyi(alpha=1.0 + step, base=math.e).impurity(counts(3, 5, 2))
    assert (float(tsallis), float(renyi)) == pytest.approx((expected, expected), rel=3e-9)


@pytest.mark.parametrize("alpha", [0.2, 0.9, 1.0, 1.1, 2.0, 7.0])
def test_renyi_says_that_it_is_concave_up_to_order_one(alpha: float) -> None:
    assert Renyi(alpha=alpha).strictly_concave == (alpha <= 1.0)


def test_renyi_above_order_one_may_have_a_negative_gain() -> None:
    branches = np.array([counts(10, 0, 0), counts(4, 3, 3)])
    before = -math.log2(14**5 + 3**5 + 3**5) / 4 + 5 / 4 * math.log2(20)
    after = (-math.log2(4**5 + 3**5 + 3**5) / 4 + 5 / 4 * math.log2(10)) / 2
    found = gain_of(counts(14, 3, 3), branches, Renyi(alpha=5.0))
    assert found == pytest.approx(before - after)
    assert found < -0.1


@pytest.mark.parametrize("impurity", [Dkm(), Tsallis(q=0.1), Renyi(alpha=0.1)])
def test_what_rounding_leaves_of_a_class_does_not_count(impurity) -> None:  # type: ignore[no-untyped-def]
    left_over = 0.1 + 0.2 - 0.3
    assert left_over > 0.0
    assert impurity.impurity(counts(7.0, left_over)) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Tsallis(q=0.0), "'q' must be > 0.0: 0.0"),
        (lambda: Tsallis(q=math.inf), "'q' must be < inf: inf"),
        (lambda: Renyi(alpha=-1.0), "'alpha' must be > 0.0: -1.0"),
        (lambda: Renyi(alpha=math.inf), "'alpha' must be < inf: inf"),
        (lambda: Renyi(base=1.0), "'base' must be > 1.0: 1.0"),
    ],
)
def test_an_order_must_be_above_zero_and_finite(make, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="must be") as problem:
        make()
    assert str(problem.value) == message


# --- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("targets", "expected"),
    [((2, 4, 4, 4, 5, 5, 7, 9), 2.0), ((10, 20), 5.0), ((3, 3, 3), 0.0), ((7,), 0.0)],
)
def test_standard_deviation_of_targets(targets: tuple[float, ...], expected: float) -> None:
    assert StandardDeviation().impurity(numbers(*targets)) == pytest.approx(expected)


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=20))
def test_standard_deviation_is_the_root_of_the_variance(targets: list[float]) -> None:
    root = math.sqrt(Variance().impurity(numbers(*targets)))
    assert StandardDeviation().impurity(numbers(*targets)) == pytest.approx(root, abs=1e-3)


@given(st.floats(-1e6, 1e6), st.integers(1, 50))
def test_the_standard_deviation_of_equal_targets_is_exactly_zero(y: float, rows: int) -> None:
    assert StandardDeviation().impurity(numbers(*[y] * rows)) == 0.0


COUNTS = st.lists(st.integers(0, 60), min_size=1, max_size=12).filter(any)


@settings(deadline=None)
@given(COUNTS, COUNTS)
def test_gain_on_poisson_is_the_decrease_of_the_mean_deviance(
    left: list[int], right: list[int]
) -> None:
    def deviance(targets: list[int]) -> float:
        return float(mean_poisson_deviance(targets, np.full(len(targets), np.mean(targets))))

    both = left + right
    after = (len(left) * deviance(left) + len(right) * deviance(right)) / len(both)
    found = gain_of(numbers(*both), np.array([numbers(*left), numbers(*right)]), Poisson())
    assert found == pytest.approx(deviance(both) - after, abs=1e-9)


@given(COUNTS, st.integers(1, 9))
def test_counts_of_zero_may_be_split_off(some: list[int], zeros: int) -> None:
    both = np.array([numbers(*some), numbers(*[0] * zeros)])
    share = len(some) / (len(some) + zeros)
    # The mean of the rest is 1/share times the whole's, so the gain is 2 * mean * log(1/share).
    mean = sum(some) / (len(some) + zeros)
    assert gain_of(both.sum(axis=0), both, Poisson()) == pytest.approx(-2 * mean * math.log(share))


def test_a_mean_below_zero_is_no_mean_of_counts() -> None:
    assert math.isnan(Poisson().impurity(numbers(-1.0, 0.0)))


def test_poisson_grows_the_trees_of_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    x = rng.random((400, 3)).round(3)
    y = rng.poisson(np.exp(2 * x[:, 0] - x[:, 1] + 0.5)).astype(float) + 1.0
    columns = tuple(Column(name, "numeric") for name in "abc")
    table = Table(Schema(columns, Column("y", "numeric")), np.ascontiguousarray(x.T), y)
    stops = ["pure", {"use": "max_depth", "depth": 4}]
    host = load_recipe("regression", {"tree.stop": stops}).tree
    ours = grow(table, evolve(host, impurity=Poisson()), rng)
    theirs = DecisionTreeRegressor(criterion="poisson", max_depth=4, random_state=0).fit(x, y).tree_

    # They give half the deviance, as a property of a node; its decrease is what can be compared.
    below = theirs.weighted_n_node_samples * theirs.impurity
    split = theirs.feature >= 0
    left, right = theirs.children_left[split], theirs.children_right[split]
    weight = theirs.weighted_n_node_samples[split]
    decrease = 2 * (below[split] - below[left] - below[right]) / weight
    inner = ours.kind != LEAF
    found = np.column_stack([ours.weight, ours.column, ours.score])[inner]
    wanted = np.column_stack([weight, theirs.feature[split], decrease])
    np.testing.assert_allclose(found[np.lexsort(found.T)], wanted[np.lexsort(wanted.T)], rtol=1e-6)


# What is asked of an impurity itself, not of differences; and a law whose growth in blocks measures
# the target from its mean, which is no count.
NOT_OF_DIFFERENCES = {
    "pure_nodes_are_zero",
    "mixed_nodes_are_more_than_zero",
    "is_never_negative_nor_nan",
    "fused_and_block_growth_agree",
}


@pytest.mark.parametrize(
    "law",
    [law for law in laws_of("impurity", Poisson()) if law.name not in NOT_OF_DIFFERENCES],
    ids=lambda law: law.name,
)
def test_poisson_keeps_every_law_of_differences(law: Law) -> None:
    law.check()


# --- any impurity with any criterion that compares impurities ------------------------------------


@pytest.mark.parametrize("criterion", ["gain", "gain_ratio", "weighted_impurity"])
@pytest.mark.parametrize(
    "impurity", ["dkm", "gini", "logical_entropy", "misclassification", "renyi", "tsallis"]
)
def test_a_class_impurity_grows_a_tree_with_any_criterion(impurity: str, criterion: str) -> None:
    model = fit("id3", "tennis", set={"tree.impurity": impurity, "tree.criterion": criterion})
    assert model.trees[0].n_nodes > 1


@pytest.mark.parametrize("criterion", ["gain", "gain_ratio"])
@pytest.mark.parametrize("impurity", ["variance", "standard_deviation"])
def test_a_number_impurity_grows_a_tree_with_any_criterion(impurity: str, criterion: str) -> None:
    data = pd.DataFrame({"x": np.arange(60.0), "y": np.repeat([1.0, 2.0, 9.0], 20)})
    changes = {"tree.impurity": impurity, "tree.criterion": criterion}
    model = fit("regression", data, target="y", set=changes)
    assert sorted(set(model.predict(data))) == [1.0, 2.0, 9.0]
