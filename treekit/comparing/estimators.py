"""scikit-learn's estimators as contenders, by name: `sklearn:DecisionTreeClassifier`."""

from __future__ import annotations

from collections.abc import Mapping
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
        is_regressor = "regressor" in _tags(self.estimator)
        if is_regressor != (table.task == "regression"):
            wants = "a number" if is_regressor else "classes"
            what = f"{self.name} predicts {wants}, but the target is {table.schema.target.kind}"
            raise DataError(Problem(what, table.source))

    def learn(self, table: Table, seed: int) -> LearnedEstimator:
        made = _made(self.estimator, self.parameters)
        if "random_state" in made.get_params() and "random_state" not in self.parameters:
            made.set_params(random_state=seed % (1 << 31))
        weights = {} if table.given_weights is None else {"sample_weight": table.weights}
        made.fit(matrix(table), table.y, **weights)
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


def _tags(estimator: str) -> str:
    from sklearn.base import is_regressor

    return "regressor" if is_regressor(_made(estimator, {})) else "classifier"


def _estimators() -> dict[str, type]:
    try:
        from sklearn.utils import all_estimators
    except ImportError:
        what = "estimators of scikit-learn need scikit-learn"
        raise RecipeError(Problem(what, instead="pip install 'treekit[sklearn]'")) from None
    return {
        name: made for kind in ("classifier", "regressor") for name, made in all_estimators(kind)
    }
