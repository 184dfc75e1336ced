"""The verdict on a recorded run of C4.5 or rpart, for the table of fidelity."""

from __future__ import annotations

from functools import cache
from typing import Protocol

import pytest

from ..fidelity import UNEXPLAINED, Fidelity
from .comparing import Difference
from .originals import Run, dataset_names, run_names

NAMES = {"c45": "C4.5"}
TIED = "splits of equal worth, between which the rounding of a sum chose"
SINGLE_PRECISION = "only single-precision arithmetic gives the original's tree"


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
