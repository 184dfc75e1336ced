"""Folds in little room: the number of the fold that each row is dealt to, or a code for each row.

Of cross-validation, a number for each row and repeat tells all folds. Of any other division, each
row of each fold has a code: twice how often it is learned from, and 1 more if it is tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from attrs import field, frozen

from treekit.comparing.resampling import Fold
from treekit.comparing.zipped import array_of
from treekit.errors import Problem, TreekitError
from treekit.model_file import values
from treekit.model_file.values import Place, shown

MOST: Final = 1 << 28
"""Rows times folds of a data set: more would not fit into memory when they are unpacked."""

WIDTHS: Final = ("|u1", "<u2", "<u4")

Codes = npt.NDArray[np.unsignedinteger[Any]]


@frozen(eq=False)
class PackedFolds:
    """The folds of a data set.

    ids    the repeat and the number of each fold
    dealt  is each row tested once in every repeat, and learned from in its other folds?
    codes  dealt: [repeats, rows], the number of a fold; else [folds, rows], as above
    """

    ids: tuple[tuple[int, int], ...]
    dealt: bool
    codes: Codes = field(repr=False)


def packed(folds: Sequence[Fold]) -> PackedFolds:
    """Folds, all of the same rows, packed."""
    ids = tuple((fold.repeat, fold.number) for fold in folds)
    if len(folds) * len(folds[0].tested) > MOST:
        raise TreekitError(Problem(f"{len(folds)} folds of so many rows are too much for a file"))
    dealt = [_dealt(list(group)) for _, group in groupby(folds, lambda fold: fold.repeat)]
    # A repeat that comes back would be two groups of the same folds.
    if len({repeat for repeat, _ in ids}) == len(dealt) and all(d is not None for d in dealt):
        return PackedFolds(ids, True, _narrow(np.array(dealt)))
    codes = [2 * fold.copies + fold.tested for fold in folds]
    return PackedFolds(ids, False, _narrow(np.array(codes)))


def unpacked(folds: PackedFolds) -> list[Fold]:
    """The folds themselves."""
    return list(_unpacking(folds))


def _unpacking(folds: PackedFolds) -> Iterator[Fold]:
    keys: Sequence[Any] = repeats(folds.ids) if folds.dealt else folds.ids
    rows = dict(zip(keys, folds.codes, strict=True))
    for repeat, number in folds.ids:
        if folds.dealt:
            tested = rows[repeat] == number
            yield Fold(repeat, number, (~tested).astype(np.int64), tested)
        else:
            codes = rows[repeat, number].astype(np.int64)
            yield Fold(repeat, number, codes >> 1, (codes & 1).astype(bool))


def repeats(ids: Sequence[tuple[int, int]]) -> list[int]:
    """The repeats there are, in their order."""
    return list(dict.fromkeys(repeat for repeat, _ in ids))


def _dealt(folds: list[Fold]) -> npt.NDArray[np.int64] | None:
    """The number of the fold that tests each row, if that tells these folds of a repeat."""
    numbers = [fold.number for fold in folds]
    once = sum(fold.tested.astype(np.int64) for fold in folds)
    others = all(np.array_equal(fold.copies, ~fold.tested) for fold in folds)
    if len(set(numbers)) < len(numbers) or not others or not np.all(once == 1):
        return None
    dealt = np.zeros(len(folds[0].tested), np.int64)
    for fold in folds:
        dealt[fold.tested] = fold.number
    return dealt


def _narrow(codes: npt.NDArray[np.int64]) -> Codes:
    """The same numbers in as few bytes as hold the greatest."""
    most = int(codes.max(initial=0))
    return codes.astype(next(w for w in WIDTHS if most <= np.iinfo(w).max))


def folds_in(value: Any, n_rows: int, codes: bytes, place: Place, file: Place) -> PackedFolds:
    """Packed folds from their document and their codes, the bytes of a .npy file."""
    found = values.members(value, place, ("dealt", "ids"))
    dealt, here = found["dealt"], place.key("ids")
    if not isinstance(dealt, bool):
        raise place.key("dealt").error(f"must be true or false, got {shown(dealt)}")
    ids = tuple(_pair(pair, here.at(i)) for i, pair in enumerate(values.items(found["ids"], here)))
    if not ids or len(set(ids)) < len(ids):
        raise here.error("must name every fold once, and one at least")
    if len(ids) * n_rows > MOST:
        raise here.error(f"{len(ids)} folds of {n_rows} rows are too much")
    n_codes = len(repeats(ids)) if dealt else len(ids)
    folds = PackedFolds(ids, dealt, array_of(codes, file, (n_codes, n_rows), WIDTHS))
    for fold in _unpacking(folds):
        if not fold.tested.any() or not fold.copies.any():
            what = f"fold {fold.number} of repeat {fold.repeat} tests no row, or learns from none"
            raise file.error(what)
    return folds


def _pair(value: Any, place: Place) -> tuple[int, int]:
    repeat, number = values.integers(value, place, 2).tolist()
    if min(repeat, number) < 0:
        raise place.error("must not be negative")
    return repeat, number
