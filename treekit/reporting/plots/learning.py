"""Learning curves: a metric against the share of the rows that was learned from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from treekit.comparing.results import Results
from treekit.errors import Problem, TreekitError
from treekit.plots.style import lines, styled
from treekit.reporting.about import Curve
from treekit.reporting.plots.common import MARKERS, add_legend, folded, panels, quantity
from treekit.table.record import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def learning_figure(results: Results, metric: str, curves: Sequence[Curve]) -> Figure:
    """A line for each curve, a panel for each data set; the band is a deviation over the folds."""
    if not curves:
        what = "there is no learning curve to draw"
        raise TreekitError(Problem(what, instead="let contenders learn from shares of the rows"))
    for curve in curves:
        for name in curve.shares:
            results.check_contender(name)
    means, deviations = results.means(metric), results.deviations(metric)
    with styled():
        figure, every = panels(len(results.data), 2.1)
        for axes, data in zip(every, results.data, strict=True):
            handles = [
                _line(axes, i, look, *_points(curve, means.loc[data], deviations.loc[data]))
                for i, (curve, look) in enumerate(zip(curves, lines(len(curves)), strict=True))
            ]
            axes.set_title(folded(data))
            axes.set_xlim(left=0.0)
        figure.supxlabel("share of the rows that was learned from", fontsize=9)
        figure.supylabel(quantity(metric), fontsize=9)
        add_legend(figure, handles, [curve.name for curve in curves], "outside upper center")
        return figure


def _points(curve: Curve, means: Any, deviations: Any) -> tuple[Floats, Floats, Floats]:
    """Shares, means and deviations, in the order of the shares."""
    ordered = sorted(curve.shares, key=lambda name: curve.shares[name])
    shares = np.array([curve.shares[name] for name in ordered])
    spread = deviations[ordered].to_numpy(np.float64)
    return shares, means[ordered].to_numpy(np.float64), np.nan_to_num(spread)


def _line(
    axes: Axes, number: int, look: dict[str, Any], x: Floats, y: Floats, spread: Floats
) -> Any:
    axes.fill_between(x, y - spread, y + spread, color=look["color"], alpha=0.13, linewidth=0)
    marker = MARKERS[number % len(MARKERS)]
    (line,) = axes.plot(x, y, marker=marker, markersize=4, zorder=3, **look)
    return line
