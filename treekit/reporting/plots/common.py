"""What the plots of a comparison share: names in few lines, and panels side by side."""

from __future__ import annotations

import math
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final, Literal

from treekit.comparing.results import Results, greater_is_better
from treekit.plots.style import WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LETTERS: Final = 32
"""The longest line of a name."""

LINE: Final = 0.17
"""Inches: the height of a line of text with what is around it."""

Side = Literal["outside lower center", "outside upper center"]

MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "*")

MOST_IN_A_ROW: Final = 3


def folded(name: str, letters: int = LETTERS) -> str:
    """A name in lines that have room; a blank one is told, since nobody could see it."""
    return fill(name, letters) or repr(name)


def n_lines(name: str, letters: int = LETTERS) -> int:
    return folded(name, letters).count("\n") + 1


def quantity(metric: str) -> str:
    """A metric, and which way is better."""
    return f"{metric} ({'greater' if greater_is_better(metric) else 'smaller'} is better)"


def measured_contenders(results: Results, metric: str) -> list[str]:
    """Those who have the metric on some data set: of the others there is nothing to draw."""
    known = results.means(metric).notna().any()
    return [name for name in results.contenders if known[name]]


def panels(number: int, height: float, **options: Any) -> tuple[Figure, list[Axes]]:
    """So many panels of this height in inches, at most three in a row; the rest stays empty."""
    from matplotlib.figure import Figure

    columns = min(number, MOST_IN_A_ROW)
    rows = math.ceil(number / columns)
    width = (1.0, 1.5, 1.8)[columns - 1] * WIDTH
    figure = Figure(figsize=(width, 0.35 + height * rows), layout="constrained")
    every = list(figure.subplots(rows, columns, squeeze=False, **options).ravel())
    for axes in every[number:]:
        axes.remove()
    return figure, every[:number]


def add_legend(
    figure: Figure, handles: list[Any], names: list[str], side: Side = "outside lower center"
) -> None:
    """A legend outside of the plot, for which the figure grows: names may be long and many."""
    width, height = figure.get_size_inches()
    told = [folded(name, 2 * LETTERS) for name in names]
    longest = max(len(line) for name in told for line in name.split("\n"))
    columns = max(1, min(len(told), 4, int(width / (0.62 + 0.072 * longest))))
    # Filled column by column, so the tallest column decides.
    per_column = math.ceil(len(told) / columns)
    lines = [name.count("\n") + 1 for name in told]
    tallest = max(sum(lines[i : i + per_column]) for i in range(0, len(lines), per_column))
    figure.set_size_inches(width, height + 0.1 + LINE * tallest)
    figure.legend(handles, told, loc=side, ncols=columns, handlelength=2.6)
