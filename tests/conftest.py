"""Property tests try the same examples in every CI run: a failure there is a change's own.

The hooks and the fixture that make the table of fidelity serve every folder, and so does the hook
that deals files out to workers.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from .fidelity import fidelity, mark_what_compares, pytest_configure, pytest_terminal_summary
from .workers import longest_first, pytest_xdist_make_scheduler

settings.register_profile("anywhere", deadline=None)
settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True, max_examples=30)
settings.load_profile("ci" if os.environ.get("CI") else "anywhere")

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
