"""What an impurity is at each mixture of two or three classes, on a grid of shares."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from attrs import frozen

from treekit.errors import PluginError, Problem, TreekitError
from treekit.plots.choosing import Chosen, chosen
from treekit.table.record import Floats

FINE = {2: 400, 3: 60}
"""Steps of a grid to draw from, by the number of classes; equal shares lie on it."""

_REMEDY = "treekit.testing has contract tests for impurities"


@frozen(eq=False)
class Measured:
    """Impurities on a grid of shares.

    impurities  m of them
    shares      [n, classes]; each row sums to 1
    values      [m, n]
    greatest    [m], over all mixtures
    scaled      the values were divided by the greatest
    """

    impurities: tuple[Chosen, ...]
    shares: Floats
    values: Floats
    greatest: Floats
    scaled: bool

    @property
    def classes(self) -> int:
        return int(self.shares.shape[1])


def impurity_curve(
    impurities: Any, *, steps: int = FINE[2], scaled: bool = False
) -> tuple[Floats, Floats]:
    """p[n] from 0 to 1, and values[m, n]: each impurity of two classes with shares p and 1 - p.

    impurities: names as in a recipe, tables such as {"use": "tsallis", "q": 1.5}, or strategies;
    scaled: each divided by its greatest value.
    """
    found = measured(impurities, 2, steps=steps, scaled=scaled)
    return found.shares[:, 0], found.values


def impurity_simplex(
    impurities: Any, *, steps: int = FINE[3], scaled: bool = False
) -> tuple[Floats, Floats]:
    """shares[n, 3] on a triangular grid, and values[m, n]; else as `impurity_curve`."""
    found = measured(impurities, 3, steps=steps, scaled=scaled)
    return found.shares, found.values


def measured(
    impurities: Any, classes: int = 2, *, steps: int | None = None, scaled: bool = False
) -> Measured:
    """Impurities of two or three classes whose shares go from 0 to 1 in so many steps."""
    if classes not in FINE:
        raise TreekitError(Problem(f"classes = {classes!r} cannot be drawn", instead="give 2 or 3"))
    if steps is not None and (not isinstance(steps, Integral) or steps < 1):
        remedy = "give a whole number from 1"
        raise TreekitError(Problem(f"steps = {steps!r} makes no grid", instead=remedy))
    these = chosen(impurities)
    shares = grid(classes, steps or FINE[classes])
    values = np.stack([_values(one, shares) for one in these])
    # The greatest value is the same whatever the steps.
    fine = grid(classes, FINE[classes])
    tops = np.stack([_values(one, fine).max() for one in these])
    greatest = np.maximum(tops, values.max(axis=1))
    if scaled:
        problems = [
            Problem(f"{one.label} is nowhere above 0 and cannot be scaled", instead=_REMEDY)
            for one, top in zip(these, greatest, strict=True)
            if top <= 0.0
        ]
        if problems:
            raise PluginError(*problems)
        values = values / greatest[:, None]
    return Measured(these, shares, values, greatest, scaled)


def grid(classes: int, steps: int) -> Floats:
    """[n, classes]: every mixture whose shares are whole numbers of steps.

    Of two classes, the first one's share rises; of three, the first one's rises slowest.
    """
    rising = np.arange(steps + 1)
    if classes == 2:
        counts = np.stack([rising, steps - rising], axis=1)
    else:
        first, second = (part.ravel() for part in np.meshgrid(rising, rising, indexing="ij"))
        counts = np.stack([first, second, steps - first - second], axis=1)
        counts = counts[counts[:, 2] >= 0]
    return counts / steps


def as_data(found: Measured) -> dict[str, Any]:
    """The figures as plain data, for JSON."""
    by_shares = {"p": found.shares[:, 0]} if found.classes == 2 else {"shares": found.shares}
    return {
        "classes": found.classes,
        "scaled": found.scaled,
        **{key: shares.tolist() for key, shares in by_shares.items()},
        "impurities": [
            {
                "name": one.name,
                "parameters": one.parameters,
                "unit": one.unit,
                "greatest": greatest,
                "values": values,
            }
            for one, greatest, values in zip(
                found.impurities, found.greatest.tolist(), found.values.tolist(), strict=True
            )
        ],
    }


def _values(one: Chosen, shares: Floats) -> Floats:
    """[n]: the impurity of nodes of weight 1 with these shares; anybody's formula may fail."""
    stats = np.concatenate([np.ones((len(shares), 1)), shares], axis=1)
    try:
        with np.errstate(all="ignore"):
            values = np.asarray(one.strategy.impurity(stats), dtype=np.float64)
    except Exception as error:
        what = f"{one.label} fails: {type(error).__name__}: {error}"
        raise PluginError(Problem(what, instead=_REMEDY)) from error
    if values.shape != stats.shape[:1]:
        what = f"{one.label} gives values of shape {values.shape} for {len(stats)} nodes"
        raise PluginError(Problem(what, instead=_REMEDY))
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        place = ", ".join(f"{share:.6g}" for share in shares[bad[0]])
        what = f"{one.label} is {values[bad[0]]} where the classes' shares are {place}"
        raise PluginError(Problem(what, instead=_REMEDY))
    return values
