"""The figures behind the plots: shares on a grid, and impurities of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin.impurities import Gini, Tsallis

from treekit.errors import PluginError, TreekitError
from treekit.plots import as_data, impurity_curve, impurity_simplex, measured
from treekit.plots.measuring import grid

from ..worked.figures import Printed
from .toys import OneSided, RootGini, toy

CONCAVE = ["entropy", "gini", "misclassification", "dkm", "tsallis", '{use="renyi", alpha=0.5}']

FORMULAS = {
    "entropy": lambda p: -p * math.log2(p) - (1 - p) * math.log2(1 - p),
    "gini": lambda p: 2 * p * (1 - p),
    "misclassification": lambda p: min(p, 1 - p),
    "dkm": lambda p: 2 * math.sqrt(p * (1 - p)),
    '{ use = "tsallis", q = 3 }': lambda p: (1 - p**3 - (1 - p) ** 3) / 2,
    '{ use = "renyi", alpha = 2 }': lambda p: -math.log2(p**2 + (1 - p) ** 2),
}


def at(p: float, impurity: Any) -> float:
    """The value of a curve at a share that lies on its grid."""
    shares, values = impurity_curve(impurity, steps=12)
    (found,) = np.flatnonzero(np.isclose(shares, p))
    return float(values[0, found])


@pytest.mark.parametrize("name", FORMULAS)
def test_a_curve_is_the_formula(name: str) -> None:
    p, values = impurity_curve(name, steps=40)
    assert values[0, 1:-1] == pytest.approx([FORMULAS[name](x) for x in p[1:-1].tolist()])


@pytest.mark.parametrize(
    ("impurity", "counts", "figure"),
    [
        ("entropy", (0, 6), "0"),
        ("entropy", (1, 5), "0.65"),
        ("entropy", (2, 4), "0.92"),
        ("entropy", (3, 3), "1"),
        ("gini", (0, 6), "0"),
        ("gini", (1, 5), "0.278"),
        ("gini", (2, 4), "0.444"),
        ("gini", (3, 3), "0.500"),
    ],
)
def test_the_figures_of_the_textbook_lie_on_the_curve(
    impurity: str, counts: tuple[int, int], figure: str
) -> None:
    assert at(counts[0] / sum(counts), impurity) == Printed(figure)


@pytest.mark.parametrize("name", CONCAVE)
def test_a_curve_is_0_at_the_ends_symmetric_and_rises_to_the_middle(name: str) -> None:
    _, (values,) = impurity_curve(name, steps=100)
    assert values[[0, -1]] == pytest.approx(0.0, abs=1e-12)
    assert values == pytest.approx(values[::-1])
    assert (np.diff(values[:51]) > 0).all()


@pytest.mark.parametrize(
    ("name", "greatest"),
    [("entropy", math.log2(3)), ("gini", 2 / 3), ("misclassification", 2 / 3)],
)
def test_of_three_classes_the_middle_is_worst(name: str, greatest: float) -> None:
    shares, (values,) = impurity_simplex(name, steps=30)
    assert shares[values.argmax()] == pytest.approx([1 / 3, 1 / 3, 1 / 3])
    assert values.max() == pytest.approx(greatest)
    assert values[(shares == 1).any(axis=1)] == pytest.approx([0, 0, 0])


def test_an_edge_of_the_simplex_is_the_curve() -> None:
    p, curve = impurity_curve(CONCAVE, steps=24)
    shares, values = impurity_simplex(CONCAVE, steps=24)
    edge = shares[:, 2] == 0
    assert shares[edge, 0] == pytest.approx(p)
    assert values[:, edge] == pytest.approx(curve)


@given(classes=st.sampled_from([2, 3]), steps=st.integers(1, 40))
def test_a_grid_holds_every_mixture_once(classes: int, steps: int) -> None:
    shares = grid(classes, steps)
    assert len(shares) == math.comb(steps + classes - 1, classes - 1)
    assert len(np.unique(shares, axis=0)) == len(shares)
    assert shares.sum(axis=1) == pytest.approx(1.0)
    assert shares.min() >= 0.0


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("steps", [1, 7, 10, None])
def test_scaled_the_greatest_is_1_whatever_the_steps(classes: int, steps: int | None) -> None:
    """The middle need not lie on the grid."""
    found = measured(["entropy", "gini"], classes, steps=steps, scaled=True)
    assert found.greatest == pytest.approx([math.log2(classes), 1 - 1 / classes])
    plain = measured(["entropy", "gini"], classes, steps=steps)
    assert found.values * found.greatest[:, None] == pytest.approx(plain.values)
    assert found.values.max() <= 1.0


def test_one_that_is_not_symmetric_is_scaled_by_its_own_peak() -> None:
    p, (values,) = impurity_curve(toy(lambda s: 5 * OneSided().impurity(s)), scaled=True)
    assert p[values.argmax()] == 0.75
    assert values.max() == 1.0


def test_strategies_classes_and_tables_can_be_given() -> None:
    _, values = impurity_curve([Gini, Tsallis(q=2.0), {"use": "logical_entropy"}])
    assert values[1] == pytest.approx(values[0])
    assert values[2] == pytest.approx(values[0])


def test_the_data_say_what_was_measured() -> None:
    facts = as_data(measured(["entropy", RootGini(power=1.0)], steps=2))
    assert facts == {
        "classes": 2,
        "scaled": False,
        "p": [0.0, 0.5, 1.0],
        "impurities": [
            {
                "name": "entropy",
                "parameters": {"base": 2.0},
                "unit": "bits",
                "greatest": 1.0,
                "values": [0.0, 1.0, 0.0],
            },
            {
                "name": "RootGini",
                "parameters": {"power": 1.0},
                "unit": "roots",
                "greatest": 0.5,
                "values": [0.0, 0.5, 0.0],
            },
        ],
    }


@pytest.mark.parametrize(
    ("base", "unit"), [("2", "bits"), (repr(math.e), "nats"), ("10", "hartleys"), ("3", "")]
)
@pytest.mark.parametrize("name", ["entropy", "renyi"])
def test_entropies_tell_their_unit(name: str, base: str, unit: str) -> None:
    (found,) = measured(f'{{ use = "{name}", base = {base} }}', steps=1).impurities
    assert found.unit == unit


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (lambda s: s[..., 1] / 0.0, "Toy is nan where the classes' shares are 0, 1"),
        (lambda s: np.log(s[..., 2]), "Toy is -inf where the classes' shares are 1, 0"),
        (lambda s: s[..., 7], "Toy fails: IndexError: index 7 is out of bounds"),
        (lambda s: s, "Toy gives values of shape (3, 3) for 3 nodes"),
    ],
)
def test_a_formula_that_fails_is_told(formula: Any, message: str) -> None:
    with pytest.raises(PluginError) as raised:
        impurity_curve(toy(formula), steps=2)
    assert str(raised.value).startswith(message)
    assert str(raised.value).endswith("; treekit.testing has contract tests for impurities")


def test_what_is_0_everywhere_cannot_be_scaled() -> None:
    nothing = toy(lambda s: 0.0 * s[..., 0])
    assert impurity_curve(nothing)[1].max() == 0.0
    with pytest.raises(PluginError, match="Toy is nowhere above 0 and cannot be scaled"):
        impurity_curve(nothing, scaled=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"classes": 4}, "classes = 4 cannot be drawn; give 2 or 3"),
        ({"steps": 0}, "steps = 0 makes no grid; give a whole number from 1"),
        ({"steps": 2.5}, "steps = 2.5 makes no grid; give a whole number from 1"),
    ],
)
def test_a_grid_that_cannot_be_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TreekitError) as raised:
        measured("gini", **options)
    assert str(raised.value) == message
