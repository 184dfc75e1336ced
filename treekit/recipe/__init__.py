"""Recipes: algorithms as TOML data."""

from treekit.recipe.load import check, load_recipe
from treekit.recipe.new import new_recipe
from treekit.recipe.parameters import Parameter, parameters_of
from treekit.recipe.record import Recipe, TreeParts
from treekit.recipe.show import flat, to_toml
from treekit.recipe.source import recipe_names

__all__ = [
    "Parameter",
    "Recipe",
    "TreeParts",
    "check",
    "flat",
    "load_recipe",
    "new_recipe",
    "parameters_of",
    "recipe_names",
    "to_toml",
]
