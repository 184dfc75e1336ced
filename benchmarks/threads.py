"""How much two threads help treekit: the same fit with one and with two, the models identical."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from benchmarks.contest import Contender, Contest, Row
from benchmarks.data import few_valued, two_classes
from benchmarks.options import Options
from benchmarks.work import Work
from treekit import Model


def threads(options: Options) -> Iterator[Row]:
    trees = 10 if options.quick else 100
    works = {
        "D2": ("full tree", Work("tree", two_classes(options.rows(1_000_000, 30_000), seed=2))),
        "D3": ("full tree", Work("tree", few_valued(options.rows(500_000, 10_000)))),
        "forest": (
            f"random forest of {trees} trees on D1",
            Work("forest", two_classes(options.rows(100_000, 5_000)), trees=trees),
        ),
    }
    for name, (what, work) in works.items():
        contenders = [with_threads(work, n) for n in (1, 2)]
        title = f"{what}, {work.data.table.n_rows:,} rows; the models must be identical"
        contest = Contest(f"{name} threads", title, contenders)
        yield from options.held(contest)


def with_threads(work: Work, n: int) -> Contender:
    from benchmarks.programs.ours import contender, recipe_of

    fit = contender(evolve(work, threads=n), recipe_of(work), f"treekit, threads {n}")
    return evolve(fit, ask=fingerprint, must="same")


def fingerprint(model: Model) -> NDArray[np.uint8]:
    """The bytes of a digest of all that a model is: equal models have equal ones."""
    digest = hashlib.sha256()
    for tree, answers in zip(model.trees, model.answers, strict=True):
        for values in (
            tree.kind,
            tree.column,
            tree.first_child,
            tree.operands,
            tree.stats,
            answers,
        ):
            digest.update(np.ascontiguousarray(values).tobytes())
    return np.frombuffer(digest.digest(), np.uint8)
