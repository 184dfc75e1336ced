"""What came of a comparison: a table of outcomes, and figures over the folds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from attrs import field, frozen

from treekit.comparing.running import SECONDS, TRAINING
from treekit.comparing.store import Outcome, as_rows
from treekit.errors import Problem, TreekitError, did_you_mean
from treekit.metrics import METRICS, metric_names
from treekit.table.record import Task

if TYPE_CHECKING:
    import pandas as pd

FIRST: Final[dict[Task, str]] = {"classification": "accuracy", "regression": "rmse"}
"""The metric that is looked at first."""

_GREATER: Final = {metric.name: metric.greater for metric in METRICS}


def greater_is_better(metric: str) -> bool:
    return _GREATER.get(metric.removeprefix("training_"), False)


def measured_names() -> tuple[str, ...]:
    """Everything that may be measured of a contender on a fold."""
    training = [f"training_{name}" for names in TRAINING.values() for name in names]
    return (*metric_names(), *training, *SECONDS)


def check_metrics(names: Iterable[str]) -> None:
    """Are these metrics at all? Told before any work begins."""
    known = measured_names()
    wrong = [name for name in names if name not in known]
    if wrong:
        raise TreekitError(
            *(Problem(f"there is no metric {n!r}", instead=did_you_mean(n, known)) for n in wrong)
        )


@frozen(eq=False)
class Results:
    """The outcomes of a comparison, and the order in which data and contenders were named."""

    outcomes: tuple[Outcome, ...] = field(repr=False)
    data: tuple[str, ...]
    contenders: tuple[str, ...]
    task: Task

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row for each contender on each fold, a column for each metric."""
        import pandas as pd

        return pd.DataFrame(as_rows(self.outcomes))

    @property
    def failed(self) -> tuple[Outcome, ...]:
        return tuple(outcome for outcome in self.outcomes if outcome.failure)

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """The names of what was measured."""
        names = dict.fromkeys(name for o in self.outcomes for name in o.metrics)
        return tuple(names)

    def means(self, metric: str) -> pd.DataFrame:
        """[data, contenders]: the mean over the folds."""
        return self._over_folds(metric, "mean")

    def deviations(self, metric: str) -> pd.DataFrame:
        """[data, contenders]: the standard deviation over the folds."""
        return self._over_folds(metric, "std")

    def ranks(self, metric: str) -> pd.DataFrame:
        """[data, contenders]: 1 is the best of a data set, equals share their mean rank."""
        return self.means(metric).rank(axis=1, ascending=not greater_is_better(metric))

    def _over_folds(self, metric: str, how: Literal["mean", "std"]) -> pd.DataFrame:
        """Of the folds that did not fail."""
        self.check(metric)
        good = self.frame[self.frame["failure"] == ""]
        by_data = good.groupby(["data", "contender"], sort=False)[metric].agg(how).unstack()
        return by_data.reindex(index=list(self.data), columns=list(self.contenders))

    def check(self, metric: str) -> None:
        if metric not in self.metrics:
            what = f"{metric!r} was not measured"
            raise TreekitError(Problem(what, instead=did_you_mean(metric, self.metrics)))


def as_plain(results: Results, metrics: Iterable[str]) -> dict[str, Any]:
    """The results as plain data: means by data set and contender, then every fold."""
    rows = results.frame.to_dict("records")
    return {
        "data": list(results.data),
        "contenders": list(results.contenders),
        "means": {metric: _nested(results.means(metric)) for metric in metrics},
        "folds": [{key: _known(value) for key, value in row.items()} for row in rows],
    }


def _nested(frame: pd.DataFrame) -> dict[str, dict[str, Any]]:
    return {
        str(name): {str(c): _known(value) for c, value in row.items()}
        for name, row in frame.iterrows()
    }


def _known(value: Any) -> Any:
    """JSON has no NaN."""
    return None if isinstance(value, float) and math.isnan(value) else value
