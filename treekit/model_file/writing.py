"""Writing a model file: whole, or not at all."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from treekit.combining import Combination, schema_of_tree
from treekit.model_file import combination
from treekit.model_file.checks import (
    check_schema,
    check_tree,
    check_weights,
    seed_checked,
    versions_checked,
)
from treekit.model_file.extras import check_extras, extras_of
from treekit.model_file.layout import (
    ARRAYS,
    FORMAT,
    VERSION,
    Extra,
    Parts,
    Stored,
    checksum,
    first_children,
    schema_document,
    stored,
)
from treekit.model_file.values import Place, text
from treekit.table.record import Floats, Ints
from treekit.tree import Tree
from treekit.writing import written_whole


def write(parts: Parts, path: str | os.PathLike[str]) -> None:
    """Write the file. An interrupted write leaves what stood there before."""
    place = Place(os.fspath(path))
    chunks = document(parts, place)
    try:
        with (
            written_whole(path) as draft,
            draft.open("x", encoding="utf-8", newline="\n") as file,
        ):
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise place.error(f"cannot be written: {error.strerror or error}") from None


def document(parts: Parts, place: Place | None = None) -> Iterator[str]:
    """The document in chunks, each top-level key and each of a tree's lists on a line of its own.

    The model is checked before the first chunk: what is written can be read.
    """
    place = place or Place("model")
    schema = parts["schema"]
    head = document_head(parts, place)
    check_schema(schema, place.key("schema"))
    check_weights(np.array(head["tree_weights"]), len(parts["trees"]), place.key("tree_weights"))
    combination.check(combination_of(parts), schema, place.key("combination"))
    trees = []
    members = zip(parts["trees"], parts["answers"], parts["leaf_models"], strict=True)
    for i, (tree, answers, models) in enumerate(members):
        here = place.key("trees").at(i)
        _check_order(tree, here)
        trees.append(stored(tree, answers, extras_of(tree, models)))
        of_tree = schema_of_tree(schema, parts["outputs"], i)
        check_tree(trees[-1], of_tree, here)
        check_extras(trees[-1], of_tree, here)
    return _chunks(head, trees)


def document_head(parts: Parts, place: Place) -> dict[str, Any]:
    """The document without its trees."""
    return {
        "versions": versions_checked(parts["versions"], place.key("versions")),
        "seed": seed_checked(parts["seed"], place.key("seed")),
        "recipe": plain(parts["recipe"], place.key("recipe")),
        "schema": schema_document(parts["schema"]),
        "tree_weights": [float(w) for w in parts["tree_weights"]],
        "combination": combination.document(combination_of(parts)),
        "facts": combination.facts_checked(parts["facts"], place.key("facts")),
    }


def combination_of(parts: Parts) -> Combination:
    return Combination(parts["tree_weights"], parts["rule"], parts["base"], parts["outputs"])


def _chunks(head: dict[str, Any], trees: list[Stored]) -> Iterator[str]:
    yield f'{{\n"format": {json.dumps(FORMAT)},\n"version": {VERSION}'
    for key, value in head.items():
        yield f",\n{json.dumps(key)}: {json.dumps(value, allow_nan=False)}"
    yield ',\n"trees": ['
    for i, tree in enumerate(trees):
        yield ",{" if i else "{"
        yield f'\n"centre": {tree.centre!r},\n"reasons": {json.dumps(tree.reasons)}'
        for name in ARRAYS:
            yield f",\n{json.dumps(name)}: "
            yield json.dumps(_entries(getattr(tree, name)), separators=(",", ":"))
        for name, extra in tree.extras.items():
            yield f",\n{json.dumps(name)}: {{"
            yield ",".join(_members(extra))
            yield "}"
        yield "}"
    yield f'],\n"checksum": {json.dumps(checksum(head, trees))}\n}}\n'


def _members(extra: Extra) -> Iterator[str]:
    for name, word in extra.words.items():
        yield f"\n{json.dumps(name)}: {json.dumps(word)}"
    for name, array in extra.arrays.items():
        entries = json.dumps(_entries(array), separators=(",", ":"))
        yield f"\n{json.dumps(name)}: {entries}"


def _entries(array: Ints | Floats) -> list[Any]:
    """The entries for JSON: null for NaN, and whole numbers as integers if all are whole."""
    flat = array.ravel()
    if flat.dtype == np.float64:
        unknown = np.isnan(flat)
        if unknown.any():
            values: list[Any] = flat.tolist()
            for i in np.flatnonzero(unknown):
                values[i] = None
            return values
        negative_zero = np.signbit(flat) & (flat == 0)
        if (np.abs(flat) < 2**53).all() and (np.trunc(flat) == flat).all():
            flat = flat if negative_zero.any() else flat.astype(np.int64)
    return flat.tolist()


def plain(value: Any, place: Place) -> Any:
    """Recipe data as JSON has it: a number that JSON lacks becomes {"$float": "inf"}."""
    if isinstance(value, str):
        return text(value, place)
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$float": repr(value)}
    if isinstance(value, (list, tuple)):
        return [plain(entry, place.at(i)) for i, entry in enumerate(value)]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {text(key, place): plain(entry, place.key(key)) for key, entry in value.items()}
    raise place.error(f"must be plain data that JSON can hold, got {type(value).__name__}")


def _check_order(tree: Tree, place: Place) -> None:
    inner = tree.n_children > 0
    if not np.array_equal(inner, tree.kind != 0) or not np.array_equal(
        tree.first_child[inner], first_children(tree.n_children.astype(np.int64))[inner]
    ):
        raise place.error("the nodes are not in level order")
