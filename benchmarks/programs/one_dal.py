"""oneDAL: it has forests only, so that its tree is a forest of one without a bootstrap.

By bins it is run as people do, through scikit-learn-intelex; by every cut, which that does not
offer, through daal4py, which comes with it.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.contest import Contender
from benchmarks.work import Work

NAME = "scikit-learn-intelex"
DISTRIBUTIONS = ("scikit-learn-intelex",)


def contenders(work: Work) -> list[Contender]:
    if work.kind not in ("tree", "forest") or not work.data.n_classes:
        return []
    rows, target, asked = work.data.rows, work.data.target, work.asked.rows
    return [
        Contender(
            "oneDAL, exact",
            lambda: trained(work),
            lambda model: predicted(work, model),
            must=work.must,
            warm=lambda: import_module("daal4py"),
        ),
        Contender(
            "oneDAL, histogram",
            lambda: estimator(work).fit(rows, target),
            lambda model: model.predict(asked),
            must="anything",
            warm=lambda: estimator(work),
        ),
    ]


def estimator(work: Work) -> Any:
    from sklearnex.ensemble import RandomForestClassifier

    forest = work.kind == "forest"
    return RandomForestClassifier(
        work.trees,
        bootstrap=forest,
        max_features="sqrt" if forest else None,
        max_depth=work.depth,
        n_jobs=work.threads,
        random_state=work.seed,
    )


def trained(work: Work) -> Any:
    """A model of daal4py's, grown by every cut."""
    import daal4py

    daal4py.daalinit(work.threads)
    forest = work.kind == "forest"
    columns = work.data.table.n_columns
    training = daal4py.decision_forest_classification_training(
        work.data.n_classes,
        fptype="float",
        method="defaultDense",
        nTrees=work.trees,
        featuresPerNode=max(1, math.isqrt(columns)) if forest else columns,
        bootstrap=forest,
        maxTreeDepth=work.depth or 0,
        engine=daal4py.engines_mt2203(seed=work.seed, fptype="float"),
    )
    return training.compute(work.data.rows, work.data.codes[:, None].astype(np.float32)).model


def predicted(work: Work, model: Any) -> Any:
    import daal4py

    daal4py.daalinit(work.threads)
    predict = daal4py.decision_forest_classification_prediction(work.data.n_classes, fptype="float")
    return predict.compute(work.asked.rows, model).prediction
