"""The training rows of leaves in a model file."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from treekit.leaf_models import Neighbours
from treekit.model_file import values
from treekit.model_file.checks import check_length, check_parts
from treekit.model_file.layout import Extra, Stored, starts
from treekit.model_file.values import Place, shown
from treekit.table.record import Column, Floats, Schema
from treekit.tree import STAY

INFINITY: Final = "inf"


def _norm(value: Any, place: Place) -> float | str:
    return INFINITY if value == INFINITY else values.number(value, place)


WORDS: Final = {"k": values.integer, "p": _norm}
LISTS: Final = ("centre", "scale", "cells", "target", "row_count", "row", "weight")
INTEGERS: Final = ("row_count", "row")
NULLS: Final = ("cells",)


def stored(models: Neighbours) -> Extra:
    return Extra(
        {"k": models.k, "p": INFINITY if models.p == math.inf else float(models.p)},
        {
            "centre": np.asarray(models.centre, np.float64),
            "scale": np.asarray(models.scale, np.float64),
            # There is one NaN in a file, null, whatever bits the cell's had.
            "cells": np.where(np.isnan(models.cells), np.nan, models.cells).ravel(),
            "target": np.asarray(models.target, np.float64),
            "row_count": np.diff(models.first).astype(np.int64),
            "row": models.row.astype(np.int64),
            "weight": np.asarray(models.weight, np.float64),
        },
    )


def restored(kept: Extra, schema: Schema) -> Neighbours:
    arrays = kept.arrays
    return Neighbours(
        k=kept.words["k"],
        p=float(kept.words["p"]),
        n_classes=len(schema.classes),
        nominal=np.array([column.kind == "nominal" for column in schema.columns], bool),
        centre=arrays["centre"],
        scale=arrays["scale"],
        cells=arrays["cells"].reshape(len(schema.columns), len(arrays["target"])),
        target=arrays["target"],
        first=starts(arrays["row_count"]),
        row=arrays["row"],
        weight=arrays["weight"],
    )


def check(kept: Extra, tree: Stored, schema: Schema, place: Place) -> None:
    """Every rule of `treekit.leaf_models.Neighbours`, and that the rows fit the schema."""
    arrays, k, p = kept.arrays, kept.words["k"], kept.words["p"]
    if type(k) is not int or k < 1:
        raise place.key("k").error(f"must be a whole number from 1 on, got {shown(k)}")
    if p != INFINITY and not float(p) >= 1.0:
        what = f'must be a number from 1 on, or "{INFINITY}", got {shown(p)}'
        raise place.key("p").error(what, "below 1 it is no norm")
    for name in ("centre", "scale", "target", "weight"):
        place.key(name).unless(np.isfinite(arrays[name]), arrays[name], "must be a finite number")
    for name in ("centre", "scale"):
        check_length(arrays[name], place.key(name), len(schema.columns), "column")
    for name in ("scale", "weight"):
        place.key(name).unless(arrays[name] > 0.0, arrays[name], "must be more than 0")
    _check_rows(arrays["cells"], arrays["target"], schema, place)
    count, row, n_rows = arrays["row_count"], arrays["row"], len(arrays["target"])
    check_length(count, place.key("row_count"), len(tree.children), "node")
    check_parts(count, len(row), place.key("row_count"), "rows")
    good = (row >= 0) & (row < n_rows)
    place.key("row").unless(good, row, f"must be the number of one of the {n_rows} rows")
    check_length(arrays["weight"], place.key("weight"), len(row), "row of a node")
    answers = tree.children == 0
    answers[tree.children > 0] = tree.unknown == STAY
    place.key("row_count").unless(
        ~answers | (count > 0), count, "a node at which rows may end must have rows"
    )


def _check_rows(cells: Floats, target: Floats, schema: Schema, place: Place) -> None:
    wanted = len(schema.columns) * len(target)
    if len(cells) != wanted:
        raise place.key("cells").error(
            f"must have {wanted} entries, one for each of {len(target)} rows in each of"
            f" {len(schema.columns)} columns, has {len(cells)}"
        )
    of_column = np.repeat([_n_levels(column) for column in schema.columns], len(target))
    good = np.isnan(cells) | _is_code(cells, of_column)
    place.key("cells").unless(
        good, cells, "must be null, a finite number, or the number of a level of the column"
    )
    good = _is_code(target, np.full(len(target), _n_levels(schema.target)))
    place.key("target").unless(good, target, "must be the number of a class")


def _n_levels(column: Column) -> float:
    return math.inf if column.is_numeric else len(column.levels)


def _is_code(entries: Floats, n_levels: Floats) -> Any:
    """Is an entry the number of one of so many levels? Infinitely many: is it finite?"""
    level = (entries == np.floor(entries)) & (entries >= 0.0) & (entries < n_levels)
    return np.where(np.isinf(n_levels), np.isfinite(entries), level)
