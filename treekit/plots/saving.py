"""Plots as files: the ending says the format, and the same plot gives the same bytes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treekit.errors import Problem, TreekitError, did_you_mean
from treekit.plots.style import styled
from treekit.writing import written_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Without these, a file would hold the time of its making.
_UNDATED: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "png": {},
    "pdf": {"CreationDate": None},
}

FORMATS = tuple(_UNDATED)
"""The endings of files that a plot can be saved as."""


def check_format(path: str | os.PathLike[str]) -> str:
    """The format that a file's ending stands for; TreekitError if there is none."""
    ending = Path(path).suffix.removeprefix(".")
    if ending.lower() in FORMATS:
        return ending.lower()
    known = ", ".join(f".{name}" for name in FORMATS)
    what = f"plots are not written as .{ending}" if ending else "the name has no ending"
    near = did_you_mean(ending, FORMATS) if ending else ""
    remedy = near if near.startswith("did you mean") else f"give one of {known}"
    raise TreekitError(Problem(what, str(path), remedy))


def save(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure whole, as SVG, PNG or PDF by the file's ending."""
    form = check_format(path)
    with styled(), written_whole(path) as draft:
        figure.savefig(draft, format=form, metadata=_UNDATED[form])
