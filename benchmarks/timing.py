"""Times that hold on a noisy machine: interleaved, repeated, the least taken."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen


@frozen
class Timing:
    """The seconds that each repetition took, and what the last one gave."""

    seconds: tuple[float, ...]
    result: Any

    @property
    def least(self) -> float:
        return min(self.seconds)

    @property
    def spread(self) -> float:
        """How much longer the longest took than the shortest, as a share."""
        return max(self.seconds) / self.least - 1


def interleaved(work: Mapping[str, Callable[[], Any]], repeats: int) -> dict[str, Timing]:
    """Every contender in turn, again and again; so a slow moment falls on all of them."""
    seconds: dict[str, list[float]] = {name: [] for name in work}
    results: dict[str, Any] = {}
    for _ in range(repeats):
        for name, run in work.items():
            gc.collect()
            begun = time.perf_counter()
            results[name] = run()
            seconds[name].append(time.perf_counter() - begun)
    return {name: Timing(tuple(seconds[name]), results[name]) for name in work}
