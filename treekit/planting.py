"""Growing many trees: in threads, with progress, and the same whatever the number of threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

import numpy as np
from attrs import field, frozen, validators

from treekit.offers import Member
from treekit.table.record import Table

T = TypeVar("T")

Progress = Callable[[int, int], None]


def silent(done: int, of: int) -> None:
    """Nobody asked for progress."""


def available_threads() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@frozen
class Means:
    """By what means a model is grown, which never changes the model.

    threads   how many trees may grow at a time
    progress  is told how many trees of how many are done
    """

    threads: int = field(factory=available_threads, validator=validators.ge(1))
    progress: Progress = silent


@frozen(eq=False)
class Planter:
    """The framework's `roles.Grow`."""

    grow: Callable[[Table, np.random.Generator], Member]
    means: Means = field(factory=Means)

    def __call__(self, table: Table, rng: np.random.Generator) -> Member:
        return self.grow(table, rng)

    def told(self, done: int, of: int) -> None:
        self.means.progress(done, of)

    def each(
        self, work: Callable[[np.random.Generator], T], n: int, rng: np.random.Generator
    ) -> list[T]:
        # Each tree has a generator of its own, so that it matters to none when it is grown.
        generators = rng.spawn(n)
        threads = min(self.means.threads, n)
        if threads <= 1:
            made = []
            for i, own in enumerate(generators):
                made.append(work(own))
                self.told(i + 1, n)
            return made
        with ThreadPoolExecutor(threads) as pool:
            futures = [pool.submit(work, own) for own in generators]
            try:
                self._waited(futures)
            except BaseException:
                # An interrupt, or a tree that failed: what has not begun is not begun.
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            return [future.result() for future in futures]

    def _waited(self, futures: list[Future[T]]) -> None:
        waiting = set(futures)
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                future.result()
            self.told(len(futures) - len(waiting), len(futures))
