"""A world in which the toy strategies are installed and `base` is the shipped recipe."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import treekit.recipe.load
import treekit.recipe.new
import treekit.recipe.record
import treekit.recipe.source
import treekit.recipe.whole

from .toys import BASE, DEFAULTS, REGISTRY

Writer = Callable[..., Path]


@pytest.fixture
def toys(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the shipped recipes; tests may write more into it."""
    folder = tmp_path_factory.mktemp("shipped")
    (folder / "_defaults.toml").write_text(DEFAULTS)
    (folder / "base.toml").write_text(BASE)
    monkeypatch.setattr(treekit.recipe.source, "recipes_folder", lambda: folder)
    for module in ("load", "new", "record", "whole"):
        monkeypatch.setattr(getattr(treekit.recipe, module), "installed", lambda: REGISTRY)
    return folder


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Writer:
    """Write a recipe file into the working directory."""
    monkeypatch.chdir(tmp_path)

    def writer(text: str, name: str = "mine.toml") -> Path:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return writer
