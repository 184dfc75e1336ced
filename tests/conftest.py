"""Property tests try the same examples in every CI run: a failure there is a change's own.

The hooks and the fixture that make the table of fidelity serve every folder.
"""

from __future__ import annotations

import os

from hypothesis import settings

from .fidelity import (
    fidelity,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_terminal_summary,
)

settings.register_profile("anywhere", deadline=None)
settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "anywhere")

__all__ = [
    "fidelity",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_terminal_summary",
]
