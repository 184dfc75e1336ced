"""One style for every plot: legible at 10 cm, in black and white, and to colour-blind people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

from treekit.errors import Problem, TreekitError

if TYPE_CHECKING:
    from matplotlib.colors import Colormap

WIDTH = 4.0
"""Inches (10 cm): the width of a column, at which the fonts below have their size."""

STYLE: dict[str, Any] = {
    "axes.grid": True,
    "axes.labelsize": 9,
    "axes.linewidth": 0.7,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 9,
    "figure.dpi": 150,
    "font.family": "DejaVu Sans",  # comes with matplotlib, so a plot is the same everywhere
    "font.size": 8,
    "grid.color": "0.88",
    "grid.linewidth": 0.5,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "savefig.dpi": 300,
    "text.parse_math": False,  # names are not formulas
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    # Files that can be compared, with letters that can be read and edited.
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "treekit",
}

# Okabe and Ito (2008), without the yellow, which is too light for lines.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (5, 1.5),
    (1.2, 1.2),
    (6, 1.5, 1.2, 1.5),
    (3, 1.2, 1.2, 1.2, 1.2, 1.2),
)


def check_can_draw() -> None:
    """TreekitError if matplotlib is not there."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise TreekitError(
            Problem("drawing a plot needs matplotlib", instead="pip install treekit[plots]")
        ) from None


@contextmanager
def styled() -> Iterator[None]:
    """Draw and save inside: what users set for their own plots does not matter here."""
    check_can_draw()
    import matplotlib as mpl

    settings: Any = STYLE
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(settings)
        yield


def lines(number: int) -> list[dict[str, Any]]:
    """Looks of so many lines; colours and dashes take turns of their own, so 35 are unlike."""
    looks = islice(zip(cycle(COLOURS), cycle(DASHES), strict=False), number)
    return [{"color": colour, "dashes": dashes} for colour, dashes in looks]


def shades() -> Colormap:
    """From light to dark, so that it reads in grey; light enough for black lines to be seen."""
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    return ListedColormap(colormaps["YlGnBu"](np.linspace(0.0, 0.62, 256)))
