"""scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.contest import Contender, Outcome
from benchmarks.work import Work

NAME = "scikit-learn"
DISTRIBUTION = "scikit-learn"


def contenders(work: Work) -> list[Contender]:
    data = work.data
    target = data.codes if data.n_classes else data.y

    def outcome(model: Any) -> Outcome:
        answers = np.asarray(model.predict(work.asked.rows), np.float64)
        return work.outcome(answers, nodes_of(model))

    return [
        Contender(
            NAME,
            lambda: estimator(work).fit(data.rows, target),
            outcome,
            work.must,
            lambda: estimator(work),
        )
    ]


def estimator(work: Work) -> Any:
    """The estimator of scikit-learn that does this work."""
    from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    if work.kind == "forest":
        return RandomForestClassifier(work.trees, n_jobs=work.threads, random_state=work.seed)
    if work.kind == "adaboost":
        return AdaBoostClassifier(n_estimators=work.trees, random_state=work.seed)
    kind = DecisionTreeClassifier if work.data.n_classes else DecisionTreeRegressor
    return kind(max_depth=work.depth, random_state=work.seed)


def nodes_of(model: Any) -> int:
    trees = getattr(model, "estimators_", None)
    return sum(map(nodes_of, trees)) if trees else int(model.tree_.node_count)
