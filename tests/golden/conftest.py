"""Growth that runs share, and the verdict on a recorded run for the table of fidelity."""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

import numpy as np
import pytest

from treekit.engine.parts import Parts
from treekit.table.record import Table
from treekit.tree import Tree

from ..fidelity import UNEXPLAINED, Fidelity
from ..growing import GROWING_ONCE, Tell
from .comparing import Difference
from .originals import Run, dataset_names, run_names

NAMES = {"c45": "C4.5"}
TIED = "splits of equal worth, between which the rounding of a sum chose"
SINGLE_PRECISION = "only single-precision arithmetic gives the original's tree"


def growing(
    table: Table,
    parts: Parts,
    rng: np.random.Generator,
    watch: Any = None,
    tell: Tell | None = None,
    columns: int | None = None,
    compiled: bool = False,
    in_vain: Any = None,
) -> Tree:
    """The tree of a whole table as everybody gets it; folds are many, and compiled at once."""
    compiled = compiled or table.origin is not None
    return GROWING_ONCE(table, parts, rng, watch, tell, columns, compiled, in_vain)


@pytest.fixture(autouse=True)
def trees_in_common_are_grown_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treekit.fitting.grow", growing)


class Verdict(Protocol):
    """Writes down how a run compared: whether it is owed, what differs, and why if that is known.

    Without a reason, differences are explained if all are ties, or if the run was marked as one
    that no double-precision arithmetic can repeat.
    """

    def __call__(self, run: Run, owed: bool, found: list[Difference], reason: str = "") -> None: ...


@pytest.fixture
def verdict(fidelity: Fidelity) -> Verdict:
    def record(run: Run, owed: bool, found: list[Difference], reason: str = "") -> None:
        detail = found[0].words if found else ""
        if found and not reason:
            reason = _reason(run, found)
        name = NAMES.get(run.program, run.program)
        fidelity(name, run.label, reason if found else "", detail, _runs(run.program))

    return record


def _reason(run: Run, found: list[Difference]) -> str:
    if all(difference.tie for difference in found):
        return TIED
    return SINGLE_PRECISION if run.agreement == "float32_only" else UNEXPLAINED


@cache
def _runs(program: str) -> int:
    return sum(len(run_names(program, dataset)) for dataset in dataset_names(program))
