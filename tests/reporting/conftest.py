"""A browser to open pages in."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
REQUIRED = "TREEKIT_BROWSER"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The system's Chromium with a new profile; a test that needs it skips where it is missing.

    Where TREEKIT_BROWSER=required the test fails instead.
    """
    program = shutil.which("chromium")
    if program is None:
        what = "there is no chromium on the PATH to open the page in"
        if os.environ.get(REQUIRED) == "required":
            pytest.fail(f"{what}, and {REQUIRED}=required")
        pytest.skip(what)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("profile"), executable_path=program, args=list(FLAGS),
            headless=True,
            viewport={"width": 1200, "height": 900},
        )  # fmt: skip
        yield context
        context.close()


@pytest.fixture
def no_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever imports matplotlib finds that it is not installed."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)


@pytest.fixture
def no_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
