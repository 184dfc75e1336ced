"""scikit-learn."""

from __future__ import annotations

from typing import Any

from benchmarks.contest import Contender
from benchmarks.work import Work

NAME = "scikit-learn"
DISTRIBUTIONS = ("scikit-learn",)


def contenders(work: Work) -> list[Contender]:
    if work.kind in ("c45", "cart"):
        return []
    rows, target, asked = work.data.rows, work.data.target, work.asked.rows
    return [
        Contender(
            NAME,
            lambda: estimator(work).fit(rows, target),
            lambda model: model.predict(asked),
            nodes_of,
            work.must,
            warm=lambda: estimator(work),
        )
    ]


def estimator(work: Work) -> Any:
    """The estimator of scikit-learn that does this work."""
    from sklearn import ensemble, tree

    if work.kind == "forest":
        forest = ensemble.RandomForestClassifier
        return forest(work.trees, n_jobs=work.threads, random_state=work.seed)
    if work.kind == "adaboost":
        return ensemble.AdaBoostClassifier(n_estimators=work.trees, random_state=work.seed)
    if work.kind == "gradient_boosting":
        return ensemble.GradientBoostingClassifier(n_estimators=work.trees, random_state=work.seed)
    kind = tree.DecisionTreeClassifier if work.data.n_classes else tree.DecisionTreeRegressor
    return kind(max_depth=work.depth, random_state=work.seed)


def nodes_of(model: Any) -> int:
    trees = getattr(model, "estimators_", None)
    if trees is None:
        return int(model.tree_.node_count)
    return sum(nodes_of(tree) for tree in getattr(trees, "flat", trees))
