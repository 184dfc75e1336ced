"""XGBoost as one exact tree.

One round of least squares without regularisation, each row weighing 1, is a regression tree; and
of two classes coded 0 and 1 the variance falls as Gini's index does. Of more classes XGBoost grows
a tree for each, which is other work: it does not take part.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.contest import SINGLE, Contender
from benchmarks.work import Work

NAME = "xgboost"
DISTRIBUTIONS = ("xgboost", "xgboost-cpu")
DEEP = 1000  # the exact method wants a limit


def contenders(work: Work) -> list[Contender]:
    if work.kind != "tree" or work.data.n_classes > 2:
        return []
    return [
        Contender(
            "XGBoost, exact",
            lambda: trained(work),
            lambda model: asked(work, model),
            lambda model: len(model.trees_to_dataframe()),
            # Its sums are in single precision, so that a leaf's mean is only nearly that of others.
            must=work.must if work.data.n_classes else "anything",
            warm=lambda: matrix(work),
            rounding=SINGLE,
        )
    ]


def trained(work: Work) -> Any:
    import xgboost

    parameters = {
        "objective": "reg:squarederror",
        "tree_method": "exact",
        "max_depth": work.depth or DEEP,
        "learning_rate": 1.0,
        "reg_lambda": 0.0,
        "min_child_weight": 1.0,
        "base_score": 0.5,
        "nthread": work.threads,
        "seed": work.seed,
    }
    return xgboost.train(parameters, matrix(work), 1)


def matrix(work: Work) -> Any:
    import xgboost

    return xgboost.DMatrix(work.data.rows, work.data.y, nthread=work.threads)


def asked(work: Work, model: Any) -> Any:
    answers = model.inplace_predict(work.asked.rows)
    return (answers > 0.5).astype(np.float64) if work.data.n_classes else answers
