"""The figures of a comparison as tables: CSV and Parquet for programs, LaTeX in `latex`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import asdict, fields_dict, frozen

from treekit.comparing.results import FIRST, Results, shared
from treekit.errors import Problem, TreekitError
from treekit.statistics.record import Ablation, Analysis, Effect, Pair, PairOnData
from treekit.writing import written_whole

if TYPE_CHECKING:
    import pandas as pd

FIGURE_COLUMNS: Final = (
    "metric", "data", "contender", "mean", "deviation", "rank", "best", "folds", "failed",
)  # fmt: skip
RANK_COLUMNS: Final = ("metric", "contender", "mean_rank", "data_sets")
SHARE_COLUMNS: Final = ("metric", "path", "part", "share")


@frozen
class Shown:
    """One contender on one data set: what a table shows there.

    best  no other is better over the folds that all finished
    """

    metric: str
    data: str
    contender: str
    mean: float
    deviation: float
    rank: float
    best: bool
    folds: int
    failed: int


def metrics_shown(results: Results, analyses: Iterable[Analysis]) -> tuple[str, ...]:
    """What a report is about: what was analysed; if nothing was, the usual metrics."""
    analysed = tuple(dict.fromkeys(analysis.metric for analysis in analyses))
    return analysed or tuple(m for m in (FIRST[results.task], "leaves") if m in results.metrics)


def shown(results: Results, metric: str) -> list[Shown]:
    """A metric of every contender on every data set, in the order in which they were named."""
    means, deviations = results.means(metric), results.deviations(metric)
    ranks = results.ranks(metric)
    is_best = ranks.eq(ranks.min(axis=1), axis=0)
    n_folds, failed = results.n_folds.fillna(0), results.failures.fillna(0)
    return [
        Shown(
            metric, data, name,
            float(means[name][data]), float(deviations[name][data]), float(ranks[name][data]),
            bool(is_best[name][data]), int(n_folds[name][data]), int(failed[name][data]),
        )
        for data in results.data
        for name in results.contenders
    ]  # fmt: skip


def figures_table(results: Results, metrics: Iterable[str]) -> pd.DataFrame:
    """FIGURE_COLUMNS: the means and deviations over the folds, by data set and contender."""
    rows = [asdict(one) for metric in metrics for one in shown(results, metric)]
    return _frame(rows, FIGURE_COLUMNS)


def ranks_table(results: Results, metrics: Iterable[str]) -> pd.DataFrame:
    """RANK_COLUMNS: the mean ranks, and over how many data sets they are."""
    rows = []
    for metric in metrics:
        n_data = len(shared(results.ranks(metric)))
        for name, rank in results.mean_ranks(metric).items():
            rows.append(dict(zip(RANK_COLUMNS, (metric, name, rank, n_data), strict=True)))
    return _frame(rows, RANK_COLUMNS)


def folds_table(results: Results) -> pd.DataFrame:
    """Every contender on every fold, with all that was measured."""
    return results.frame


def pairs_table(analyses: Iterable[Analysis]) -> pd.DataFrame:
    """Every two contenders over all data sets: `metric`, and what `Pair` says."""
    rows = [{"metric": a.metric, **asdict(pair)} for a in analyses for pair in a.pairs]
    return _frame(rows, ("metric", *fields_dict(Pair)))


def pairs_on_data_table(analyses: Iterable[Analysis]) -> pd.DataFrame:
    """Every two contenders on each data set: `metric`, and what `PairOnData` says."""
    rows = [{"metric": a.metric, **asdict(pair)} for a in analyses for pair in a.on_data]
    return _frame(rows, ("metric", *fields_dict(PairOnData)))


def effects_table(ablation: Ablation) -> pd.DataFrame:
    """Every two words of each path, as `Effect` says it."""
    return _frame([asdict(effect) for effect in ablation.effects], tuple(fields_dict(Effect)))


def shares_table(ablation: Ablation) -> pd.DataFrame:
    """SHARE_COLUMNS: the shares of the variance within data sets; they sum to 1 by metric.

    `part` is `always` or `by_data`, of each path, or `rest`, which is of no single one.
    """
    rows: list[tuple[str, str, str, float]] = []
    for metric, found in ablation.explained.items():
        for part, shares in (("always", found.always), ("by_data", found.by_data)):
            rows += [(metric, path, part, share) for path, share in shares.items()]
        rows.append((metric, "", "rest", found.rest))
    return _frame([dict(zip(SHARE_COLUMNS, row, strict=True)) for row in rows], SHARE_COLUMNS)


def _frame(rows: list[dict[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows, columns=list(columns))


TABLES: Final[dict[str, Callable[[Results, Sequence[Analysis]], pd.DataFrame]]] = {
    "figures": lambda results, analyses: figures_table(results, metrics_shown(results, analyses)),
    "ranks": lambda results, analyses: ranks_table(results, metrics_shown(results, analyses)),
    "folds": lambda results, analyses: folds_table(results),
    "pairs": lambda results, analyses: pairs_table(analyses),
    "pairs-on-data": lambda results, analyses: pairs_on_data_table(analyses),
}
"""The tables there are, by the names that files have."""

ABLATED: Final[dict[str, Callable[[Ablation], pd.DataFrame]]] = {
    "effects": effects_table,
    "shares": shares_table,
}
"""Those of an ablation."""

CONCLUDED: Final = ("pairs", "pairs-on-data")
"""Those that only an analysis can fill."""


def check_can_write_parquet(path: str | os.PathLike[str]) -> None:
    """TreekitError if pyarrow is not there."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        what, remedy = "writing Parquet needs pyarrow", "pip install treekit[parquet]"
        raise TreekitError(Problem(what, str(path), remedy)) from None


def write_table(frame: pd.DataFrame, path: str | os.PathLike[str]) -> None:
    """Write a table whole, as Parquet or CSV by the file's ending."""
    if Path(path).suffix.lower() == ".parquet":
        check_can_write_parquet(path)
        with written_whole(path) as draft:
            frame.to_parquet(draft, index=False, engine="pyarrow")
        return
    with written_whole(path) as draft:
        frame.to_csv(draft, index=False, encoding="utf-8", lineterminator="\n")
