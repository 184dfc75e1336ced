"""Comparisons to bundle, and bundles to tamper with."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

from treekit.comparing import (
    CrossValidation,
    FixedTest,
    Plan,
    contenders_of,
)
from treekit.comparing.data import data_sets
from treekit.comparing.plan import plan_of
from treekit.comparing.running import run
from treekit.comparing.store import Outcome, opened

RECIPES = ("id3", "sklearn:DecisionTreeClassifier")


def compared(
    data: tuple[Any, ...] = ("tennis", "sklearn:iris"),
    recipes: tuple[str, ...] = RECIPES,
    how: Any = None,
) -> tuple[Plan, list[Outcome]]:
    how = how or CrossValidation(3)
    sets = data_sets(data, isinstance(how, FixedTest))
    plan = plan_of(contenders_of(recipes), sets, how, 5)
    with opened(None) as kept:
        return plan, run(plan, kept)


def members_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def rewrite(path: Path, **changes: bytes | None) -> None:
    """The same bundle with other members; None: without it."""
    members: dict[str, Any] = members_of(path) | changes
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            if content is not None:
                file.writestr(name, content)
