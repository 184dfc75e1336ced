"""What not every tree has: leaf models of two kinds, and surrogates. Each has its module."""

from __future__ import annotations

from typing import Any, Final

from treekit.leaf_models import LeafModels, Neighbours
from treekit.model_file import leaf_models, neighbours, surrogates, values
from treekit.model_file.layout import Extra, Stored
from treekit.model_file.values import Place
from treekit.table.record import Schema
from treekit.tree import Surrogates, Tree

LEAF_MODELS: Final = "leaf_models"
NEIGHBOURS: Final = "neighbours"
SURROGATES: Final = "surrogates"
EXTRAS: Final = (LEAF_MODELS, NEIGHBOURS, SURROGATES)

_KINDS: Final[dict[str, Any]] = {
    LEAF_MODELS: leaf_models,
    NEIGHBOURS: neighbours,
    SURROGATES: surrogates,
}


def extras_of(tree: Tree, models: LeafModels | None) -> dict[str, Extra]:
    found = {}
    if isinstance(models, Neighbours):
        found[NEIGHBOURS] = neighbours.stored(models)
    elif models is not None:
        found[LEAF_MODELS] = leaf_models.stored(models)
    if tree.surrogates is not None:
        found[SURROGATES] = surrogates.stored(tree, tree.surrogates)
    return found


def read_extras(found: dict[str, Any], place: Place) -> dict[str, Extra]:
    return {
        name: _extra(found[name], _KINDS[name], place.key(name)) for name in EXTRAS if name in found
    }


def _extra(value: Any, kind: Any, place: Place) -> Extra:
    """The words and lists, in the order in which they are written."""
    found = values.members(value, place, (*kind.WORDS, *kind.LISTS))
    return Extra(
        {name: read(found[name], place.key(name)) for name, read in kind.WORDS.items()},
        {
            name: values.integers(found[name], place.key(name))
            if name in kind.INTEGERS
            else values.floats(found[name], place.key(name), null=name in kind.NULLS)
            for name in kind.LISTS
        },
    )


def check_extras(tree: Stored, schema: Schema, place: Place) -> None:
    if LEAF_MODELS in tree.extras and NEIGHBOURS in tree.extras:
        raise place.error(f'there must be one of "{LEAF_MODELS}" and "{NEIGHBOURS}", not both')
    if LEAF_MODELS in tree.extras:
        kept = tree.extras[LEAF_MODELS]
        leaf_models.check(kept, len(tree.children), schema, place.key(LEAF_MODELS))
    if NEIGHBOURS in tree.extras:
        neighbours.check(tree.extras[NEIGHBOURS], tree, schema, place.key(NEIGHBOURS))
    if SURROGATES in tree.extras:
        kept = tree.extras[SURROGATES]
        surrogates.check(kept, tree.children, schema, place.key(SURROGATES))


def leaf_models_of(tree: Stored, schema: Schema) -> LeafModels | None:
    if NEIGHBOURS in tree.extras:
        return neighbours.restored(tree.extras[NEIGHBOURS], schema)
    kept = tree.extras.get(LEAF_MODELS)
    return None if kept is None else leaf_models.restored(kept, schema)


def surrogates_of(tree: Stored) -> Surrogates | None:
    kept = tree.extras.get(SURROGATES)
    return None if kept is None else surrogates.restored(kept, tree.children)
