"""scikit-learn's nearest neighbours give the same answers.

Where the k-th and the next row are as far, scikit-learn takes whichever its search meets first.
treekit lets all of them share the places, so its answer is the mean over the choices that could be
made; there scikit-learn's must be one of these choices.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import StandardScaler
from treekit_builtin import Knn

from treekit import read_table
from treekit.fitting import fit_table
from treekit.model import row_answers
from treekit.recipe import load_recipe
from treekit.table.record import Column, Floats, Schema, Table

FOLDER = Path(__file__).parents[3] / "shared" / "data"
SETS = (
    "sonar",
    "sklearn-breast_cancer",
    "weka-diabetes",
    "weka-glass",
    "weka-ionosphere",
    "vehicle",
)
NORMS = (1.0, 2.0, math.inf)
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


def halves(table: Table) -> tuple[Table, Table]:
    """Every other row to learn from, the others to ask."""
    return table.take(np.arange(0, table.n_rows, 2)), table.take(np.arange(1, table.n_rows, 2))


def ours(training: Table, queries: Table, p: float, standardise: bool = False) -> Floats:
    name = "knn" if training.task == "classification" else "knn_regression"
    recipe = load_recipe(name, {"tree.label": Knn(K, p, standardise)})
    return row_answers(fit_table(recipe, training), queries)


def theirs(training: Table, queries: Table, p: float) -> tuple[Floats, Floats]:
    """The answers, and the distances of the K nearest rows and the one behind them."""
    if training.task == "regression":
        peer: Any = KNeighborsRegressor(K, p=p).fit(training.cells.T, training.y)
        answers = peer.predict(queries.cells.T)[:, None]
    else:
        peer = KNeighborsClassifier(K, p=p).fit(training.cells.T, training.y)
        answers = np.zeros((queries.n_rows, len(training.schema.classes)))
        answers[:, peer.classes_.astype(int)] = peer.predict_proba(queries.cells.T)
    return answers, peer.kneighbors(queries.cells.T, K + 1)[0]


def compare(training: Table, queries: Table, p: float) -> None:
    found = ours(training, queries, p)
    wanted, away = theirs(training, queries, p)
    tied = away[:, K] <= away[:, K - 1] * (1 + SAME)
    assert found[~tied] == pytest.approx(wanted[~tied])
    assert tied.mean() < 0.8
    every = theirs_all(training, queries.take(tied), p)
    for answer, theirs_here, here in zip(found[tied], wanted[tied], every, strict=True):
        last = np.sort(here)[K - 1]
        nearer, level = here < last * (1 - SAME), np.abs(here - last) <= last * SAME
        places = K - nearer.sum()
        values = np.eye(len(answer))[training.y.astype(int)]
        mean = values[nearer].sum(axis=0) + values[level].mean(axis=0) * places
        assert answer == pytest.approx(mean / K)
        votes = theirs_here * K - values[nearer].sum(axis=0)
        assert (votes >= -SAME).all()
        assert (votes <= values[level].sum(axis=0) + SAME).all()


def theirs_all(training: Table, queries: Table, p: float) -> Floats:
    """[queries, training rows]: every distance, as scikit-learn has it."""
    if not queries.n_rows:
        return np.empty((0, training.n_rows))
    peer = KNeighborsClassifier(training.n_rows, p=p).fit(training.cells.T, training.y)
    away, rows = peer.kneighbors(queries.cells.T)
    out = np.empty_like(away)
    np.put_along_axis(out, rows, away, axis=1)
    return np.asarray(out)


@pytest.mark.parametrize("p", NORMS)
@pytest.mark.parametrize("name", SETS)
def test_data_sets_of_classes(name: str, p: float) -> None:
    compare(*halves(shared(name)), p)


@pytest.mark.parametrize("p", NORMS)
@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_bundled_data_sets_of_classes(load: Any, p: float) -> None:
    compare(*halves(bundled(load)), p)


@pytest.mark.parametrize("p", NORMS)
def test_a_data_set_of_numbers(p: float) -> None:
    training, queries = halves(bundled(load_diabetes, of_classes=False))
    wanted, away = theirs(training, queries, p)
    clear = away[:, K] > away[:, K - 1] * (1 + SAME)
    assert clear.mean() > 0.5
    assert ours(training, queries, p)[clear] == pytest.approx(wanted[clear])


@pytest.mark.parametrize("p", NORMS)
def test_standardised_columns(p: float) -> None:
    training, queries = halves(bundled(load_wine))
    scaler = StandardScaler().fit(training.cells.T)
    scaled = [evolve(t, cells=scaler.transform(t.cells.T).T.copy()) for t in (training, queries)]
    wanted, away = theirs(scaled[0], scaled[1], p)
    clear = away[:, K] > away[:, K - 1] * (1 + SAME)
    assert clear.mean() > 0.5
    assert ours(training, queries, p, standardise=True)[clear] == pytest.approx(wanted[clear])
