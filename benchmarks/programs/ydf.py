"""ydf (Yggdrasil decision forests): its trees are grown by entropy, so that they are others."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.contest import SINGLE, Contender
from benchmarks.data import Data
from benchmarks.work import Work

NAME = "ydf"
DISTRIBUTIONS = ("ydf",)


def contenders(work: Work) -> list[Contender]:
    if work.kind not in ("tree", "forest"):
        return []
    seen, asked = columns(work.data), columns(work.asked)
    seen["y"] = work.data.target
    return [
        Contender(
            NAME,
            lambda: learner(work).train(seen),
            lambda model: answers(work, model, asked),
            lambda model: int(model.num_nodes()),
            must=work.must if work.kind == "forest" else "anything",
            warm=lambda: learner(work),
            rounding=SINGLE,
        )
    ]


def columns(data: Data) -> dict[str, Any]:
    return {f"x{i}": values for i, values in enumerate(data.table.cells.astype(np.float32))}


def learner(work: Work) -> Any:
    import ydf

    ydf.verbose(0)
    task = ydf.Task.CLASSIFICATION if work.data.n_classes else ydf.Task.REGRESSION
    same = {
        "label": "y",
        "task": task,
        # A depth of 1 is the root alone.
        "max_depth": -1 if work.depth is None else work.depth + 1,
        "min_examples": 1,
        "num_threads": work.threads,
    }
    if work.kind == "tree":
        return ydf.CartLearner(**same, validation_ratio=0.0)
    return ydf.RandomForestLearner(
        **same,
        num_trees=work.trees,
        random_seed=work.seed,
        winner_take_all=False,
        compute_oob_performances=False,
    )


def answers(work: Work, model: Any, asked: dict[str, Any]) -> Any:
    shares = model.predict(asked)
    if not work.data.n_classes:
        return shares
    place = np.array([float(name) for name in model.label_classes()])
    return place[shares.argmax(axis=1) if shares.ndim == 2 else (shares > 0.5).astype(int)]
