"""How many examples a property is tried on: in CI the same few in every run, elsewhere many."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

IN_CI = bool(os.environ.get("CI"))
MOST_IN_CI = 30

settings.register_profile("anywhere", deadline=None)
# A failure in CI is then a change's own.
settings.register_profile(
    "ci", derandomize=True, deadline=None, print_blob=True, max_examples=MOST_IN_CI
)


def examples(n: int, **further: Any) -> settings:
    """The settings of a property that is worth so many examples."""
    return settings(max_examples=min(n, MOST_IN_CI) if IN_CI else n, deadline=None, **further)
