"""Surrogate tests in a model file."""

from __future__ import annotations

from typing import Final

import numpy as np

from treekit.model_file.checks import check_columns, check_kinds, check_length, check_parts
from treekit.model_file.layout import Extra, starts
from treekit.model_file.values import Place, text
from treekit.table.record import Ints, Schema
from treekit.tree import CUTS, LEVELS, NOWHERE, Surrogates, Tree

WORDS: Final = {"use": text}
USES: Final = {True: "asked", False: "shown"}
LISTS: Final = (
    "count",
    "column",
    "kind",
    "operand_count",
    "operands",
    "flipped",
    "agreement",
    "adjusted",
)
INTEGERS: Final = ("count", "column", "kind", "operand_count", "flipped")
NULLS: Final[tuple[str, ...]] = ()

BRANCHES: Final = 2


def stored(tree: Tree, surrogates: Surrogates) -> Extra:
    inner = tree.n_children > 0
    return Extra(
        {"use": USES[surrogates.asked]},
        {
            "count": np.diff(surrogates.first)[inner].astype(np.int64),
            "column": surrogates.column.astype(np.int64),
            "kind": surrogates.kind.astype(np.int64),
            "operand_count": np.diff(surrogates.start).astype(np.int64),
            "operands": np.asarray(surrogates.operands, np.float64),
            "flipped": surrogates.flipped.astype(np.int64),
            "agreement": np.asarray(surrogates.agreement, np.float64),
            "adjusted": np.asarray(surrogates.adjusted, np.float64),
        },
    )


def restored(kept: Extra, children: Ints) -> Surrogates:
    arrays = kept.arrays
    count = np.zeros(len(children), np.int64)
    count[children > 0] = arrays["count"]
    return Surrogates(
        first=starts(count),
        column=arrays["column"].astype(np.int32),
        kind=arrays["kind"].astype(np.int8),
        start=starts(arrays["operand_count"]),
        operands=arrays["operands"],
        flipped=arrays["flipped"].astype(bool),
        agreement=arrays["agreement"],
        adjusted=arrays["adjusted"],
        asked=kept.words["use"] == USES[True],
    )


def check(kept: Extra, children: Ints, schema: Schema, place: Place) -> None:
    """Every rule of `treekit.tree.Surrogates`, and that the tests fit the schema."""
    arrays = kept.arrays
    if kept.words["use"] not in USES.values():
        raise place.key("use").error(f"must be one of {', '.join(USES.values())}")
    count, column, kind = arrays["count"], arrays["column"], arrays["kind"]
    for name in ("operands", "agreement", "adjusted"):
        place.key(name).unless(np.isfinite(arrays[name]), arrays[name], "must be a finite number")
    check_length(count, place.key("count"), int((children > 0).sum()), "inner node")
    check_parts(count, len(column), place.key("count"), "surrogates")
    place.key("count").unless(
        (count == 0) | (children[children > 0] == BRANCHES),
        count,
        f"only a node of {BRANCHES} branches has surrogates",
    )
    for name in ("kind", "operand_count", "flipped", "agreement", "adjusted"):
        check_length(arrays[name], place.key(name), len(column), "surrogate")
    check_columns(column, schema, place.key("column"))
    rules = ((CUTS, "nominal", "cuts"), (LEVELS, "numeric", "levels"))
    check_kinds(kind, column, schema, rules, place.key("kind"))
    flipped = arrays["flipped"]
    place.key("flipped").unless((flipped == 0) | (flipped == 1), flipped, "must be 0 or 1")
    agreement, adjusted = arrays["agreement"], arrays["adjusted"]
    shares = (agreement >= 0) & (agreement <= 1)
    place.key("agreement").unless(shares, agreement, "must be from 0 to 1")
    place.key("adjusted").unless(adjusted <= 1, adjusted, "must be at most 1")
    _check_operands(arrays["operand_count"], arrays["operands"], column, kind, schema, place)


def _check_operands(
    count: Ints, operands: Ints, column: Ints, kind: Ints, schema: Schema, place: Place
) -> None:
    n_levels = np.array([len(c.levels) for c in schema.columns] or [0])[column]
    place.key("operand_count").unless(
        count == np.where(kind == CUTS, BRANCHES - 1, n_levels),
        count,
        "must be 1 of cuts, of levels one for each level of the column",
    )
    if len(operands) != count.sum():
        raise place.key("operands").error(
            f"must have {count.sum()} entries, as operand_count tells, has {len(operands)}"
        )
    levels = np.repeat(kind == LEVELS, count)
    place.key("operands").unless(
        ~levels | np.isin(operands, (NOWHERE, 0, 1)), operands, f"must be 0, 1 or {NOWHERE}"
    )
