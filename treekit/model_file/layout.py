"""What a model file holds, as arrays: a Tree without what follows from the rest of it."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final, TypedDict

import numpy as np
from attrs import field, frozen

from treekit.leaf_models import LeafModels
from treekit.offers import Rule
from treekit.table.record import Bools, Column, Floats, Ints, Schema
from treekit.tree import LEAF, STAY, Int64s, Surrogates, Tree

FORMAT: Final = "treekit model"
VERSION: Final = 3


class Parts(TypedDict):
    """A model's fields."""

    schema: Schema
    trees: tuple[Tree, ...]
    answers: tuple[Floats, ...]
    tree_weights: tuple[float, ...]
    recipe: dict[str, Any]
    versions: dict[str, str]
    seed: int
    leaf_models: tuple[LeafModels | None, ...]
    rule: Rule
    base: tuple[float, ...]
    outputs: tuple[int, ...]
    facts: dict[str, float]


@frozen(eq=False)
class Extra:
    """What not every tree has, by name: words (or single numbers) and lists."""

    words: dict[str, Any]
    arrays: dict[str, Any]


@frozen(eq=False)
class Stored:
    """A tree and its answers as the file holds them: entries per node, per leaf or per test.

    The `extras` are `leaf_models` or `neighbours`, and `surrogates`, where there are any.
    """

    centre: float
    reasons: tuple[str, ...]
    children: Ints
    rows: Ints
    stats: Floats
    answers: Floats
    reason: Ints
    kind: Ints
    column: Ints
    unknown: Ints
    score: Floats
    operand_count: Ints
    operands: Floats
    extras: dict[str, Extra] = field(factory=dict)


# The order in which the file writes and the checksum reads them.
ARRAYS: Final = (
    "children",
    "rows",
    "stats",
    "answers",
    "reason",
    "kind",
    "column",
    "unknown",
    "score",
    "operand_count",
    "operands",
)


def widths(schema: Schema) -> dict[str, int]:
    """How many numbers a node has of those that are not one per node."""
    if schema.task == "regression":
        return {"stats": 3, "answers": 1}
    return {"stats": 1 + len(schema.classes), "answers": len(schema.classes)}


def first_children(children: Ints) -> Ints:
    """Level order, siblings side by side: a node's children follow those of the nodes before it."""
    return np.asarray(1 + np.cumsum(children) - children)


def starts(counts: Ints) -> Int64s:
    """Where each part begins when they come end to end, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def stored(tree: Tree, answers: Floats, extras: dict[str, Extra]) -> Stored:
    inner = tree.kind != LEAF
    return Stored(
        centre=float(tree.centre),
        reasons=tuple(tree.reasons),
        children=tree.n_children.astype(np.int64),
        rows=tree.rows.astype(np.int64),
        stats=np.asarray(tree.stats, np.float64),
        answers=np.asarray(answers, np.float64),
        reason=tree.reason[~inner].astype(np.int64),
        kind=tree.kind[inner].astype(np.int64),
        column=tree.column[inner].astype(np.int64),
        unknown=tree.unknown[inner].astype(np.int64),
        # There is one NaN in a file, null, whatever bits the score's had.
        score=np.where(np.isnan(tree.score[inner]), np.nan, tree.score[inner]),
        operand_count=np.diff(tree.start)[inner].astype(np.int64),
        operands=np.asarray(tree.operands, np.float64),
        extras=extras,
    )


def restored(kept: Stored, surrogates: Surrogates | None) -> Tree:
    inner = kept.children > 0

    def spread(values: Ints | Floats, at: Bools, otherwise: float, dtype: Any) -> Any:
        out = np.full(len(inner), otherwise, dtype)
        out[at] = values
        return out

    start = np.zeros(len(inner) + 1, np.int64)
    np.cumsum(spread(kept.operand_count, inner, 0, np.int64), out=start[1:])
    return Tree(
        kind=spread(kept.kind, inner, LEAF, np.int8),
        column=spread(kept.column, inner, -1, np.int32),
        first_child=np.where(inner, first_children(kept.children), 0).astype(np.int32),
        n_children=kept.children.astype(np.int32),
        start=start,
        operands=kept.operands,
        unknown=spread(kept.unknown, inner, STAY, np.int32),
        stats=kept.stats,
        rows=kept.rows,
        score=spread(kept.score, inner, np.nan, np.float64),
        reason=spread(kept.reason, ~inner, -1, np.int32),
        reasons=kept.reasons,
        centre=kept.centre,
        surrogates=surrogates,
    )


def column_document(column: Column) -> dict[str, Any]:
    document: dict[str, Any] = {"name": column.name, "kind": column.kind}
    return document if column.is_numeric else document | {"levels": list(column.levels)}


def schema_document(schema: Schema) -> dict[str, Any]:
    return {
        "columns": [column_document(column) for column in schema.columns],
        "target": column_document(schema.target),
    }


def _bytes(array: Ints | Floats) -> Any:
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<")).data


def checksum(head: dict[str, Any], trees: list[Stored]) -> str:
    """Of what is said, not how it is spelled: `head` is the document without trees."""
    digest = hashlib.sha256(json.dumps(head, sort_keys=True).encode())
    for tree in trees:
        said = [tree.centre.hex(), tree.reasons, [getattr(tree, n).size for n in ARRAYS]]
        digest.update(json.dumps(said).encode())
        for name in ARRAYS:
            digest.update(_bytes(getattr(tree, name)))
        for name, extra in tree.extras.items():
            told = [name, extra.words, {n: array.size for n, array in extra.arrays.items()}]
            digest.update(json.dumps(told).encode())
            for array in extra.arrays.values():
                digest.update(_bytes(array))
    return "sha256 " + digest.hexdigest()
