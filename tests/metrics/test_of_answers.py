"""Metrics of answers: against scikit-learn on random tables with weights, by hand, and by law."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as peer

from treekit.errors import TreekitError
from treekit.metrics import Answered, metric, of_answers
from treekit.metrics.of_classes import area

SEEDS = range(12)


def random_classes(seed: int, n_classes: int, *, absent: bool = False) -> Answered:
    """Answers that know something, with ties among the probabilities, and weights, some of them 0.

    `absent`: the last class is never true, and the first never answered.
    """
    rng = np.random.default_rng(seed)
    n = int(rng.integers(30, 60))
    actual = rng.integers(n_classes - absent, size=n).astype(float)
    actual[: n_classes - absent] = np.arange(n_classes - absent)
    votes = rng.integers(0, 4, size=(n, n_classes)) + 2.0 * (
        actual[:, None] == np.arange(n_classes)
    )
    votes[:, -1] += 0.5
    if absent:
        votes[:, 0] = 0.0
    shares = votes / votes.sum(axis=1, keepdims=True)
    weights = rng.choice([0.0, 0.25, 1.0, 3.0], n, p=[0.1, 0.3, 0.3, 0.3])
    weights[: 2 * n_classes] = 1.5
    return Answered(actual, shares.argmax(axis=1).astype(float), weights, n_classes, shares)


def random_numbers(seed: int) -> Answered:
    rng = np.random.default_rng(seed)
    actual = rng.normal(1e3, 5.0, 40)
    return Answered(actual, actual + rng.normal(size=40), rng.exponential(size=40))


def f1(found: Answered) -> float:
    # Rows of no weight do not make a class occur.
    some = found.weights > 0
    seen = sorted({*found.actual[some], *found.said[some]})
    expected = peer.f1_score(
        found.actual, found.said, labels=seen, average="macro", sample_weight=found.weights
    )
    return float(expected)


BY_LABELS: dict[str, Callable[..., Any]] = {
    "accuracy": peer.accuracy_score,
    "error": peer.zero_one_loss,
    "balanced_accuracy": peer.balanced_accuracy_score,
}
BY_NUMBERS: dict[str, Callable[..., Any]] = {
    "rmse": peer.root_mean_squared_error,
    "mae": peer.mean_absolute_error,
    "r2": peer.r2_score,
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("name", BY_LABELS)
def test_metrics_of_labels_are_scikit_learns(name: str, n_classes: int, seed: int) -> None:
    found = random_classes(seed, n_classes)
    expected = BY_LABELS[name](found.actual, found.said, sample_weight=found.weights)
    assert metric(name).of(found) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("absent", [False, True])
@pytest.mark.parametrize("n_classes", [3, 5])
def test_macro_f1_is_scikit_learns(n_classes: int, absent: bool, seed: int) -> None:
    found = random_classes(seed, n_classes, absent=absent)
    assert metric("macro_f1").of(found) == pytest.approx(f1(found), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("absent", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_log_loss_is_scikit_learns(n_classes: int, absent: bool, seed: int) -> None:
    """Those of an absent first class are certain and wrong: both stop at the least number."""
    found = random_classes(seed, n_classes, absent=absent)
    expected = peer.log_loss(
        found.actual, found.shares, sample_weight=found.weights, labels=range(n_classes)
    )
    assert metric("log_loss").of(found) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_the_brier_score_is_scikit_learns(n_classes: int, seed: int) -> None:
    found = random_classes(seed, n_classes)
    expected = peer.brier_score_loss(
        found.actual, found.shares, sample_weight=found.weights, labels=range(n_classes)
    )
    assert metric("brier").of(found) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_the_area_of_each_class_against_the_rest_is_scikit_learns(
    n_classes: int, seed: int
) -> None:
    found = random_classes(seed, n_classes)
    shares = found.probabilities[:, 1] if n_classes == 2 else found.probabilities
    expected = peer.roc_auc_score(
        found.actual, shares, sample_weight=found.weights, multi_class="ovr"
    )
    assert metric("auc").of(found) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_classes", [3, 5])
def test_the_area_of_each_class_against_each_other_is_scikit_learns(
    n_classes: int, seed: int
) -> None:
    """scikit-learn knows no weights here: rows are repeated instead."""
    found = random_classes(seed, n_classes)
    times = (4 * found.weights).astype(int)
    actual, shares = np.repeat(found.actual, times), np.repeat(found.probabilities, times, axis=0)
    expected = peer.roc_auc_score(actual, shares, multi_class="ovo")
    assert metric("auc_pairs").of(found) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", BY_NUMBERS)
def test_metrics_of_numbers_are_scikit_learns(name: str, seed: int) -> None:
    found = random_numbers(seed)
    expected = BY_NUMBERS[name](found.actual, found.said, sample_weight=found.weights)
    assert metric(name).of(found) == pytest.approx(expected, rel=1e-9)


def test_the_figures_of_four_rows_by_hand() -> None:
    """Two of class 0, two of class 1; the last row is answered wrong."""
    of_one = np.array([0.1, 0.4, 0.9, 0.3])
    shares = np.stack([1 - of_one, of_one], axis=1)
    actual = np.array([0.0, 0.0, 1.0, 1.0])
    found = of_answers(Answered(actual, np.array([0.0, 0.0, 1.0, 0.0]), np.ones(4), 2, shares))
    assert found == pytest.approx(
        {
            "accuracy": 3 / 4,
            "error": 1 / 4,
            "balanced_accuracy": (1 + 1 / 2) / 2,
            "macro_f1": (4 / 5 + 2 / 3) / 2,
            "log_loss": -(math.log(0.9) + math.log(0.6) + math.log(0.9) + math.log(0.3)) / 4,
            "brier": (0.01 + 0.16 + 0.01 + 0.49) / 4,
            "auc": 3 / 4,
            "auc_pairs": 3 / 4,
        }
    )


def test_of_more_classes_the_brier_score_is_summed_over_them() -> None:
    found = Answered(np.zeros(1), np.ones(1), np.ones(1), 3, np.array([[0.0, 1.0, 0.0]]))
    assert metric("brier").of(found) == 2.0


def test_a_class_without_rows_has_no_area() -> None:
    """The mean is of the others: class 2 never occurs."""
    shares = np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.5, 0.4, 0.1]])
    found = Answered(np.array([0.0, 1.0, 0.0]), np.array([0.0, 1.0, 0.0]), np.ones(3), 3, shares)
    assert metric("auc").of(found) == metric("auc_pairs").of(found) == 1.0


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("auc", Answered(np.zeros(2), np.zeros(2), np.ones(2), 2, np.full((2, 2), 0.5))),
        ("auc_pairs", Answered(np.zeros(2), np.zeros(2), np.ones(2), 2, np.full((2, 2), 0.5))),
        ("r2", Answered(np.full(3, 7.0), np.arange(3.0), np.ones(3))),
        ("r2", Answered(np.empty(0), np.empty(0), np.empty(0))),
        ("rmse", Answered(np.ones(2), np.ones(2), np.zeros(2))),
        ("accuracy", Answered(np.empty(0), np.empty(0), np.empty(0), 2, np.empty((0, 2)))),
        ("macro_f1", Answered(np.empty(0), np.empty(0), np.empty(0), 2, np.empty((0, 2)))),
        ("auc", Answered(np.empty(0), np.empty(0), np.empty(0), 2, np.empty((0, 2)))),
        ("balanced_accuracy", Answered(np.zeros(1), np.zeros(1), np.zeros(1), 2)),
        ("log_loss", Answered(np.empty(0), np.empty(0), np.empty(0), 2, np.empty((0, 2)))),
    ],
)
def test_what_cannot_be_told_is_nan(name: str, found: Answered) -> None:
    assert math.isnan(metric(name).of(found))


SCORES = st.lists(
    st.tuples(st.booleans(), st.integers(-3, 3).map(float), st.integers(0, 4).map(float)),
    min_size=1,
    max_size=12,
)


@given(SCORES)
def test_the_area_is_the_share_of_pairs_in_their_order(
    rows: list[tuple[bool, float, float]],
) -> None:
    ours = [(score, weight) for positive, score, weight in rows if positive]
    others = [(score, weight) for positive, score, weight in rows if not positive]
    pairs = sum(v * w for _, v in ours for _, w in others)
    right = sum(v * w * ((s > t) + (s == t) / 2) for s, v in ours for t, w in others)
    positive, score, weights = (np.array(column) for column in zip(*rows, strict=True))
    found = area(positive, score, weights)
    assert found == pytest.approx(right / pairs) if pairs else math.isnan(found)


@given(st.integers(0, 1000), st.integers(2, 4))
def test_a_weight_of_two_is_two_rows(seed: int, n_classes: int) -> None:
    once = random_classes(seed, n_classes)
    twice = np.repeat(np.arange(len(once.actual)), 2)
    repeated = Answered(
        once.actual[twice], once.said[twice], once.weights[twice], n_classes,
        once.probabilities[twice],
    )  # fmt: skip
    doubled = Answered(once.actual, once.said, 2 * once.weights, n_classes, once.shares)
    assert of_answers(repeated) == pytest.approx(of_answers(doubled), rel=1e-9)


def test_answers_without_probabilities_have_fewer_metrics() -> None:
    found = Answered(np.zeros(2), np.zeros(2), np.ones(2), 2)
    assert list(of_answers(found)) == ["accuracy", "error", "balanced_accuracy", "macro_f1"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("brier", "the metric 'brier' needs class probabilities"),
        ("nodes", "the metric 'nodes' needs a model"),
        ("acuracy", "there is no metric 'acuracy'; did you mean 'accuracy'?"),
        (
            "rmse",
            "the metric 'rmse' is for answers that are numbers, not classes; there is accuracy,"
            " error, balanced_accuracy, macro_f1, log_loss, brier, auc, auc_pairs, trees, nodes,"
            " leaves, depth, graph_nodes, path_length, description_length",
        ),
    ],
)
def test_a_metric_that_cannot_be_had_is_named(name: str, message: str) -> None:
    found = Answered(np.zeros(2), np.zeros(2), np.ones(2), 2)
    with pytest.raises(TreekitError) as caught:
        of_answers(found, [name])
    assert str(caught.value) == message
