"""What came of a comparison: a table of outcomes, and figures over the folds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

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

DIGITS: Final = 12
"""So many significant digits of a mean count: the last bits depend on the order of a sum."""

_GREATER: Final = {metric.name: metric.greater for metric in METRICS}


def greater_is_better(metric: str) -> bool:
    return _GREATER.get(metric.removeprefix("training_"), False)


def measured_names(task: Task | None = None) -> tuple[str, ...]:
    """Everything that may be measured of a contender on a fold, whatever the task or of one."""
    tasks = TRAINING if task is None else (task,)
    training = [f"training_{name}" for task in tasks for name in TRAINING[task]]
    return (*metric_names(task), *training, *SECONDS)


def check_metrics(names: Iterable[str], task: Task) -> None:
    """Can these metrics be measured of this task? Told before any work begins."""
    every, here = measured_names(), measured_names(task)
    problems = []
    for name in names:
        if name not in every:
            problems.append(Problem(f"there is no metric {name!r}", "", did_you_mean(name, every)))
        elif name not in here:
            answers = "numbers" if task == "regression" else "classes"
            what = f"the metric {name!r} is not for answers that are {answers}"
            problems.append(Problem(what, instead=f"there is {', '.join(here)}"))
    if problems:
        raise TreekitError(*problems)


def settled(value: float) -> float:
    """A mean without the noise of its last bits."""
    return float(f"{value:.{DIGITS}g}")


def shared(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows in which every column has a value, but for columns that have none at all."""
    return frame[frame.loc[:, frame.notna().any()].notna().all(axis=1)]


@frozen(eq=False)
class Results:
    """The outcomes of a comparison, and the order in which data and contenders were named.

    `varied` tells of each contender what was changed in its recipe: paths, and the words there.
    `copies` tells of disturbed copies of data which data sets they are copies of.
    """

    outcomes: tuple[Outcome, ...] = field(repr=False)
    data: tuple[str, ...]
    contenders: tuple[str, ...]
    task: Task
    varied: Mapping[str, Mapping[str, str]] = field(factory=dict)
    copies: Mapping[str, str] = field(factory=dict)

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

    @cached_property
    def failures(self) -> pd.DataFrame:
        """[data, contenders]: the number of folds that failed."""
        return self._by_name((self.frame["failure"] != "").groupby(self._names).sum().unstack())

    @cached_property
    def n_folds(self) -> pd.DataFrame:
        """[data, contenders]: the number of folds."""
        return self._by_name(self.frame.groupby(self._names).size().unstack())

    def means(self, metric: str) -> pd.DataFrame:
        """[data, contenders]: the mean over the folds that the contender finished."""
        return self._over_folds(metric, lambda folds: folds.mean())

    def deviations(self, metric: str) -> pd.DataFrame:
        """[data, contenders]: the standard deviation over the folds that the contender finished."""
        return self._over_folds(metric, lambda folds: folds.std())

    def paired_means(self, metric: str) -> pd.DataFrame:
        """[data, contenders]: the mean over the folds that all finished, the same for all.

        Contenders that finished none of a data set's folds take no part there.
        """
        return self._over_folds(metric, lambda folds: shared(folds).mean())

    def differences(self, metric: str, against: str) -> pd.DataFrame:
        """[data, contenders]: the paired means, less that of one of the contenders."""
        self.check_contender(against)
        means = self.paired_means(metric)
        return means.sub(means[against], axis=0)

    def ranks(self, metric: str) -> pd.DataFrame:
        """[data, contenders]: by paired means; 1 is the best, equals share their mean rank."""
        means = self.paired_means(metric).map(settled)
        return means.rank(axis=1, ascending=not greater_is_better(metric))

    def mean_ranks(self, metric: str) -> pd.Series:
        """[contenders]: the mean over the data sets on which all are ranked."""
        return shared(self.ranks(metric)).mean()

    def _over_folds(self, metric: str, how: Callable[[pd.DataFrame], pd.Series]) -> pd.DataFrame:
        """[data, contenders]: what `how` makes of a data set's [folds, contenders]."""
        import pandas as pd

        self.check(metric)
        found = {
            name: how(rows.pivot(index=["repeat", "fold"], columns="contender", values=metric))
            for name, rows in self.frame.groupby("data")
        }
        return self._by_name(pd.DataFrame(found).T)

    @property
    def _names(self) -> list[pd.Series]:
        return [self.frame["data"], self.frame["contender"]]

    def _by_name(self, found: pd.DataFrame) -> pd.DataFrame:
        """In the order in which data and contenders were named."""
        return found.reindex(index=list(self.data), columns=list(self.contenders))

    def check(self, metric: str) -> None:
        if metric not in self.metrics:
            what = f"{metric!r} was not measured"
            raise TreekitError(Problem(what, instead=did_you_mean(metric, self.metrics)))

    def check_contender(self, name: str) -> None:
        if name not in self.contenders:
            what = f"{name!r} takes no part"
            raise TreekitError(Problem(what, instead=did_you_mean(name, self.contenders)))


def as_plain(results: Results, metrics: Iterable[str]) -> dict[str, Any]:
    """The results as plain data: means and failed folds by data set and contender, every fold."""
    rows = results.frame.to_dict("records")
    return {
        "data": list(results.data),
        "contenders": list(results.contenders),
        "varied": {name: dict(words) for name, words in results.varied.items()},
        "means": {metric: _nested(results.means(metric)) for metric in metrics},
        "failed": _nested(results.failures),
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
