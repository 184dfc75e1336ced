"""Who beats whom: on how many data sets the row's contender is better than the column's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from treekit.comparing.results import Results
from treekit.plots.style import shades, styled
from treekit.reporting.plots.common import LINE, folded, measured_contenders, n_lines
from treekit.table.record import Ints

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def wins(results: Results, metric: str) -> Ints:
    """[contenders, contenders]: on how many data sets the first is better, by paired means."""
    ranks = results.ranks(metric).to_numpy(np.float64)
    better = ranks[:, :, None] < ranks[:, None, :]
    return np.asarray(better.sum(axis=0), np.int64)


def wins_figure(results: Results, metric: str) -> Figure:
    """The wins as shades with their numbers; what is missing to the number of data sets is ties."""
    contenders = measured_contenders(results, metric)
    those = [results.contenders.index(name) for name in contenders]
    found = wins(results, metric)[np.ix_(those, those)]
    with styled():
        return _drawn(contenders, metric, found, len(results.data))


def _drawn(contenders: Sequence[str], metric: str, found: Ints, of: int) -> Figure:
    from matplotlib.figure import Figure

    n = len(found)
    names = [folded(name) for name in contenders]
    letters = max(len(line) for name in names for line in name.split("\n"))
    row = max(0.32, LINE * 0.9 * max(n_lines(name) for name in contenders))
    # The columns' names stand upright, and need as much room above as the rows' names at the side.
    size = (0.3 + 0.075 * letters + 0.4 * n, 0.6 + 0.075 * letters + row * n)
    figure = Figure(figsize=(max(size[0], 3.0), size[1]), layout="constrained")
    axes = figure.add_subplot()
    shown = np.where(np.eye(n, dtype=bool), np.nan, found.astype(np.float64))
    edges = np.arange(n + 1) - 0.5
    axes.pcolormesh(edges, edges, shown, cmap=shades(), vmin=0, vmax=of, edgecolor="white")
    axes.invert_yaxis()
    for i, j in zip(*np.nonzero(~np.eye(n, dtype=bool)), strict=True):
        axes.text(j, i, str(found[i, j]), ha="center", va="center")
    axes.set_xticks(range(n), names, rotation=90)
    axes.set_yticks(range(n), names)
    axes.xaxis.tick_top()
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_xlabel(f"{metric}: on how many of {of} data sets\nthe row is better than the column")
    return figure
