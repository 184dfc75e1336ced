"""Is a test of several columns one that can be asked? See `treekit.linear` for what it holds."""

from __future__ import annotations

import numpy as np

from treekit.model_file.layout import Stored, starts
from treekit.model_file.values import Place
from treekit.table.record import Ints, Schema
from treekit.tree import LINEAR, TERM


def check_sum_counts(tree: Stored, children: Ints, place: Place) -> None:
    """Of LINEAR tests: two branches, a threshold, and three numbers for each column."""
    sums, counts = tree.kind == LINEAR, tree.operand_count
    place.key("operand_count").unless(
        ~sums | ((counts > TERM) & (counts % TERM == 1)),
        counts,
        f"a sum must have 1 number and {TERM} for each of its columns",
    )
    place.key("kind").unless(~sums | (children >= 2), tree.kind, "a sum must have two branches")


def check_sums(tree: Stored, schema: Schema, place: Place) -> None:
    """Of LINEAR tests: columns that can be added, each once, that of the node first."""
    begin, here = starts(tree.operand_count), place.key("operands")
    can_add = np.array([column.kind != "nominal" for column in schema.columns], bool)
    n_columns = len(schema.columns)
    for i in np.flatnonzero(tree.kind == LINEAR).tolist():
        seen: set[int] = set()
        for at in range(int(begin[i]) + 1, int(begin[i + 1]), TERM):
            column, coefficient, spread = tree.operands[at : at + TERM].tolist()
            if not (column.is_integer() and 0 <= column < n_columns):
                what = f"must be the number of one of the {n_columns} columns, got {column:g}"
                raise here.at(at).error(what)
            name = schema.columns[int(column)].name
            if not can_add[int(column)]:
                raise here.at(at).error(f"a sum cannot be asked of the nominal column {name!r}")
            if int(column) in seen:
                raise here.at(at).error(f"column {name!r} stands in the sum again")
            if not seen and column != tree.column[i]:
                what = f"must be {tree.column[i]}, the column of the node, got {column:g}"
                raise here.at(at).error(what)
            if coefficient == 0.0:
                raise here.at(at + 1).error(f"the coefficient of column {name!r} must not be 0")
            if spread < 0.0:
                raise here.at(at + 2).error(f"a spread must not be negative, got {spread:g}")
            seen.add(int(column))
