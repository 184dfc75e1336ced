"""What serves every folder.

The hooks and the fixture that make the table of fidelity are here, and so is the hook that
deals files out to workers.
"""

from __future__ import annotations

import gc

import pytest
from hypothesis import settings

from .fidelity import fidelity, mark_what_compares, pytest_configure, pytest_terminal_summary
from .properties import IN_CI
from .workers import longest_first, pytest_xdist_make_scheduler

settings.load_profile("ci" if IN_CI else "anywhere")
gc.set_threshold(20_000, 20, 20)  # compiling makes many objects, and little garbage

__all__ = [
    "fidelity",
    "pytest_configure",
    "pytest_terminal_summary",
    "pytest_xdist_make_scheduler",
]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_what_compares(items)
    longest_first(items)


def pytest_collection_finish() -> None:
    """The tests are no garbage: they need not be looked through again and again."""
    gc.freeze()
