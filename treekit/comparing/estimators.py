"""scikit-learn's estimators as contenders, by name: `sklearn:DecisionTreeClassifier`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import metadata
from typing import Any, Final

import numpy as np
from attrs import field, frozen

from treekit.errors import DataError, Problem, RecipeError, did_you_mean
from treekit.table.record import Floats, Table

PREFIX: Final = "sklearn:"


@frozen(eq=False)
class EstimatorContender:
    """An estimator by its name in scikit-learn, and its parameters.

    Numeric and ordinal columns are given as numbers, nominal ones as a 0/1 column for each level.
    One that takes no weights is given the rows that a fold draws several times as often.
    """

    name: str
    estimator: str
    parameters: Mapping[str, Any] = field(factory=dict)
    varied: Mapping[str, str] = field(factory=dict)

    @property
    def document(self) -> dict[str, Any]:
        return {"estimator": self.estimator, "parameters": dict(self.parameters)}

    @property
    def versions(self) -> dict[str, str]:
        names = ("scikit-learn", "numpy", "scipy")
        return {name: metadata.version(name) for name in names}

    def check(self, table: Table) -> None:
        predicts_numbers = _predicts_numbers(self.estimator)
        if predicts_numbers != (table.task == "regression"):
            wants = "a number" if predicts_numbers else "classes"
            what = f"{self.name} predicts {wants}, but the target is {table.schema.target.kind}"
            raise DataError(Problem(what, table.source))
        if table.given_weights is not None and not _takes_weights(self.estimator):
            what = f"{self.name} takes no weights, but the rows have some"
            raise DataError(Problem(what, table.source, "leave it out, or the weights"))

    def learn(self, table: Table, seed: int) -> LearnedEstimator:
        made = _made(self.estimator, self.parameters)
        if "random_state" in made.get_params() and "random_state" not in self.parameters:
            made.set_params(random_state=seed % (1 << 31))
        if table.given_weights is None:
            made.fit(matrix(table), table.y)
        elif _takes_weights(self.estimator):
            made.fit(matrix(table), table.y, sample_weight=table.weights)
        else:
            # The data have no weights of their own, so these count how often a row was drawn.
            copies = table.weights.astype(np.int64)
            rows = table.take(np.repeat(np.arange(table.n_rows), copies))
            made.fit(matrix(rows), rows.y)
        return LearnedEstimator(made)


@frozen(eq=False)
class LearnedEstimator:
    estimator: Any
    model: None = None

    def answers(self, table: Table) -> Floats:
        x = matrix(table)
        if table.task == "regression":
            return np.asarray(self.estimator.predict(x), np.float64)[:, None]
        n_classes = len(table.schema.classes)
        if not hasattr(self.estimator, "predict_proba"):
            return np.eye(n_classes)[np.asarray(self.estimator.predict(x), np.int64)]
        shares = np.zeros((table.n_rows, n_classes))
        shares[:, self.estimator.classes_.astype(np.int64)] = self.estimator.predict_proba(x)
        return shares


def matrix(table: Table) -> Floats:
    """[rows, features]: the columns as scikit-learn takes them."""
    features = []
    for column, values in zip(table.columns, table.cells, strict=True):
        if column.kind == "nominal":
            features += [
                (values == level).astype(np.float64) for level in range(len(column.levels))
            ]
        else:
            features.append(values)
    return np.column_stack(features) if features else np.empty((table.n_rows, 0))


def estimator_contender(
    word: str, parameters: Mapping[str, Any] | None = None, name: str = ""
) -> EstimatorContender:
    """The contender that `sklearn:NAME` means."""
    estimator = word.removeprefix(PREFIX)
    parameters = dict(parameters or {})
    made = _made(estimator, {})
    known = made.get_params()
    for parameter in parameters:
        if parameter not in known:
            what = f"{estimator} has no parameter {parameter!r}"
            raise RecipeError(Problem(what, word, did_you_mean(parameter, known)))
    return EstimatorContender(name or word, estimator, parameters)


def _made(estimator: str, parameters: Mapping[str, Any]) -> Any:
    every = _estimators()
    if estimator not in every:
        what = f"scikit-learn has no classifier or regressor {estimator!r}"
        raise RecipeError(Problem(what, instead=did_you_mean(estimator, every)))
    try:
        return every[estimator](**parameters)
    except TypeError as error:
        raise RecipeError(Problem(f"{estimator} cannot be made: {error}")) from None


def _predicts_numbers(estimator: str) -> bool:
    from sklearn.base import is_regressor

    return bool(is_regressor(_made(estimator, {})))


def _takes_weights(estimator: str) -> bool:
    from sklearn.utils.validation import has_fit_parameter

    return bool(has_fit_parameter(_made(estimator, {}), "sample_weight"))


@cache
def _estimators() -> dict[str, type]:
    try:
        from sklearn.utils import all_estimators
    except ImportError:
        what = "estimators of scikit-learn need scikit-learn"
        raise RecipeError(Problem(what, instead="pip install 'treekit[sklearn]'")) from None
    return {
        name: made for kind in ("classifier", "regressor") for name, made in all_estimators(kind)
    }
