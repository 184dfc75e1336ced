"""The critical-difference diagram of Demsar 2006: mean ranks on a line, equals joined by bars."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from treekit.errors import Problem, TreekitError
from treekit.plots.style import COLOURS, WIDTH, styled
from treekit.reporting.plots.common import LETTERS, LINE, folded
from treekit.statistics.record import Analysis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Heights in lines of text, 0 at the axis.
BAR: Final = 0.55
CD_AT: Final = 2.3
TOP: Final = 3.3


def ranks_figure(analysis: Analysis) -> Figure:
    """Each contender at its mean rank, the best to the right; bars join those of a group.

    Where the analysis knows a critical difference, its length is drawn above the axis.
    """
    ranks = {name: rank for name, rank in analysis.mean_ranks.items() if rank == rank}
    if len(ranks) < 2:
        what = f"there are no mean ranks of {analysis.metric} to draw"
        raise TreekitError(Problem(what, instead="compare on more data sets"))
    with styled():
        return _drawn(analysis, dict(sorted(ranks.items(), key=lambda item: item[1])))


def _drawn(analysis: Analysis, ranks: dict[str, float]) -> Figure:
    from matplotlib.figure import Figure

    bars = _levels([(ranks[group[0]], ranks[group[-1]]) for group in _groups(analysis, ranks)])
    n_levels = 1 + max((level for _, _, level in bars), default=-1)
    first = -(BAR * n_levels + 1.2)
    places = _places(ranks, first)
    bottom = min(places.values()) - 0.8
    figure = Figure(figsize=(1.6 * WIDTH, LINE * (TOP - bottom)), layout="constrained")
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.set(xlim=(_worst(analysis, ranks), 1.0), ylim=(bottom, TOP))
    _axis(axes)
    _names(axes, ranks, places)
    for i, (low, high, level) in enumerate(bars, start=1):
        y = -BAR * (level + 0.9)
        axes.plot(
            [low - 0.04, high + 0.04], [y, y], color=COLOURS[1], linewidth=2.8,
            solid_capstyle="round", gid=f"group-{i}", zorder=4,
        )  # fmt: skip
    if analysis.critical_difference is not None:
        _critical_difference(axes, analysis.critical_difference)
    return figure


def _worst(analysis: Analysis, ranks: dict[str, float]) -> float:
    """The left end of the axis: the worst rank there could be, or the critical difference's end."""
    return max(float(len(ranks)), 1.0 + (analysis.critical_difference or 0.0))


def _groups(analysis: Analysis, ranks: dict[str, float]) -> list[list[str]]:
    """Groups of two or more, each from the best to the worst."""
    found = ([n for n in ranks if n in group] for group in analysis.groups)
    return [group for group in found if len(group) > 1]


def _levels(spans: list[tuple[float, float]]) -> list[tuple[float, float, int]]:
    """Spans, each on the first level on which it meets no other."""
    ends: list[float] = []
    found = []
    for low, high in sorted(spans):
        level = next((i for i, end in enumerate(ends) if end + 0.15 < low), len(ends))
        ends[level : level + 1] = [high]
        found.append((low, high, level))
    return found


def _told(name: str, rank: float) -> str:
    return folded(f"{name} ({rank:.2f})", LETTERS + 7)


def _places(ranks: dict[str, float], first: float) -> dict[str, float]:
    """How deep each name stands: the better half to the right, the worse to the left."""
    names, half = list(ranks), math.ceil(len(ranks) / 2)
    places = {}
    for side in (names[:half], names[: half - 1 : -1]):
        y = first
        for name in side:
            n_lines = _told(name, ranks[name]).count("\n") + 1
            places[name] = y - 0.5 * (n_lines - 1)
            y -= n_lines + 0.35
    return places


def _axis(axes: Axes) -> None:
    left, right = axes.get_xlim()
    axes.plot([left, right], [0.0, 0.0], color="black", linewidth=0.9, clip_on=False)
    step = max(1, math.ceil((left - right) / 12))
    for rank in range(1, math.floor(left) + 1):
        axes.plot([rank, rank], [0.0, 0.35], color="black", linewidth=0.9, clip_on=False)
        if (rank - 1) % step == 0:
            axes.text(rank, 0.5, str(rank), ha="center", va="bottom")


def _names(axes: Axes, ranks: dict[str, float], places: dict[str, float]) -> None:
    """A line from each rank down, and to its name at the side."""
    left, right = axes.get_xlim()
    half = math.ceil(len(ranks) / 2)
    for i, (name, rank) in enumerate(ranks.items()):
        is_better, y = i < half, places[name]
        edge = right if is_better else left
        axes.plot([rank, rank, edge], [0.0, y, y], color="0.25", linewidth=0.8, clip_on=False,
                  gid=f"contender-{i + 1}", zorder=3)  # fmt: skip
        axes.plot([rank], [0.0], "o", color=COLOURS[0], markersize=3.6, clip_on=False, zorder=5)
        axes.annotate(
            _told(name, rank), (edge, y), (4 if is_better else -4, 0), textcoords="offset points",
            ha="left" if is_better else "right", va="center", annotation_clip=False,
        )  # fmt: skip


def _critical_difference(axes: Axes, length: float) -> None:
    """Its length, from the left end of the axis."""
    left, _ = axes.get_xlim()
    right = left - length
    axes.plot([left, right], [CD_AT, CD_AT], color="black", linewidth=1.6, gid="cd")
    for end in (left, right):
        axes.plot([end, end], [CD_AT - 0.25, CD_AT + 0.25], color="black", linewidth=0.9,
                  clip_on=False)  # fmt: skip
    axes.text((left + right) / 2, CD_AT + 0.3, f"critical difference {length:.2f}", ha="center",
              va="bottom")  # fmt: skip
