"""Disturbed data: what do contenders make of unknown values, and of labels that are wrong?

Values get unknown in one of three ways (Rubin 1976): whatever they are (MCAR), by what another
column says (MAR), or by what they are themselves (MNAR). Labels get wrong only where contenders
learn; they are tested on the true ones. A greater share disturbs all that a smaller one does.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import numpy as np
from attrs import evolve, field, frozen, validators

from treekit.comparing.data import DataSet
from treekit.table.record import Floats, Table

Disturb = Callable[[DataSet, float, np.random.Generator], DataSet]


def quantiles(values: Floats) -> Floats:
    """Where each value lies among those of its column, 0 to 1, with mean 0.5; unknown ones in the
    middle.
    """
    from scipy.stats import rankdata

    known = ~np.isnan(values)
    found = np.full(len(values), 0.5)
    if known.any():
        found[known] = (rankdata(values[known]) - 0.5) / known.sum()
    return found


def completely_at_random(data: DataSet, share: float, rng: np.random.Generator) -> DataSet:
    """MCAR: every value gets unknown with the same probability."""
    return _without(data, rng.random(data.table.cells.shape) < share)


def at_random(data: DataSet, share: float, rng: np.random.Generator) -> DataSet:
    """MAR: the greater the value of the next column, the likelier; the share is the mean.

    The columns go in a circle. Of a single column there is no next one, and it is completely at
    random. Decided by values as they were, of which some get unknown, too.
    """
    cells = data.table.cells
    if len(cells) < 2:
        return completely_at_random(data, share, rng)
    likelier = np.stack([quantiles(column) for column in np.roll(cells, -1, axis=0)])
    return _without(data, rng.random(cells.shape) < 2 * share * likelier)


def not_at_random(data: DataSet, share: float, rng: np.random.Generator) -> DataSet:
    """MNAR: the greater the value itself, the likelier; the share is the mean."""
    cells = data.table.cells
    likelier = np.stack([quantiles(column) for column in cells])
    return _without(data, rng.random(cells.shape) < 2 * share * likelier)


def label_noise(data: DataSet, share: float, rng: np.random.Generator) -> DataSet:
    """So many of the rows are learned with another class, any of the others alike.

    A number gets normal noise instead, whose variance is this share of the target's.
    """
    table = data.table
    drawn, y = rng.random(table.n_rows), table.y
    if table.task == "regression":
        noisy = y + np.sqrt(share) * y.std() * rng.standard_normal(len(y))
    else:
        n = len(table.schema.classes)
        others = (y + 1 + rng.integers(0, max(n - 1, 1), len(y))) % n
        noisy = np.where(drawn < share, others, y)
    return evolve(data, learned=evolve(table, target_values=noisy))


def _without(data: DataSet, gone: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> DataSet:
    """The data with values unknown where they are gone."""
    return evolve(data, table=_changed(data.table, np.where(gone, np.nan, data.table.cells)))


def _changed(table: Table, cells: Floats) -> Table:
    return Table(table.schema, cells, table.target_values, table.given_weights, table.source)


DISTURBANCES: Final[dict[str, Disturb]] = {
    "mcar": completely_at_random,
    "mar": at_random,
    "mnar": not_at_random,
    "label_noise": label_noise,
}
SHARES: Final = (0.0, 0.1, 0.2, 0.3, 0.4)
MOST: Final = 0.5  # of values: the likeliest ones are then all unknown


@frozen
class Disturbing:
    """Which disturbances, and how much of each: every data set is there with each of them."""

    use: tuple[str, ...] = field(
        converter=tuple, validator=validators.deep_iterable(validators.in_(DISTURBANCES))
    )
    shares: tuple[float, ...] = field(
        default=SHARES,
        converter=tuple,
        validator=validators.deep_iterable([validators.ge(0.0), validators.le(MOST)]),
    )


def disturbed(data: Iterable[DataSet], how: Disturbing, seed: int) -> list[DataSet]:
    """Every data set with every disturbance; a share of 0 leaves it as it is, and is there once."""
    found: list[DataSet] = []
    for one in data:
        found += [one] if 0.0 in how.shares else []
        for use in how.use:
            found += [_one(one, use, share, seed) for share in _above_zero(how.shares)]
    return found


def _above_zero(shares: Sequence[float]) -> list[float]:
    return [share for share in shares if share > 0]


def _one(data: DataSet, use: str, share: float, seed: int) -> DataSet:
    # The same draws for every share, so that a greater one disturbs all that a smaller one does.
    rng = np.random.default_rng([seed, zlib.crc32(f"{data.name} {use}".encode())])
    changed = DISTURBANCES[use](data, share, rng)
    name = f"{data.name}, {use} {share:.0%}"
    return evolve(changed, name=name, origin=None, copy_of=data.name)
