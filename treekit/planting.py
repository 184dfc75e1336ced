"""Growing many trees: in threads, with progress, and the same whatever the number of threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
from attrs import field, frozen, validators

from treekit.offers import Member
from treekit.table.record import Floats, Table
from treekit.threads import available_threads, in_order

T = TypeVar("T")

Progress = Callable[[int, int], None]


def silent(done: int, of: int) -> None:
    """Nobody asked for progress."""


@frozen
class Means:
    """By what means a model is grown, which never changes the model.

    threads   how many may work at a time
    progress  is told how many trees of how many are done
    """

    threads: int = field(factory=available_threads, validator=validators.ge(1))
    progress: Progress = silent


@frozen(eq=False)
class Planter:
    """The framework's `provided.Grow`."""

    grow: Callable[[Table, np.random.Generator, int | None], Member]
    weights: Floats
    means: Means = field(factory=Means)

    def __call__(
        self, table: Table, rng: np.random.Generator, columns: int | None = None
    ) -> Member:
        return self.grow(table, rng, columns)

    def told(self, done: int, of: int) -> None:
        self.means.progress(done, of)

    def each(
        self, work: Callable[[np.random.Generator], T], n: int, rng: np.random.Generator
    ) -> Iterator[T]:
        # Each tree has a generator of its own, so that it matters to none when it is grown.
        made = in_order(work, rng.spawn(n), min(self.means.threads, n))
        for done, one in enumerate(made, 1):
            self.told(done, n)
            yield one
