"""A metric against the size of the trees, and the front of those that none beats in both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from treekit.comparing.results import Results, greater_is_better, shared
from treekit.errors import Problem, TreekitError, did_you_mean
from treekit.plots.style import COLOURS, WIDTH, styled
from treekit.reporting.plots.common import MARKERS, add_legend, quantity
from treekit.table.record import Floats

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

LEAVES: Final = "leaves"
WIDE: Final = 20.0
"""Sizes so many times as large as others are drawn on a logarithmic axis."""


def front(sizes: Floats, values: Floats, greater: bool) -> list[int]:
    """The Pareto front, from small to large: whom none equals or beats in both, and one better."""
    order = np.lexsort((-values if greater else values, sizes))
    found: list[int] = []
    for i in map(int, order):
        ahead = values[i] - values[found[-1]] if found else 1.0
        is_better = ahead > 0 if greater else ahead < 0
        is_equal = bool(found) and values[i] == values[found[-1]] and sizes[i] == sizes[found[-1]]
        if not found or is_better or is_equal:
            found.append(i)
    return found


def size_figure(results: Results, metric: str, data: str = "") -> Figure:
    """A point for each contender: its mean size and its mean metric, joined where none is better.

    data  one of the data sets; the means over all of them on which everybody has both, unless given
    """
    means = size_means(results, metric, data)
    if means.empty:
        what = f"no contender has both {metric} and {LEAVES}"
        raise TreekitError(Problem(what, instead="contenders that are trees have leaves"))
    with styled():
        return _drawn(results, means, metric, data)


def size_means(results: Results, metric: str, data: str = "") -> pd.DataFrame:
    """[contenders, (size, value)]: of those that have both."""
    import pandas as pd

    if data and data not in results.data:
        what = f"{data!r} is not among the data"
        raise TreekitError(Problem(what, instead=did_you_mean(data, results.data)))
    both = [results.paired_means(name) for name in (LEAVES, metric)]
    if data:
        size, value = (frame.loc[data] for frame in both)
    else:
        # A data set on which somebody is missing would favour those who are not.
        kept = shared(both[0]).index.intersection(shared(both[1]).index)
        size, value = (frame.loc[kept].mean() for frame in both)
    return pd.DataFrame({"size": size, "value": value}).dropna()


def _drawn(results: Results, means: pd.DataFrame, metric: str, data: str) -> Figure:
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator, ScalarFormatter

    sizes, values = means["size"].to_numpy(np.float64), means["value"].to_numpy(np.float64)
    figure = Figure(figsize=(1.25 * WIDTH, 2.8), layout="constrained")
    axes = figure.add_subplot()
    best = front(sizes, values, greater_is_better(metric))
    (line,) = axes.plot(sizes[best], values[best], color="0.55", linewidth=1.2, dashes=(4, 2),
                        gid="front", zorder=2)  # fmt: skip
    points = [
        axes.plot(
            x, y, linestyle="", marker=MARKERS[i % len(MARKERS)], color=COLOURS[i % len(COLOURS)],
            markersize=6.5, markeredgecolor="black" if i_is_best else "white",
            markeredgewidth=0.9 if i_is_best else 0.5, clip_on=False, zorder=3,
        )[0]
        for i, (x, y) in enumerate(zip(sizes, values, strict=True))
        for i_is_best in (i in best,)
    ]  # fmt: skip
    if sizes.min() > 0 and sizes.max() / sizes.min() >= WIDE:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(ScalarFormatter())
    else:
        axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.margins(0.08)
    over = f" on {data}" if data else (", mean over the data sets" if len(results.data) > 1 else "")
    axes.set_xlabel(f"{LEAVES}{over}")
    axes.set_ylabel(quantity(metric))
    names = [str(name) for name in means.index]
    add_legend(figure, [*points, line], [*names, "none is better in both"])
    return figure
