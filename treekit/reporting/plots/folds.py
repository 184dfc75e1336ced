"""Box plots: how a metric varies from fold to fold, a panel for each data set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from treekit.comparing.results import Results
from treekit.plots.style import COLOURS, styled
from treekit.reporting.plots.common import (
    LINE,
    folded,
    measured_contenders,
    n_lines,
    panels,
    quantity,
)
from treekit.table.record import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FEW: Final = 30
"""So many folds are drawn one by one; of more, only those beyond the whiskers."""


def folds_figure(results: Results, metric: str) -> Figure:
    """A box for each contender: quartiles and median; whiskers to 1.5 times the box's length."""
    contenders = measured_contenders(results, metric)
    with styled():
        height = 0.55 + LINE * sum(1 + 0.8 * n_lines(name) for name in contenders) / 1.5
        figure, every = panels(len(results.data), height, sharey=True)
        frame = results.frame
        for axes, data in zip(every, results.data, strict=True):
            rows = frame[frame["data"] == data]
            values = [
                rows.loc[rows["contender"] == name, metric].dropna().to_numpy(np.float64)
                for name in contenders
            ]
            _panel(axes, values)
            axes.set_title(folded(data))
        names = [folded(name) for name in contenders]
        every[0].set_yticks(range(len(names)), names)
        every[0].set_ylim(len(names) - 0.5, -0.5)
        figure.supxlabel(quantity(metric), fontsize=9)
        return figure


def _panel(axes: Axes, values: list[Floats]) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.use_sticky_edges = False  # a box at the edge would lie on the axis
    axes.margins(x=0.06)
    for place, of_folds in enumerate(values):
        if len(of_folds):
            _box(axes, place, of_folds)


def _box(axes: Axes, place: int, values: Floats) -> None:
    low, middle, high = np.percentile(values, [25, 50, 75])
    reach = 1.5 * (high - low)
    inside = values[(values >= low - reach) & (values <= high + reach)]
    axes.plot([inside.min(), inside.max()], [place, place], color="0.35", linewidth=0.9, zorder=2)
    axes.barh(place, high - low, 0.56, low, color="#BFDDF0", edgecolor="0.35", linewidth=0.8,
              zorder=2.5)  # fmt: skip
    axes.plot([middle, middle], [place - 0.28, place + 0.28], color=COLOURS[1], linewidth=1.8,
              solid_capstyle="butt", zorder=4)  # fmt: skip
    single = (
        values if len(values) <= FEW else values[(values < low - reach) | (values > high + reach)]
    )
    axes.plot(single, np.full(len(single), place), "o", color="black", markersize=2.2,
              markeredgewidth=0, alpha=0.5, zorder=3)  # fmt: skip
