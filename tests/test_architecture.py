"""The shape of the code: imports go one way, and strategies are anybody's."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from treekit_builtin import __file__ as builtin_file

import treekit
from treekit.registry import installed

PACKAGE = Path(treekit.__file__).parent
BUILTIN = Path(builtin_file).parent

# Each room may use those before it, never those after it.
ORDER = (
    "errors",
    "threads",
    "writing",
    "pointers",
    "compiling",
    "stack_arrays",
    "divisions",
    "splitting",
    "table",
    "datasets",
    "tree",
    "standing_in",
    "linear",
    "classes",
    "leaf_models",
    "formula",
    "narrow",
    "offers",
    "combining",
    "folds",
    "subtrees",
    "provided",
    "roles",
    "route",
    "answering",
    "engine",
    "hooks",
    "registry",
    "recipe",
    "model_file",
    "graph",
    "metrics",
    "importances",
    "model",
    "planting",
    "fitting",
    "explain",
    "complexity",
    "comparing",
    "statistics",
    "report",
    "plots",
    "reporting",
    "testing",
    "cli",
    "__main__",
)

# `str(model)` and `str(graph)` are the text report, and a model and an explanation can be asked to
# explain and to write themselves; all this is looked up when it is asked for.
ALLOWED_BACKWARD = {
    ("model", "report"),
    ("model", "explain"),
    ("explain", "report"),
    ("graph", "report"),
}


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def imports_of(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{a.name}" for a in node.names if node.module == "treekit"}
    return found


SOURCES = sorted(p for p in PACKAGE.rglob("*.py") if p.name != "__init__.py" or p.parent != PACKAGE)


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    here = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    for module in imports_of(path):
        there = room(module)
        if not module.startswith("treekit") or there not in ORDER or there == here:
            continue
        backward = ORDER.index(there) > ORDER.index(here)
        assert not backward or (here, there) in ALLOWED_BACKWARD, f"{here} imports {module}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_the_framework_imports_no_strategy(path: Path) -> None:
    assert not any(module.startswith("treekit_builtin") for module in imports_of(path))


@pytest.mark.parametrize("path", sorted(BUILTIN.rglob("*.py")), ids=lambda p: p.name)
def test_strategies_use_only_public_names(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            assert not (node.module or "").startswith("treekit."), f"imports from {node.module}"
            if node.module == "treekit":
                private = {a.name for a in node.names} - set(treekit.__all__)
                assert not private


def names_of_strategies() -> set[str]:
    # These are everyday words that the framework may say of other things.
    return {e.name for e in installed().entries} - {"none", "level", "single", "mean", "pure"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_the_framework_compares_no_strategy_name(path: Path) -> None:
    words = {
        node.value
        for compare in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(compare, ast.Compare)
        for node in ast.walk(compare)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert not words & names_of_strategies()


def test_every_public_name_can_be_had() -> None:
    for name in treekit.__all__:
        assert getattr(treekit, name) is not None
