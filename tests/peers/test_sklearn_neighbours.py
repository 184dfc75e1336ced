"""scikit-learn's nearest neighbours give the same answers.

Where the k-th and the next row are as far, scikit-learn takes whichever its search meets first.
treekit lets all of them share the places, so its answer is the mean over the choices that could be
made. A class that wins by every choice wins by their mean, too: so the class is scikit-learn's
wherever that does not hang on the choice, as on the order of the training rows it does elsewhere.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve, frozen
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestNeighbors
from sklearn.preprocessing import StandardScaler
from treekit_builtin import Knn

from treekit import read_table, winners
from treekit.fitting import fit_table
from treekit.model import row_answers
from treekit.recipe import load_recipe
from treekit.table.record import Bools, Column, Floats, Ints, Schema, Table

FOLDER = Path(__file__).parents[3] / "shared" / "data"
NORMS = (1.0, 2.0, math.inf)
# The rows that are asked; then, for each norm, those with a tie at the k-th distance, and those of
# them whose class hangs on which of the tied rows are taken.
ROWS = {
    "sonar": (104, (0, 0), (0, 0), (1, 0)),
    "sklearn-breast_cancer": (284, (0, 0), (0, 0), (4, 0)),
    "weka-diabetes": (384, (0, 0), (0, 0), (133, 30)),
    "weka-glass": (107, (0, 0), (0, 0), (22, 1)),
    "weka-ionosphere": (175, (2, 0), (3, 0), (6, 0)),
    "vehicle": (423, (68, 15), (2, 0), (192, 43)),
    "iris": (75, (37, 2), (15, 0), (53, 3)),
    "wine": (89, (0, 0), (0, 0), (25, 1)),
}
K = 5
SAME = 1e-9


def shared(name: str) -> Table:
    path = FOLDER / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"no data set {name} in ../shared/data")
    return read_table(path, schema=FOLDER / f"{name}.schema.json")


def bundled(load: Any, of_classes: bool = True) -> Table:
    found = load()
    columns = tuple(Column(f"x{i}", "numeric") for i in range(found.data.shape[1]))
    classes = tuple(str(c) for c in range(int(found.target.max()) + 1)) if of_classes else ()
    target = Column("y", "nominal" if of_classes else "numeric", classes)
    return Table(Schema(columns, target), found.data.T.copy(), found.target.astype(float))


BUNDLED = {"iris": load_iris, "wine": load_wine}


def data_set(name: str) -> Table:
    return bundled(BUNDLED[name]) if name in BUNDLED else shared(name)


def halves(table: Table) -> tuple[Table, Table]:
    """Every other row to learn from, the others to ask."""
    return table.take(np.arange(0, table.n_rows, 2)), table.take(np.arange(1, table.n_rows, 2))


def ours(training: Table, queries: Table, p: float, standardise: bool = False) -> Floats:
    name = "knn" if training.task == "classification" else "knn_regression"
    recipe = load_recipe(name, {"tree.label": Knn(K, p, standardise)})
    return row_answers(fit_table(recipe, training), queries)


def theirs(training: Table, queries: Table, p: float, algorithm: str = "auto") -> Floats:
    if training.task == "regression":
        peer: Any = KNeighborsRegressor(K, p=p).fit(training.cells.T, training.y)
        return np.asarray(peer.predict(queries.cells.T)[:, None])
    peer = KNeighborsClassifier(K, p=p, algorithm=algorithm).fit(training.cells.T, training.y)
    answers = np.zeros((queries.n_rows, len(training.schema.classes)))
    answers[:, peer.classes_.astype(int)] = peer.predict_proba(queries.cells.T)
    return answers


def nearest(training: Table, queries: Table, p: float) -> tuple[Bools, Bools]:
    """[queries, training rows]: who is nearer than the k-th row, and who is as far as it."""
    peer = NearestNeighbors(n_neighbors=training.n_rows, p=p).fit(training.cells.T)
    sorted_away, rows = peer.kneighbors(queries.cells.T)
    away = np.empty_like(sorted_away)
    np.put_along_axis(away, rows, sorted_away, axis=1)
    last = sorted_away[:, K - 1 : K]
    return away < last * (1 - SAME), np.abs(away - last) <= last * SAME


def ties(training: Table, queries: Table, p: float) -> Bools:
    """Whether more rows are as far as the k-th than there are places left."""
    nearer, level = nearest(training, queries, p)
    return np.asarray(nearer.sum(axis=1) + level.sum(axis=1) > K)


# --- classes -------------------------------------------------------------------------------------


@frozen(eq=False)
class Asked:
    """A data set whose rows were asked about.

    sure   [rows, classes]: the votes of the training rows nearer than the k-th
    level  [rows, classes]: how many training rows are as far as the k-th
    """

    training: Table
    queries: Table
    ours: Floats
    theirs: Floats
    sure: Ints
    level: Ints

    @property
    def left(self) -> Ints:
        """[rows, 1]: the places that the nearer rows leave."""
        return np.asarray(K - self.sure.sum(axis=1, keepdims=True))

    @property
    def tied(self) -> Bools:
        return np.asarray(self.level.sum(axis=1) > self.left[:, 0])

    @property
    def hanging(self) -> Bools:
        """Whether the class with the most votes hangs on which of the tied rows are taken."""
        rows = zip(self.sure, self.level, strict=True)
        return np.array([len(classes_by_choice(*row)) > 1 for row in rows])


def classes_by_choice(sure: Ints, level: Ints) -> set[int]:
    """The class with the most votes, the first of several, by each choice of the tied rows."""
    left = K - sure.sum()
    choices = product(*(range(min(rows, left) + 1) for rows in level))
    return {int(np.argmax(sure + chosen)) for chosen in choices if sum(chosen) == left}


@cache
def asked(name: str, p: float) -> Asked:
    training, queries = halves(data_set(name))
    votes = np.eye(len(training.schema.classes), dtype=int)[training.y.astype(int)]
    sure, level = (rows.astype(int) @ votes for rows in nearest(training, queries, p))
    answers = (of(training, queries, p) for of in (ours, theirs))
    return Asked(training, queries, *answers, sure, level)


each_norm = pytest.mark.parametrize("p", NORMS)
each_data_set = pytest.mark.parametrize("name", ROWS)
TIED = [
    (name, p)
    for name, (_, *by_norm) in ROWS.items()
    for p, (tied, _) in zip(NORMS, by_norm, strict=True)
    if tied
]


@each_norm
@each_data_set
def test_so_many_rows_are_compared(name: str, p: float) -> None:
    found, (rows, *ties_by_norm) = asked(name, p), ROWS[name]
    assert found.queries.n_rows == rows
    assert (found.tied.sum(), found.hanging.sum()) == ties_by_norm[NORMS.index(p)]


@each_norm
@each_data_set
def test_without_a_tie_the_shares_are_scikit_learns(name: str, p: float) -> None:
    found = asked(name, p)
    assert found.ours[~found.tied] == pytest.approx(found.theirs[~found.tied])


@each_norm
@each_data_set
def test_the_shares_are_the_mean_of_the_choices_and_scikit_learns_one_of_them(
    name: str, p: float
) -> None:
    found = asked(name, p)
    each = found.level / found.level.sum(axis=1, keepdims=True)
    assert found.ours == pytest.approx((found.sure + found.left * each) / K)
    taken = found.theirs * K - found.sure
    assert (taken >= -SAME).all()
    assert (taken <= found.level + SAME).all()


@each_norm
@each_data_set
def test_the_class_is_scikit_learns_where_it_hangs_on_no_choice(name: str, p: float) -> None:
    found = asked(name, p)
    same = winners(found.ours) == found.theirs.argmax(axis=1)
    assert same[~found.hanging].all()


@cache
def by_order(name: str, p: float) -> Floats:
    """[tied rows, orders, classes]: scikit-learn's shares, its training rows in several orders.

    As they are, searched as it likes, then shuffled and searched by brute force: its trees look at
    their leaves in an order of their own.
    """
    found = asked(name, p)
    queries, n = found.queries.take(found.tied), found.training.n_rows
    orders = [np.random.default_rng(seed).permutation(n) for seed in range(20)]
    shares = [theirs(found.training.take(order), queries, p, "brute") for order in orders]
    return np.stack([found.theirs[found.tied], *shares], axis=1)


@pytest.mark.parametrize(("name", "p"), TIED)
def test_the_class_is_scikit_learns_where_that_is_the_same_for_every_order_of_its_rows(
    name: str, p: float
) -> None:
    found, there = asked(name, p), by_order(name, p).argmax(axis=2)
    settled = (there == there[:, :1]).all(axis=1)
    assert settled[~found.hanging[found.tied]].all()
    assert (winners(found.ours[found.tied])[settled] == there[settled, 0]).all()


@pytest.mark.parametrize(("name", "p"), TIED)
def test_by_some_order_of_scikit_learns_rows_no_class_has_more_votes(name: str, p: float) -> None:
    """Others may have as many; of them scikit-learn prefers the first."""
    found, votes = asked(name, p), by_order(name, p)
    for here, there in zip(winners(found.ours[found.tied]), votes, strict=True):
        assert (there[:, here] == there.max(axis=1)).any()


# --- numbers, and standardised columns -----------------------------------------------------------


@pytest.mark.parametrize(("p", "clear"), [(1.0, 221), (2.0, 221), (math.inf, 197)])
def test_a_data_set_of_numbers(p: float, clear: int) -> None:
    training, queries = halves(bundled(load_diabetes, of_classes=False))
    untied = ~ties(training, queries, p)
    assert (queries.n_rows, untied.sum()) == (221, clear)
    wanted = theirs(training, queries, p)
    assert ours(training, queries, p)[untied] == pytest.approx(wanted[untied])


@pytest.mark.parametrize(("p", "clear"), [(1.0, 89), (2.0, 89), (math.inf, 82)])
def test_standardised_columns(p: float, clear: int) -> None:
    training, queries = halves(bundled(load_wine))
    scaler = StandardScaler().fit(training.cells.T)
    scaled = [evolve(t, cells=scaler.transform(t.cells.T).T.copy()) for t in (training, queries)]
    untied = ~ties(scaled[0], scaled[1], p)
    assert (queries.n_rows, untied.sum()) == (89, clear)
    wanted = theirs(scaled[0], scaled[1], p)
    found = ours(training, queries, p, standardise=True)
    assert found[untied] == pytest.approx(wanted[untied])
