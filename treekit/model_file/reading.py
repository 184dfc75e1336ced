"""Reading a model file: everything is checked, nothing is run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from treekit.combining import Combination, schema_of_tree
from treekit.model_file import combination, values
from treekit.model_file.checks import (
    check_schema,
    check_tree,
    check_weights,
    seed_checked,
    versions_checked,
)
from treekit.model_file.extras import (
    EXTRAS,
    check_extras,
    leaf_models_of,
    read_extras,
    surrogates_of,
)
from treekit.model_file.layout import (
    ARRAYS,
    FORMAT,
    VERSION,
    Parts,
    Stored,
    checksum,
    restored,
    widths,
)
from treekit.model_file.values import Place
from treekit.model_file.writing import document_head, plain
from treekit.table.record import KINDS, Column, Schema

KEYS = ("format", "version", "versions", "seed", "recipe", "schema", "tree_weights", "trees")
INTEGERS = ("children", "rows", "reason", "kind", "column", "unknown", "operand_count")


def read(path: str | os.PathLike[str]) -> Parts:
    """A model's fields, from its file."""
    place = Place(os.fspath(path))
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise place.error(f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise place.error(f"cannot be read: {error}") from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise place.error(
            f"byte {error.start} is not UTF-8 text", "a treekit model is a JSON file"
        ) from None
    return parse(text, place.file)


def parse(text: str, file: str = "model") -> Parts:
    """A model's fields, from the text of its file."""
    place = Place(file)
    try:
        instead = "the file is damaged or is no treekit model"
        return _parts(values.json_value(text, place, instead), place)
    except RecursionError:
        raise place.error("is nested too deeply to be a model") from None


def _parts(content: Any, place: Place) -> Parts:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise place.error(f'is not a treekit model: it has no "format": "{FORMAT}"')
    _check_version(content, place)
    found = values.members(content, place, KEYS, ("combination", "facts", "checksum"))
    schema = schema_of(found["schema"], place.key("schema"))
    recipe = number_words(values.mapping(found["recipe"], place.key("recipe")))
    plain(recipe, place.key("recipe"))
    versions = versions_checked(found["versions"], place.key("versions"))
    documents = values.items(found["trees"], place.key("trees"))
    if not documents:
        raise place.key("trees").error("must hold at least one tree")
    here = place.key("tree_weights")
    weights = values.floats(found["tree_weights"], here)
    check_weights(weights, len(documents), here)
    how = Combination(tuple(weights.tolist()))
    here = place.key("combination")
    if "combination" in found:
        how = combination.parsed(found["combination"], how.weights, here)
    combination.check(how, schema, here)
    trees = [
        _tree(document, schema_of_tree(schema, how.outputs, i), place.key("trees").at(i))
        for i, document in enumerate(documents)
    ]
    parts: Parts = {
        "schema": schema,
        "trees": tuple(restored(tree, surrogates_of(tree)) for tree in trees),
        "answers": tuple(tree.answers for tree in trees),
        "tree_weights": how.weights,
        "recipe": recipe,
        "versions": versions,
        "seed": seed_checked(found["seed"], place.key("seed")),
        "leaf_models": tuple(
            leaf_models_of(tree, schema_of_tree(schema, how.outputs, i))
            for i, tree in enumerate(trees)
        ),
        "rule": how.rule,
        "base": how.base,
        "outputs": how.outputs,
        "facts": combination.facts_checked(found.get("facts", {}), place.key("facts")),
    }
    if "checksum" in found:
        here = place.key("checksum")
        head = document_head(parts, here)
        _check_sum(found["checksum"], {k: v for k, v in head.items() if k in found}, trees, here)
    return parts


def _check_version(content: dict[str, Any], place: Place) -> None:
    version = content.get("version")
    if type(version) is not int or version < 1:
        raise place.key("version").error(f"must be an integer from 1, got {values.shown(version)}")
    if version > VERSION:
        versions = content.get("versions")
        writer = versions.get("treekit") if isinstance(versions, dict) else None
        by = f"treekit {writer}" if isinstance(writer, str) else "a newer treekit"
        raise place.key("version").error(
            f"format {values.shown(version)}, written by {by}, is newer than this treekit,"
            f" which reads up to format {VERSION}",
            "update treekit",
        )


def _check_sum(found: Any, head: dict[str, Any], trees: list[Stored], place: Place) -> None:
    if values.text(found, place) != checksum(head, trees):
        raise place.error(
            "does not match the model: the file was changed after it was written",
            'if the change was meant, delete the "checksum" line',
        )


def schema_of(value: Any, place: Place) -> Schema:
    """A schema, from its document."""
    found = values.members(value, place, ("columns", "target"))
    here = place.key("columns")
    columns = tuple(
        _column(entry, here.at(i)) for i, entry in enumerate(values.items(found["columns"], here))
    )
    schema = Schema(columns, _column(found["target"], place.key("target")))
    check_schema(schema, place)
    return schema


def _column(value: Any, place: Place) -> Column:
    found = values.members(value, place, ("name", "kind"), ("levels",))
    name = values.text(found["name"], place.key("name"))
    kind = found["kind"]
    if kind not in KINDS:
        wanted = ", ".join(KINDS)
        raise place.key("kind").error(f"must be one of {wanted}, got {values.shown(kind)}")
    if kind != "numeric" and "levels" not in found:
        raise place.error('the key "levels" is missing')
    return Column(name, kind, values.texts(found.get("levels", []), place.key("levels")))


def _tree(value: Any, schema: Schema, place: Place) -> Stored:
    found = values.members(value, place, ("centre", "reasons", *ARRAYS), EXTRAS)
    arrays: dict[str, Any] = {}
    for name in ARRAYS:
        here = place.key(name)
        if name in INTEGERS:
            arrays[name] = values.integers(found[name], here)
        else:
            arrays[name] = values.floats(found[name], here, null=name == "score")
    n_nodes = len(arrays["children"])
    for name, width in widths(schema).items():
        # A list of another length stays flat: the checks say how long it should be.
        if arrays[name].size == n_nodes * width:
            arrays[name] = arrays[name].reshape(n_nodes, width)
    tree = Stored(
        centre=values.number(found["centre"], place.key("centre")),
        reasons=values.texts(found["reasons"], place.key("reasons")),
        **arrays,
        extras=read_extras(found, place),
    )
    check_tree(tree, schema, place)
    check_extras(tree, schema, place)
    return tree


def number_words(value: Any) -> Any:
    """The inverse of `plain`."""
    if isinstance(value, list):
        return [number_words(entry) for entry in value]
    if isinstance(value, dict):
        if set(value) == {"$float"} and value["$float"] in ("inf", "-inf", "nan"):
            return float(value["$float"])
        return {key: number_words(entry) for key, entry in value.items()}
    return value
