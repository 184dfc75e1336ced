"""All metrics by name, and how they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Literal

from attrs import frozen

from treekit.errors import Problem, TreekitError, did_you_mean
from treekit.metrics import of_classes, of_models, of_numbers
from treekit.metrics.answered import Answered
from treekit.metrics.of_models import Measurable, Sized
from treekit.table.record import Table, Task

Needs = Literal["model", "answers", "shares"]


@frozen
class Metric:
    """A figure that tells how good or how large a model is.

    name     what it is asked for by
    words    what it tells
    greater  is the greater the better? Otherwise the smaller is
    tasks    of what models it can be had
    needs    "model": the model itself, and rows if there are any; "answers": the answers for rows
             whose target is known; "shares": also their class probabilities
    of       the formula: of a `Sized` model, or of what was `Answered`
    """

    name: str
    words: str
    greater: bool
    tasks: tuple[Task, ...]
    needs: Needs
    of: Callable[[Any], float]


_CLASSES: Final[tuple[Task, ...]] = ("classification",)
_NUMBERS: Final[tuple[Task, ...]] = ("regression",)
_BOTH: Final[tuple[Task, ...]] = (*_CLASSES, *_NUMBERS)

METRICS: Final[tuple[Metric, ...]] = (
    Metric("accuracy", "share of the weight answered right",
           True, _CLASSES, "answers", of_classes.accuracy),
    Metric("error", "share of the weight answered wrong",
           False, _CLASSES, "answers", of_classes.error),
    Metric("balanced_accuracy", "mean over the classes of the share of each answered right",
           True, _CLASSES, "answers", of_classes.balanced_accuracy),
    Metric("macro_f1", "mean over the classes of the harmonic mean of precision and recall",
           True, _CLASSES, "answers", of_classes.macro_f1),
    Metric("log_loss", "mean of -ln of the probability of the true class",
           False, _CLASSES, "shares", of_classes.log_loss),
    Metric("brier", "mean squared distance of the probabilities from the truth",
           False, _CLASSES, "shares", of_classes.brier),
    Metric("auc", "area under the ROC curve, each class against the rest",
           True, _CLASSES, "shares", of_classes.auc),
    Metric("auc_pairs", "area under the ROC curve, each class against each other",
           True, _CLASSES, "shares", of_classes.auc_pairs),
    Metric("rmse", "square root of the mean squared error",
           False, _NUMBERS, "answers", of_numbers.rmse),
    Metric("mae", "mean absolute error",
           False, _NUMBERS, "answers", of_numbers.mean_absolute_error),
    Metric("r2", "share of the target's spread that is explained",
           True, _NUMBERS, "answers", of_numbers.r_squared),
    Metric("trees", "trees", False, _BOTH, "model", of_models.trees),
    Metric("nodes", "nodes of all trees", False, _BOTH, "model", of_models.nodes),
    Metric("leaves", "leaves of all trees", False, _BOTH, "model", of_models.leaves),
    Metric("depth", "tests on the longest path", False, _BOTH, "model", of_models.depth),
    Metric("graph_nodes", "nodes when the equal subtrees of each tree are merged",
           False, _BOTH, "model", of_models.graph_nodes),
    Metric("path_length", "tests that a row is asked, on average",
           False, _BOTH, "model", of_models.path_length),
    Metric("description_length", "bits of the trees and their training errors",
           False, _BOTH, "model", of_models.model_description_length),
)  # fmt: skip
_BY_NAME: Final = {metric.name: metric for metric in METRICS}


def metric_names(task: Task | None = None) -> tuple[str, ...]:
    """The metrics there are, of any model or of those of one task."""
    return tuple(m.name for m in METRICS if task is None or task in m.tasks)


def metric(name: str) -> Metric:
    """The metric of this name."""
    if name not in _BY_NAME:
        what = f"there is no metric {name!r}"
        raise TreekitError(Problem(what, instead=did_you_mean(name, _BY_NAME)))
    return _BY_NAME[name]


def of_answers(found: Answered, names: Iterable[str] | None = None) -> dict[str, float]:
    """These metrics of the answers, whoever gave them; None: all that can be told of them."""
    told: tuple[Needs, ...] = ("answers",) if found.shares is None else ("answers", "shares")
    wanted = chosen(found.task, names, told)
    for one in wanted:
        if one.needs not in told:
            missing = "a model" if one.needs == "model" else "class probabilities"
            raise TreekitError(Problem(f"the metric {one.name!r} needs {missing}"))
    return {one.name: one.of(found) for one in wanted}


def measured(
    model: Measurable,
    names: Iterable[str] | None = None,
    table: Table | None = None,
    answered: Callable[[], Answered] | None = None,
) -> dict[str, float]:
    """These metrics of a model; None: all that can be told of it.

    `table` holds the rows that it is asked about, and `answered` finds its answers for those whose
    target is known; None: there are none.
    """
    told: tuple[Needs, ...] = ("model",) if answered is None else ("model", "answers", "shares")
    wanted = chosen(model.schema.task, names, told)
    for one in wanted:
        if one.needs not in told:
            what = f"the metric {one.name!r} needs rows whose target is known"
            if table is None:
                raise TreekitError(Problem(what, instead="give data that hold it"))
            target = model.schema.target.name
            raise TreekitError(Problem(f"{what}; there is no {target!r} here", table.source))
    said = None
    if answered is not None and any(one.needs != "model" for one in wanted):
        said = answered()
    of_itself = Sized(model, table)
    return {one.name: one.of(of_itself if one.needs == "model" else said) for one in wanted}


def chosen(task: Task, names: Iterable[str] | None, told: Sequence[Needs]) -> list[Metric]:
    """The metrics of these names, each once; None: all of the task that need no more than this."""
    if names is None:
        return [one for one in METRICS if task in one.tasks and one.needs in told]
    wanted = [metric(name) for name in dict.fromkeys(names)]
    for one in wanted:
        if task not in one.tasks:
            of, here = (
                ("numbers", "classes") if task == "classification" else ("classes", "numbers")
            )
            raise TreekitError(
                Problem(
                    f"the metric {one.name!r} is for answers that are {of}, not {here}",
                    instead=f"there is {', '.join(metric_names(task))}",
                )
            )
    return wanted
