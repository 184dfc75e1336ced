"""Contenders that answer at once, right or wrong."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.contest import Contender, Contest
from benchmarks.data import Data, as_table
from benchmarks.work import Must, Work

CLASSES = np.array([0.0, 1.0, 1.0, 0.0])
NUMBERS = np.array([1.0, 2.5, -3.0, 4.0])


def work(truth: Any = CLASSES, n_classes: int = 2, must: Must = "same") -> Work:
    return Work("tree", Data(as_table(np.zeros((4, 1)), truth, n_classes)), must=must)


def saying(answers: Any, program: str = "peer", **more: Any) -> Contender:
    """A program whose fit gives these answers."""
    return Contender(program, lambda: answers, **more)


def contest(*peers: Contender, of: Work | None = None, tolerance: float = 0.0) -> Contest:
    """Peers beside a treekit that is right."""
    of = of or work()
    return Contest("toy", "a toy", [saying(of.data.y, "treekit"), *peers], of, tolerance)
