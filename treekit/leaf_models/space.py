"""How far apart rows are: a p-norm over the columns."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from attrs import evolve, frozen

from treekit.table.record import Bools, Floats, Ints

# Levels that are not known. They differ from every level, and one from the other.
UNKNOWN_HERE: Final = -1.0
UNKNOWN_ASKED: Final = -2.0

# The sum of the powers stays below this.
LARGEST_SUM: Final = 1e300
MOST_STEPS: Final = 1000

# Up to this p the powers of all differences that matter beside each other are numbers, in units
# of the training rows; further on they vanish or overflow, and each norm needs a unit of its own.
GREATEST_POWER: Final = 8.0


@frozen(eq=False)
class Points:
    """Rows in a space: `ordered[rows, numbers and places]` and `levels[rows, nominal columns]`."""

    ordered: Floats
    levels: Floats

    def __len__(self) -> int:
        return len(self.ordered)

    def take(self, rows: Ints | slice) -> Points:
        return Points(self.ordered[rows], self.levels[rows])


@frozen(eq=False)
class Space:
    """The p-norm of the differences in each column.

    Numbers, and the places of ordinal levels, differ by (x - z) / scale. Levels of a nominal
    column differ by 0 or 1. An unknown number stands at the centre; an unknown level differs from
    every other, known or not.

    p        from 1 on; math.inf: the greatest difference counts alone
    nominal  [columns]
    centre   [columns]; 0 of nominal ones
    scale    [columns]; 1 of nominal ones
    unit     what 1 is here, so that powers of the differences neither overflow nor vanish
    """

    p: float
    nominal: Bools
    centre: Floats
    scale: Floats
    unit: float = 1.0

    @property
    def by_powers(self) -> bool:
        """Is a norm the sum of the powers as they are?"""
        return self.p <= GREATEST_POWER

    @property
    def edge(self) -> float:
        """No point lies further out: who does is taken to stand here."""
        if not self.by_powers:
            return LARGEST_SUM / 2.0
        return float((LARGEST_SUM / max(1, len(self.nominal))) ** (1.0 / self.p)) / 2.0

    def points(self, cells: Floats, unknown: float) -> Points:
        """The rows of `cells[columns, rows]`; `unknown` stands for a level that is not known."""
        number = ~self.nominal
        with np.errstate(over="ignore"):
            # Halves, so that no difference overflows.
            half = cells[number] / 2.0 - self.centre[number, None] / 2.0
            ordered = half / self.scale[number, None] * (2.0 * self.unit)
        ordered = np.clip(np.where(np.isnan(ordered), 0.0, ordered), -self.edge, self.edge)
        levels = cells[self.nominal]
        return Points(
            np.ascontiguousarray(ordered.T),
            np.ascontiguousarray(np.where(np.isnan(levels), unknown, levels).T),
        )


def space_of(cells: Floats, p: float, nominal: Bools, centre: Floats, scale: Floats) -> Space:
    """The space of these training cells, which lie halfway to its edge, by orders of magnitude."""
    whole = Space(p, nominal, centre, scale)
    with np.errstate(over="ignore"):
        half = np.abs(cells[~nominal] / 2.0 - centre[~nominal, None] / 2.0)
        reach = float(np.nanmax(half / scale[~nominal, None], initial=0.5 * nominal.any()))
    if reach == 0.0 or not math.isfinite(reach):
        return whole
    # A power of two, so that no digit is lost.
    steps = round(math.log2(whole.edge) / 2.0 - math.log2(reach) - 1.0)
    return evolve(whole, unit=2.0 ** max(-MOST_STEPS, min(MOST_STEPS, steps)))


def coordinates(space: Space, points: Points, levels: list[Floats]) -> Floats:
    """The points by numbers alone, their p-norms as before; `levels[j]` are those of column j.

    A level is the corner of a simplex: 2^(-1/p) on an axis of its own, since two of them differ on
    two axes. The last axis of a column is for all that is not among its levels.
    """
    corner = space.unit * 2.0 ** (-1.0 / space.p)
    parts = [points.ordered]
    for column, known in zip(points.levels.T, levels, strict=True):
        there = column[:, None] == known
        parts.append(corner * np.column_stack([there, ~there.any(axis=1)]))
    return np.concatenate(parts, axis=1)
