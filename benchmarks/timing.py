"""Times that hold on a noisy machine: interleaved, repeated, the least taken."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

Tell = Callable[[str], None]


def silent(what: str) -> None:
    """Nobody asked for progress."""


@frozen
class Timing:
    """The seconds that each repetition took, and what the last one gave."""

    seconds: tuple[float, ...]
    result: Any

    @property
    def least(self) -> float:
        return min(self.seconds)

    @property
    def spread(self) -> float | None:
        """How much longer the longest took than the shortest, as a share; None of a single one."""
        if len(self.seconds) < 2 or self.least <= 0:
            return None
        return max(self.seconds) / self.least - 1


@frozen
class Clocked:
    """What a program in a process of its own gave, with the seconds by its own clock."""

    seconds: float
    result: Any


def interleaved(
    work: Mapping[str, Callable[[], Any]],
    repeats: int,
    tell: Tell = silent,
    patience: float = math.inf,
) -> dict[str, Timing]:
    """Every contender in turn, again and again; so a slow moment falls on all of them.

    What took more seconds than `patience` is not repeated.
    """
    seconds: dict[str, list[float]] = {name: [] for name in work}
    results: dict[str, Any] = {}
    gc.collect()
    gc.freeze()  # what was there before needs no looking through before each run
    for turn in range(repeats):
        for name, run in work.items():
            if sum(seconds[name]) > patience:
                continue
            tell(f"{name}, {turn + 1} of {repeats}")
            gc.collect()
            begun = time.perf_counter()
            result = run()
            taken = time.perf_counter() - begun
            if isinstance(result, Clocked):
                taken, result = result.seconds, result.result
            seconds[name].append(taken)
            results[name] = result
    gc.unfreeze()
    return {name: Timing(tuple(seconds[name]), results[name]) for name in work}
