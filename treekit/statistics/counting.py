"""Which data sets and contenders count, and what all of them reached there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from attrs import field, frozen

from treekit.comparing.results import Results, shared
from treekit.statistics.resampled import PairedFolds
from treekit.table.record import Floats

COUNTED_ONCE: Final = (
    "Disturbed copies of a data set are no further data: each data set counts once, by the mean"
    " over its copies. See how the figures change with the share."
)


@frozen(eq=False)
class Counted:
    """The paired means [data, contenders] of those that count.

    Disturbed copies of a data set agree more than other data would: the mean over the copies stands
    for all of them, and each data set counts once.

    each      the data sets and copies that count
    left_out  the others, and why
    absent    contenders that have no figure on any data set
    """

    contenders: tuple[str, ...]
    data: tuple[str, ...]
    each: tuple[str, ...]
    means: Floats = field(repr=False)
    left_out: Mapping[str, str]
    absent: tuple[str, ...]


def counted(results: Results, metric: str, among: Sequence[str] | None = None) -> Counted:
    """What counts of a metric, for all contenders or those among them that are asked about."""
    asked = results.contenders if among is None else tuple(among)
    told = results.means(metric)[list(asked)].apply(np.isfinite)
    names = tuple(name for name in asked if told[name].any())
    absent = tuple(name for name in asked if name not in names)
    means = results.paired_means(metric)[list(names)]
    left_out: dict[str, str] = {}
    for data in results.data:
        lacking = [name for name in names if not told[name][data]]
        if lacking:
            left_out[data] = _why(results, metric, data, lacking)
        elif not np.isfinite(means.loc[data].to_numpy()).all():
            left_out[data] = "there is no fold that all contenders finished"
    kept = tuple(name for name in results.data if name not in left_out)
    own = [results.copies.get(name, name) for name in kept]
    once = means.loc[list(kept)].groupby(own, sort=False).mean().to_numpy(np.float64)
    return Counted(names, tuple(dict.fromkeys(own)), kept, once, left_out, absent)


def _why(results: Results, metric: str, data: str, lacking: Sequence[str]) -> str:
    failed = all(results.failures[name][data] == results.n_folds[name][data] for name in lacking)
    what = "finished no fold" if failed else f"has no finite {metric}"
    return f"{', '.join(lacking)} {what}" if len(lacking) == 1 else f"{_and(lacking)}: each {what}"


def _and(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def paired_folds(results: Results, metric: str, data: str, names: Sequence[str]) -> PairedFolds:
    """What these contenders reached on the folds of a data set that all of them finished."""
    rows = results.frame[results.frame["data"] == data]
    table = rows.pivot(index=["repeat", "fold"], columns="contender", values=metric)
    folds = shared(table)[list(names)]
    sizes = {(o.repeat, o.fold): (o.n_learned, o.n_tested) for o in results.outcomes
             if o.data == data}  # fmt: skip
    learned, tested = np.array([sizes[fold] for fold in folds.index], np.float64).reshape(-1, 2).T
    return PairedFolds(data, tuple(names), folds.to_numpy(np.float64), learned, tested)
