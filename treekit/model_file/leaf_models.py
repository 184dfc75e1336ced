"""Additive leaf models in a model file."""

from __future__ import annotations

from typing import Final, cast

import numpy as np

from treekit.leaf_models import LINKS, MOST_POWERS, POWERS, Additive, Link
from treekit.model_file.checks import check_columns, check_kinds, check_length, check_parts
from treekit.model_file.layout import Extra, starts, widths
from treekit.model_file.values import Place, shown, text
from treekit.table.record import Schema
from treekit.tree import LEVELS

WORDS: Final = {"link": text}
LISTS: Final = (
    "constant",
    "term_count",
    "column",
    "kind",
    "centre",
    "coefficient_count",
    "coefficients",
)
INTEGERS: Final = ("term_count", "column", "kind", "coefficient_count")
NULLS: Final[tuple[str, ...]] = ()

_LINK_OF: Final[dict[str, Link]] = {"regression": "identity", "classification": "softmax"}


def stored(models: Additive) -> Extra:
    return Extra(
        {"link": models.link},
        {
            "constant": np.asarray(models.constant, np.float64).ravel(),
            "term_count": np.diff(models.first).astype(np.int64),
            "column": models.column.astype(np.int64),
            "kind": models.kind.astype(np.int64),
            "centre": np.asarray(models.centre, np.float64),
            "coefficient_count": np.diff(models.start).astype(np.int64),
            "coefficients": np.asarray(models.coefficients, np.float64).ravel(),
        },
    )


def restored(kept: Extra, schema: Schema) -> Additive:
    arrays, width = kept.arrays, widths(schema)["answers"]
    return Additive(
        link=cast(Link, kept.words["link"]),
        constant=arrays["constant"].reshape(-1, width),
        first=starts(arrays["term_count"]),
        column=arrays["column"].astype(np.int32),
        kind=arrays["kind"].astype(np.int8),
        centre=arrays["centre"],
        start=starts(arrays["coefficient_count"]),
        coefficients=arrays["coefficients"].reshape(-1, width),
    )


def check(kept: Extra, n_nodes: int, schema: Schema, place: Place) -> None:
    """Every rule of `treekit.leaf_models.Additive`, and that the terms fit the schema."""
    link, wanted = kept.words["link"], _LINK_OF[schema.task]
    if link != wanted:
        instead = f"{wanted!r} goes with {schema.task}" if link in LINKS else ""
        raise place.key("link").error(f"must be {shown(wanted)}, got {shown(link)}", instead)
    arrays, width = kept.arrays, widths(schema)["answers"]
    for name in ("constant", "centre", "coefficients"):
        place.key(name).unless(np.isfinite(arrays[name]), arrays[name], "must be a finite number")
    column, kind, count = arrays["column"], arrays["kind"], arrays["coefficient_count"]
    check_length(arrays["term_count"], place.key("term_count"), n_nodes, "node")
    check_parts(arrays["term_count"], len(column), place.key("term_count"), "terms")
    for name in ("kind", "centre", "coefficient_count"):
        check_length(arrays[name], place.key(name), len(column), "term")
    check_columns(column, schema, place.key("column"))
    rules = ((POWERS, "nominal", "powers"), (LEVELS, "numeric", "levels"))
    check_kinds(kind, column, schema, rules, place.key("kind"), "term")
    n_levels = np.array([len(c.levels) for c in schema.columns] or [0])[column]
    place.key("coefficient_count").unless(
        np.where(kind == LEVELS, count == n_levels, (count >= 1) & (count <= MOST_POWERS)),
        count,
        f"must be 1 to {MOST_POWERS}, or of levels one for each level of the column",
    )
    for name, rows in (("constant", n_nodes), ("coefficients", int(count.sum()))):
        if len(arrays[name]) != rows * width:
            raise place.key(name).error(
                f"must have {rows * width} entries, {width} for each of {rows},"
                f" has {len(arrays[name])}"
            )
