"""Plugins written on the spot, as distributions that importlib.metadata finds."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, distributions
from pathlib import Path
from textwrap import dedent

import pytest

Maker = Callable[..., list[EntryPoint]]

_numbers = itertools.count()

PREFACE = """
from __future__ import annotations
from typing import ClassVar
import attrs
from treekit.hooks import hookimpl
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Maker]:
    """Make a distribution of one plugin module and give its entry points."""
    made: list[str] = []
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(
        code: str, name: str = "treekit-toy", version: str = "1.0", module: str = ""
    ) -> list[EntryPoint]:
        module = module or f"toy_plugin_{next(_numbers)}"
        made.append(module)
        (tmp_path / f"{module}.py").write_text(PREFACE + dedent(code))
        site = tmp_path / f"{module}_site"
        info = site / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(f"[treekit]\ntoy = {module}\n")
        (found,) = distributions(path=[str(site)])
        return list(found.entry_points)

    yield make
    for module in made:
        sys.modules.pop(module, None)
