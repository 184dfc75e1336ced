"""Impurities drawn: a curve over p for two classes, a triangle of shades for three."""

from __future__ import annotations

import math
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from treekit.plots.measuring import Measured, measured
from treekit.plots.style import WIDTH, lines, shades, styled
from treekit.table.record import Floats, Ints

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.tri import TriContourSet

HEIGHT = math.sqrt(3.0) / 2.0
CORNERS = np.array([[0.5, HEIGHT], [0.0, 0.0], [1.0, 0.0]])
"""Where a node of one class alone lies: the first above, the others below."""

MOST_IN_A_ROW = 3

# Letters of a label that have room in a figure of the usual width.
LETTERS = 50


def impurity_figure(
    impurities: Any, classes: int = 2, *, steps: int | None = None, scaled: bool = False
) -> Figure:
    """A matplotlib Figure of impurities: curves in one plot for two classes, panels for three.

    impurities: names as in a recipe, tables such as {"use": "tsallis", "q": 1.5}, or strategies;
    steps: of the grid of shares; scaled: each divided by its greatest value.
    """
    found = measured(impurities, classes, steps=steps, scaled=scaled)
    with styled():
        return _curves(found) if classes == 2 else _triangles(found)


def _curves(found: Measured) -> Figure:
    from matplotlib.figure import Figure

    several = len(found.impurities) > 1
    labels = [fill(label, LETTERS if several else LETTERS * 2 // 3) for label in _labels(found)]
    in_a_row = 2 if max(map(len, labels)) < LETTERS // 2 else 1
    rows = math.ceil(sum(map(_lines_of, labels)) / in_a_row) if several else 0
    figure = Figure(figsize=(WIDTH, 2.6 + 0.19 * rows), layout="constrained")
    axes = figure.add_subplot()
    for values, look in zip(found.values, lines(len(labels)), strict=True):
        axes.plot(found.shares[:, 0], values, clip_on=False, zorder=3, **look)
    low, high = _span(found)
    axes.set(xlim=(0.0, 1.0), ylim=(low, low + 1.03 * (high - low)))
    axes.set_xlabel("p, the share of one of two classes")
    axes.set_ylabel(_quantity(found, "impurity" if several else labels[0]))
    if several:
        # Said in full, since matplotlib leaves out lines whose own label begins with "_".
        figure.legend(
            list(axes.lines), labels, loc="outside lower center", ncols=in_a_row, handlelength=3.2
        )
    return figure


def _triangles(found: Measured) -> Figure:
    from matplotlib.figure import Figure

    columns = min(len(found.impurities), MOST_IN_A_ROW)
    rows = math.ceil(len(found.impurities) / columns)
    labels = [fill(label, LETTERS // 2 if columns > 1 else LETTERS) for label in _labels(found)]
    height = (1.85 if columns > 1 else 3.6) + 0.16 * (max(map(_lines_of, labels)) - 1)
    size = (WIDTH * max(columns, 2) / 2, 0.6 + height * rows)
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    levels = _levels(found)
    for axes, values, label in zip(panels, found.values, labels, strict=False):
        drawn = _triangle(axes, found.shares, values, levels)
        axes.set_title(label, pad=15)
    for axes in panels[len(labels) :]:
        axes.set_axis_off()
    bar = figure.colorbar(
        drawn, ax=panels, location="bottom", aspect=40, shrink=0.8, fraction=0.06, pad=0.02
    )
    bar.set_label(_quantity(found, "impurity"))
    bar.outline.set_linewidth(0.5)
    return figure


def _triangle(axes: Axes, shares: Floats, values: Floats, levels: Floats) -> TriContourSet:
    from matplotlib.tri import Triangulation

    places = shares @ CORNERS
    mesh = Triangulation(places[:, 0], places[:, 1], triangles_of(shares))
    drawn = axes.tricontourf(mesh, values, levels=levels, cmap=shades())
    # The edges of the shades are the contours: drawn as lines of their own they would be twice
    # in the file.
    drawn.set(edgecolor="black", linewidth=0.5)
    around = CORNERS[[0, 1, 2, 0]]
    axes.plot(around[:, 0], around[:, 1], color="black", linewidth=0.8, clip_on=False)
    for number, (x, y) in enumerate(CORNERS, start=1):
        above = y > 0.0
        axes.annotate(
            f"class {number}", (x, y), (0, 3 if above else -3), textcoords="offset points",
            ha="center", va="bottom" if above else "top",
        )  # fmt: skip
    axes.set_aspect("equal")
    axes.set_axis_off()
    return drawn


def triangles_of(shares: Floats) -> Ints:
    """[t, 3]: the small triangles of a triangular grid, by the numbers of their corners."""
    steps = round((math.sqrt(8 * len(shares) + 1) - 3) / 2)
    number = np.full((steps + 2, steps + 2), -1)
    first, second = np.rint(shares[:, :2] * steps).astype(np.int64).T
    number[first, second] = np.arange(len(shares))
    here, up = number[:-1, :-1], number[1:, :-1]
    right, across = number[:-1, 1:], number[1:, 1:]
    both = np.stack([here, up, right], axis=-1), np.stack([up, across, right], axis=-1)
    triangles = np.concatenate([half.reshape(-1, 3) for half in both])
    return triangles[(triangles >= 0).all(axis=1)]


def _levels(found: Measured) -> Floats:
    """Round figures for the contours, the same in every panel, from the least to the greatest."""
    from matplotlib.ticker import MaxNLocator

    rounds = MaxNLocator(nbins=10, steps=[1, 2, 5, 10])
    low, high = _span(found)
    return np.asarray(rounds.tick_values(low, high))


def _span(found: Measured) -> tuple[float, float]:
    """What an axis must show: from 0, or below, to the greatest value."""
    low, high = min(0.0, float(found.values.min())), float(found.values.max())
    return low, high if high > low else low + 1.0


def _labels(found: Measured) -> list[str]:
    """Values that were divided by the greatest have no unit."""
    return [one.label if found.scaled else one.label_with_unit for one in found.impurities]


def _lines_of(label: str) -> int:
    return label.count("\n") + 1


def _quantity(found: Measured, what: str) -> str:
    return f"{what} / its greatest value" if found.scaled else what
