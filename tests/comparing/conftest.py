"""A small comparison and its bundle."""

from __future__ import annotations

from pathlib import Path

import pytest

from treekit.comparing import (
    Plan,
    write_bundle,
)
from treekit.comparing.store import Outcome

from .bundles import compared


@pytest.fixture(scope="module")
def small() -> tuple[Plan, list[Outcome]]:
    return compared(("tennis",))


@pytest.fixture
def path(small, tmp_path) -> Path:
    """A small bundle, with its data."""
    write_bundle(tmp_path / "b.zip", *small, with_data=True)
    return tmp_path / "b.zip"
