"""Snap ML: trees and forests, by every cut (exact) or by 256 bins (histogram)."""

from __future__ import annotations

from typing import Any

from benchmarks.contest import SINGLE, Contender
from benchmarks.work import Work

NAME = "snapml"
DISTRIBUTIONS = ("snapml",)


def contenders(work: Work) -> list[Contender]:
    if work.kind not in ("tree", "forest"):
        return []
    return [contender(work, histograms) for histograms in (False, True)]


def contender(work: Work, histograms: bool) -> Contender:
    rows, target, asked = work.data.rows, work.data.target, work.asked.rows
    return Contender(
        f"Snap ML, {'histogram' if histograms else 'exact'}",
        lambda: estimator(work, histograms).fit(rows, target),
        lambda model: model.predict(asked),
        must="anything" if histograms else work.must,
        warm=lambda: estimator(work, histograms),
        rounding=SINGLE,
        # A node's histograms of many classes cost more than its rows: minutes on D3.
        slow=histograms and work.data.n_classes > 2,
    )


def estimator(work: Work, histograms: bool) -> Any:
    import snapml

    if work.kind == "forest":
        return snapml.RandomForestClassifier(
            n_estimators=work.trees,
            n_jobs=work.threads,
            random_state=work.seed,
            use_histograms=histograms,
        )
    numbers, classes = snapml.DecisionTreeRegressor, snapml.DecisionTreeClassifier
    return (classes if work.data.n_classes else numbers)(
        max_depth=work.depth,
        n_jobs=work.threads,
        random_state=work.seed,
        use_histograms=histograms,
    )
