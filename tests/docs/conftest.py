"""Pages install plugins of their own; no other test may find them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from treekit.registry import installed


@pytest.fixture(autouse=True)
def nobody_elses_plugins() -> Iterator[None]:
    yield
    installed.cache_clear()
