"""Where nothing is compiled yet, each worker begins with some of the large kernels.

Otherwise all of them would wait for the same ones, each compiling its own. No test depends on it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np
import pytest
from treekit_builtin import MajorityBranch, Subset, Threshold

from tests.engine.recipes import parts
from treekit import Column, Schema, Table, TreeParts
from treekit.engine import grow

ROWS = 12


def small_tables() -> Iterator[Table]:
    """One for each of the kernels that grow subtrees: with and without levels, and weights."""
    number = np.arange(float(ROWS))
    numeric, nominal = Column("x", "numeric"), Column("x", "nominal", ("a", "b", "c"))
    targets = [Column("y", "numeric")]
    targets += [Column("y", "nominal", tuple("pqr"[:k])) for k in (2, 3)]
    for target in targets:
        y = number % (len(target.levels) or ROWS)
        plain = Table(Schema((numeric,), target), number[None], y)
        yield from (plain, plain.reweighted(1.0 + number % 2))
        yield Table(Schema((nominal,), target), number[None] % 3, y)


def strategies(table: Table) -> TreeParts:
    """A recipe by which it is grown in one go."""
    splitter = {"numeric": Threshold(), "nominal": Subset()}
    return parts(table, splitter=splitter, missing=MajorityBranch())


def compile_share(worker: int, workers: int) -> None:
    """Compile what falls to one of so many workers."""
    for table in list(small_tables())[worker::workers]:
        grow(table, strategies(table), np.random.default_rng(0), compiled=True)


@pytest.fixture(scope="session", autouse=True)
def large_kernels_are_shared_out() -> None:
    """In CI, where every worker will need them."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    if worker and os.environ.get("CI"):
        compile_share(int(worker), int(os.environ["PYTEST_XDIST_WORKER_COUNT"]))
