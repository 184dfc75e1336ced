"""The model file that a command names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from treekit.errors import DataError, ModelError
from treekit.writing import is_special

if TYPE_CHECKING:
    from treekit.model import Model

# How every model file begins, whatever its name ends in.
MARK = b'"treekit model"'


def loaded(name: str) -> Model:
    """The model in a file; if there is no such file, how to make one is told."""
    from treekit.model import load
    from treekit.table.files import checked_path

    if is_special(Path(name)):
        return load(name)
    try:
        path = checked_path(name, "model file")
    except DataError as error:
        hint = f"make one with: {_recipe_and_data(name)} -o model.json"
        told = [
            evolve(p, instead="; ".join(filter(None, (p.instead, hint)))) for p in error.problems
        ]
        raise ModelError(*told) from None
    return load(path)


def is_model(name: str) -> bool:
    """Does this name a model file, rather than a recipe?"""
    path = Path(name)
    if not path.is_file():
        return path.suffix == ".json"
    with path.open("rb") as file:
        return MARK in file.read(100)


def _recipe_and_data(name: str) -> str:
    """The command to make a model, as far as what was named instead of one tells it."""
    from treekit.datasets import built_in
    from treekit.recipe import recipe_names

    recipe = name if name in recipe_names() else "RECIPE"
    return f"treekit fit {recipe} {name if built_in(name) else 'DATA'}"
