"""AdaBoost by hand: the weights, errors and votes of each round (decks 001 and 002)."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

import treekit
from treekit.fitting import grow_member, planted
from treekit.offers import Forest
from treekit.recipe import Recipe, load_recipe
from treekit.table.record import Column, Floats, Schema, Table


def followed(table: Table, **settings: Any) -> tuple[Forest, list[Table]]:
    """The forest of `adaboost`, and what each of its rounds was grown on."""
    seen: list[Table] = []

    def grow(recipe: Recipe, sample: Table, *given: Any, **options: Any) -> Any:
        seen.append(sample)
        return grow_member(recipe, sample, *given, **options)

    recipe = load_recipe("adaboost", {f"ensemble.{key}": v for key, v in settings.items()})
    return planted(recipe, table, 0, grow), seen


# --- tennis, by weights --------------------------------------------------------------------------

# The days by how the first two stumps treat them: `yes` under an overcast sky, other `yes`, `no`.
TENNIS_WEIGHTS = [
    (Fraction(1), Fraction(1), Fraction(1)),
    # 5 of 14 are wrong, all `no`: times 9/5, then 14 in all again.
    (Fraction(7, 9), Fraction(7, 9), Fraction(7, 5)),
    # Of 14 the five other `yes` weigh 35/9: e = 5/18, times 13/5.
    (Fraction(7, 13), Fraction(7, 5), Fraction(63, 65)),
]
# The third stump is wrong on days 3, 4, 6 and 12: e = (7/13 + 7/5 + 63/65 + 7/13) / 14 = 16/65.
TENNIS_ERRORS = [Fraction(5, 14), Fraction(5, 18), Fraction(16, 65)]
TENNIS_VOTES = [math.log(9 / 5), math.log(13 / 5), math.log(49 / 16)]
TENNIS_TESTS = ["outlook", "outlook", "humidity"]


def test_the_first_rounds_on_tennis() -> None:
    table = treekit.load_dataset("tennis")
    forest, seen = followed(table, rounds=3)
    asked = [table.columns[member.tree.column[0]].name for member in forest.members]
    assert asked == TENNIS_TESTS
    assert forest.weights == pytest.approx(TENNIS_VOTES)
    overcast, yes = table.cells[0] == 1, table.y == 0
    for sample, weights in zip(seen, TENNIS_WEIGHTS, strict=True):
        wanted = np.select([yes & overcast, yes], weights[:2], weights[2]).astype(float)
        assert sample.weights == pytest.approx(wanted)
    for vote, error in zip(TENNIS_VOTES, TENNIS_ERRORS, strict=True):
        assert math.log((1 - error) / error) == pytest.approx(vote)


# --- the deck's line, word for word: both signs in the exponent ----------------------------------


def test_both_signs_in_the_exponent_are_twice_the_power() -> None:
    """Weights times exp(-alpha) where right, exp(alpha) where wrong, then normalised."""
    table = treekit.load_dataset("tennis")
    forest, seen = followed(table, rounds=2, power=2.0)
    alpha = math.log(9 / 5)
    right = table.y == 0
    weights = np.where(right, math.exp(-alpha), math.exp(alpha))
    assert forest.weights[0] == pytest.approx(alpha)
    assert seen[1].weights == pytest.approx(weights * 14 / weights.sum())


def test_with_both_signs_a_stump_is_followed_by_its_opposite() -> None:
    """Its error has become 1 - e, so the opposite answers have e again, and the votes cancel."""
    schema = Schema((Column("x", "numeric"),), Column("y", "nominal", ("a", "b")))
    cells = np.array([[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]])
    table = Table(schema, cells, np.array([0.0, 0.0, 1.0, 0.0, 1.0, 1.0]))
    forest, seen = followed(table, rounds=4, power=2.0)
    assert forest.weights == pytest.approx([math.log(2)] * 4)
    assert seen[2].weights == pytest.approx(seen[0].weights)
    once, again = (m.answers[m.tree.is_leaf].argmax(axis=1) for m in forest.members[:2])
    assert (once != again).all()


# --- iris, by an AdaBoost of its own -------------------------------------------------------------


def iris(classes: int) -> Table:
    data = load_iris()
    some = data.target < classes if classes == 3 else data.target > 0
    columns = tuple(Column(name, "numeric") for name in data.feature_names)
    target = Column("species", "nominal", ("a", "b", "c")[:classes])
    y = data.target[some] - (0 if classes == 3 else 1)
    return Table(Schema(columns, target), data.data[some].T.copy(), y.astype(float))


def gini_stump(x: Floats, y: Floats, w: Floats, classes: int) -> Callable[[Floats], Floats]:
    """The first best cut of the first best column, by exhaustive search."""
    best = (np.inf, -1, 0.0, 0, 0)
    for column, values in enumerate(x):
        levels = np.unique(values)
        for cut in (levels[:-1] + levels[1:]) / 2:
            below = values <= cut
            sides = [np.bincount(y[s].astype(int), w[s], classes) for s in (below, ~below)]
            mixed = sum(side.sum() - (side**2).sum() / side.sum() for side in sides)
            if mixed < best[0] - 1e-9:
                best = (mixed, column, cut, int(sides[0].argmax()), int(sides[1].argmax()))
    _, column, cut, low, high = best
    return lambda rows: np.where(rows[column] <= cut, low, high)


@pytest.mark.parametrize("classes", [2, 3])
def test_rounds_on_iris(classes: int) -> None:
    table = iris(classes)
    forest, seen = followed(table, rounds=12)
    weights, votes = np.full(table.n_rows, 1 / table.n_rows), np.zeros((table.n_rows, classes))
    for i, sample in enumerate(seen):
        assert sample.weights / table.n_rows == pytest.approx(weights)
        answers = gini_stump(table.cells, table.y, weights, classes)(table.cells)
        wrong = answers != table.y
        error = weights[wrong].sum()
        alpha = math.log((1 - error) / error) + math.log(classes - 1)
        assert forest.weights[i] == pytest.approx(alpha)
        votes[np.arange(table.n_rows), answers] += alpha
        weights[wrong] *= math.exp(alpha)
        weights /= weights.sum()
    model = treekit.fit("adaboost", table, set={"ensemble.rounds": 12})
    assert model.predict_proba(table) == pytest.approx(votes / votes.sum(axis=1, keepdims=True))


def test_m1_on_iris_is_figure_1() -> None:
    """Freund and Schapire 1996: right rows times beta = e / (1 - e), the vote log(1 / beta)."""
    table = iris(3)
    forest, seen = followed(table, rounds=12, multiclass="m1")
    rows = np.arange(table.n_rows)
    weights, votes = np.full(table.n_rows, 1 / table.n_rows), np.zeros((table.n_rows, 3))
    for i, sample in enumerate(seen):
        assert sample.weights / table.n_rows == pytest.approx(weights)
        answers = gini_stump(table.cells, table.y, weights, 3)(table.cells)
        right = answers == table.y
        error = weights[~right].sum()
        assert error < 1 / 2
        beta = error / (1 - error)
        assert forest.weights[i] == pytest.approx(math.log(1 / beta))
        votes[rows, answers] += math.log(1 / beta)
        weights[right] *= beta
        weights /= weights.sum()
    assert len(forest.members) == 12
    model = treekit.fit("adaboost_m1", table, set={"ensemble.rounds": 12})
    assert model.predict_proba(table) == pytest.approx(votes / votes.sum(axis=1, keepdims=True))


# --- tennis, by samples --------------------------------------------------------------------------


def test_the_resampling_form_on_tennis() -> None:
    """E is of all rows by weight, A = ln((1 - E) / E) / 2; wrong rows then weigh half of all."""
    table = treekit.load_dataset("tennis")
    forest, seen = followed(table, use="adaboost_resampled", rounds=8)
    weights = np.ones(14) / 14
    for member, confidence, sample in zip(forest.members, forest.weights, seen, strict=False):
        assert sample.weights.sum() == 14
        assert (sample.weights == sample.weights.round()).all()
        said = treekit.answers_for(member.tree, member.answers, table).argmax(axis=1)
        wrong = said != table.y
        error = weights[wrong].sum()
        if error == 0:
            break
        assert confidence == pytest.approx(0.5 * math.log((1 - error) / error))
        weights = weights * np.where(wrong, 1 / (2 * error), 1 / (2 * (1 - error)))
        assert weights.sum() == pytest.approx(1)
    assert len(forest.members) >= 3
