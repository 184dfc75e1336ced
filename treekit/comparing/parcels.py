"""Work for other processes: all that is to be done on one data set is sent once, then asked for.

A parcel holds a data set, the contenders and the cells; a batch is some of its cells, by number.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import Final
from uuid import uuid4

from attrs import evolve, field, frozen

import treekit
from treekit.comparing.plan import Cell, Plan
from treekit.comparing.running import outcome_of
from treekit.comparing.store import Outcome
from treekit.errors import Problem, TreekitError

SECONDS: Final = 0.1  # of work in a batch: sending one takes a few milliseconds
MOST: Final = 64  # cells of a batch
KEPT: Final = 2  # parcels that a process has at hand: cells come data set by data set


@frozen(eq=False)
class Parcel:
    """All the work on one data set, in the place of a `Plan` of many."""

    name: str
    plan: Plan = field(repr=False)
    cells: tuple[Cell, ...] = field(repr=False)
    version: str = treekit.__version__


@frozen
class Batch:
    """Some cells of a parcel, to be worked off by one process."""

    parcel: str
    numbers: tuple[int, ...]

    def one_by_one(self) -> list[Batch]:
        return [Batch(self.parcel, (number,)) for number in self.numbers]


def parcels_of(plan: Plan, work: Sequence[Cell]) -> list[Parcel]:
    """The work, data set by data set.

    Workers of a cluster live on and keep parcels by their names, so no two ever share one.
    """
    found, token = [], uuid4().hex
    for d in dict.fromkeys(cell.data for cell in work):
        # What a table could have of another is not sent: it is ranked once where it arrives.
        data = evolve(plan.data[d], table=evolve(plan.data[d].table, ranked=None, origin=None))
        own = tuple(evolve(cell, data=0) for cell in work if cell.data == d)
        found.append(Parcel(f"{token}-{d}", evolve(plan, data=(data,)), own))
    return found


class Batches:
    """Batches of a size that is worth sending, as their times show: small ones to begin with."""

    def __init__(self, parcels: Sequence[Parcel]) -> None:
        self.waiting = deque((p.name, n) for p in parcels for n in range(len(p.cells)))
        self.cells = 0
        self.seconds = 0.0

    def __bool__(self) -> bool:
        return bool(self.waiting)

    def next(self) -> Batch:
        """The next one, of one parcel."""
        each = self.seconds / self.cells if self.cells else SECONDS
        parcel, first = self.waiting.popleft()
        numbers = [first]
        while (
            self.waiting
            and self.waiting[0][0] == parcel
            and len(numbers) < min(MOST, SECONDS / max(each, 1e-9))
        ):
            numbers.append(self.waiting.popleft()[1])
        return Batch(parcel, tuple(numbers))

    def took(self, batch: Batch, seconds: float) -> None:
        """Later folds tell more than earlier ones of how long the next take."""
        self.cells = self.cells // 2 + len(batch.numbers)
        self.seconds = self.seconds / 2 + seconds


# --- in the process that works -------------------------------------------------------------------

_at_hand: OrderedDict[str, Parcel] = OrderedDict()
_unpacking = threading.Lock()


def unpacked(name: str, content: Callable[[], bytes]) -> Parcel:
    """The parcel of a name, unpacked once in a process."""
    with _unpacking:
        if name not in _at_hand:
            parcel: Parcel = pickle.loads(content())
            _check_version(parcel)
            _at_hand[name] = parcel
            while len(_at_hand) > KEPT:
                _at_hand.popitem(last=False)
        _at_hand.move_to_end(name)
        return _at_hand[name]


def worked_off(parcel: Parcel, numbers: Sequence[int]) -> tuple[list[Outcome], float]:
    """The outcomes of these cells, and the seconds that they took."""
    begin = time.perf_counter()
    found = [outcome_of(parcel.plan, parcel.cells[number]) for number in numbers]
    return found, time.perf_counter() - begin


def _check_version(parcel: Parcel) -> None:
    if parcel.version != treekit.__version__:
        what = f"a worker has treekit {treekit.__version__}, not {parcel.version}"
        raise TreekitError(Problem(what, instead="install the same version for all workers"))
