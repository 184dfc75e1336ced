"""Contests whose times nobody looks at."""

from __future__ import annotations

import gc
from types import SimpleNamespace

import pytest


@pytest.fixture(autouse=True)
def garbage_is_left_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before each run a contest looks through all that there is: among many tests that is much."""
    quiet = dict.fromkeys(("collect", "freeze", "unfreeze"), lambda: 0)
    monkeypatch.setattr("benchmarks.timing.gc", SimpleNamespace(**{**vars(gc), **quiet}))
