"""Is this a tree that can be walked? What is written and what is read pass the same checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treekit.model_file.layout import Stored, first_children, widths
from treekit.model_file.sums import check_sum_counts, check_sums
from treekit.model_file.values import Place, mapping, shown, text, texts
from treekit.table.record import Column, Floats, Ints, Schema
from treekit.tree import CUTS, LEVELS, LINEAR, NOWHERE, REFUSE, SPREAD

MOST_NODES = np.iinfo(np.int32).max

# Kinds of tests: the number, the columns that it cannot be asked of, and its name.
Rules = Sequence[tuple[int, str, str]]


def check_schema(schema: Schema, place: Place) -> None:
    names: set[str] = set()
    for i, column in enumerate(schema.columns):
        here = place.key("columns").at(i)
        _check_column(column, here)
        if column.name in names:
            raise here.key("name").error(f"a second column is named {column.name!r}")
        names.add(column.name)
    target = place.key("target")
    _check_column(schema.target, target)
    if schema.target.name in names:
        raise target.key("name").error(f"a column is named {schema.target.name!r} too")
    if schema.task == "classification" and not schema.classes:
        raise target.key("levels").error("must name at least one class")


def seed_checked(seed: Any, place: Place) -> int:
    """A whole number from 0."""
    if type(seed) is not int or seed < 0:
        raise place.error(f"must be a whole number from 0, got {shown(seed)}")
    return seed


def versions_checked(versions: Any, place: Place) -> dict[str, str]:
    return {
        text(name, place): text(version, place.key(name))
        for name, version in mapping(versions, place).items()
    }


def check_weights(weights: Floats, n_trees: int, place: Place) -> None:
    check_length(weights, place, n_trees, "tree")
    place.unless(np.isfinite(weights) & (weights >= 0), weights, "must be finite and not negative")


def _check_column(column: Column, place: Place) -> None:
    text(column.name, place.key("name"))
    texts(list(column.levels), place.key("levels"))
    if column.is_numeric and column.levels:
        raise place.key("levels").error("a numeric column has none")
    if len(set(column.levels)) < len(column.levels):
        seen: set[str] = set()
        for i, level in enumerate(column.levels):
            if level in seen:
                raise place.key("levels").at(i).error(f"the level {level!r} stands here again")
            seen.add(level)


def check_tree(tree: Stored, schema: Schema, place: Place) -> None:
    """Every rule of `treekit.tree.Tree`, and that the tests fit the schema."""
    texts(list(tree.reasons), place.key("reasons"))
    _check_finite(tree, place)
    _check_shape(tree, place)
    _check_nodes(tree, schema, place)
    _check_tests(tree, schema, place)
    _check_operands(tree, schema, place)


def _check_finite(tree: Stored, place: Place) -> None:
    if not np.isfinite(tree.centre):
        raise place.key("centre").error(f"must be a finite number, got {tree.centre}")
    for name in ("stats", "answers", "operands"):
        values = getattr(tree, name).ravel()
        place.key(name).unless(np.isfinite(values), values, "must be a finite number")
    place.key("score").unless(~np.isinf(tree.score), tree.score, "must be a finite number or null")


def _check_shape(tree: Stored, place: Place) -> None:
    children, here = tree.children, place.key("children")
    n_nodes = len(children)
    if not 1 <= n_nodes <= MOST_NODES:
        raise here.error(f"must have 1 to {MOST_NODES} entries, has {n_nodes}")
    good = (children >= 0) & (children < n_nodes)
    here.unless(good, children, f"must be from 0 to {n_nodes - 1}, as there are {n_nodes} nodes")
    # An empty node list before node i means that nothing leads to it: also what stops a cycle.
    lost = first_children(children) <= np.arange(n_nodes)
    if lost.any():
        raise here.error(f"node {int(lost.argmax())} is no node's child")
    if children.sum() != n_nodes - 1:
        raise here.error(
            f"the nodes have {children.sum()} children between them,"
            f" but there are {n_nodes - 1} nodes beside the root"
        )


def _check_nodes(tree: Stored, schema: Schema, place: Place) -> None:
    n_nodes, n_leaves = len(tree.children), int((tree.children == 0).sum())
    for name, width in widths(schema).items():
        found, wanted = getattr(tree, name).size, n_nodes * width
        if found != wanted:
            raise place.key(name).error(
                f"must have {wanted} entries, {width} for each of {n_nodes} nodes, has {found}"
            )
    check_length(tree.rows, place.key("rows"), n_nodes, "node")
    place.key("rows").unless(tree.rows >= 0, tree.rows, "must not be negative")
    weight = tree.stats[:, 0]
    if (weight < 0).any():
        node = int((weight < 0).argmax())
        index = node * tree.stats.shape[1]
        raise (
            place.key("stats")
            .at(index)
            .error(f"the weight of node {node} must not be negative, got {weight[node]:g}")
        )
    if schema.task == "classification":
        answers = tree.answers.ravel()
        place.key("answers").unless(answers >= 0, answers, "a class share must not be negative")
    check_length(tree.reason, place.key("reason"), n_leaves, "leaf")
    known = len(tree.reasons)
    place.key("reason").unless(
        (tree.reason >= -1) & (tree.reason < known),
        tree.reason,
        f"must be -1 or the number of one of the {known} reasons",
    )


def _check_tests(tree: Stored, schema: Schema, place: Place) -> None:
    inner = np.flatnonzero(tree.children)
    children = tree.children[inner]
    for name in ("kind", "column", "unknown", "score", "operand_count"):
        check_length(getattr(tree, name), place.key(name), len(inner), "inner node")
    check_columns(tree.column, schema, place.key("column"))
    rules = ((CUTS, "nominal", "cuts"), (LEVELS, "numeric", "levels"), (LINEAR, "nominal", "a sum"))
    check_kinds(tree.kind, tree.column, schema, rules, place.key("kind"))
    unknown = tree.unknown
    place.key("unknown").unless(
        (unknown >= REFUSE) & (unknown < children),
        unknown,
        f"must be the number of a branch of the node, or {REFUSE} to {SPREAD}",
    )
    # Spread rows are shared out by weight, so there must be a weight to divide by.
    _check_spread(tree, inner, place)


def _check_spread(tree: Stored, inner: Ints, place: Place) -> None:
    weight = tree.stats[:, 0]
    weightless = (tree.unknown == SPREAD) & (weight[inner] == 0)
    if not weightless.any():
        return
    first = first_children(tree.children)
    for i in np.flatnonzero(weightless):
        node = int(inner[i])
        if weight[first[node] : first[node] + tree.children[node]].any():
            raise (
                place.key("unknown")
                .at(int(i))
                .error(
                    f"node {node} shares rows over its branches by weight, but has no weight itself"
                )
            )


def _check_operands(tree: Stored, schema: Schema, place: Place) -> None:
    counts, here = tree.operand_count, place.key("operand_count")
    children = tree.children[tree.children > 0]
    cuts, sums = tree.kind == CUTS, tree.kind == LINEAR
    n_levels = np.array([len(c.levels) for c in schema.columns] or [0])[tree.column]
    here.unless(
        ~cuts | ((counts >= 0) & (counts < children)),
        counts,
        "cuts must be fewer than the branches of the node",
    )
    check_sum_counts(tree, children, place)
    bad = (tree.kind == LEVELS) & (counts != n_levels)
    if bad.any():
        i = int(bad.argmax())
        name = schema.columns[int(tree.column[i])].name
        raise here.at(i).error(
            f"must be {n_levels[i]}, one for each level of column {name!r}, got {counts[i]}"
        )
    if len(tree.operands) != counts.sum():
        raise place.key("operands").error(
            f"must have {counts.sum()} entries, as operand_count tells, has {len(tree.operands)}"
        )
    owner = np.repeat(np.arange(len(counts)), counts)
    values, here = tree.operands, place.key("operands")
    follows = (owner[1:] == owner[:-1]) & cuts[owner[1:]]
    ascending = np.ones(len(values), bool)
    ascending[1:] = ~follows | (values[1:] > values[:-1])
    here.unless(ascending, values, "the cuts of a test must ascend")
    branch = (
        cuts[owner]
        | sums[owner]
        | ((values == np.floor(values)) & (values >= NOWHERE) & (values < children[owner]))
    )
    here.unless(branch, values, f"must be the number of a branch of the node, or {NOWHERE}")
    check_sums(tree, schema, place)


def check_columns(column: Ints, schema: Schema, place: Place) -> None:
    n_columns = len(schema.columns)
    good = (column >= 0) & (column < n_columns)
    place.unless(good, column, f"must be the number of one of the {n_columns} columns")


def check_kinds(
    kind: Ints, column: Ints, schema: Schema, rules: Rules, place: Place, what: str = "test"
) -> None:
    wanted = " or ".join(f"{code} ({words})" for code, _, words in rules)
    place.unless(np.isin(kind, [code for code, *_ in rules]), kind, f"must be {wanted}")
    for code, wrong_for, words in rules:
        wrong = np.array([c.kind == wrong_for for c in schema.columns], bool)
        bad = (kind == code) & wrong[column] if len(column) else np.zeros(0, bool)
        if bad.any():
            i = int(bad.argmax())
            name = schema.columns[int(column[i])].name
            raise place.at(i).error(
                f"a {what} of {words} cannot be asked of the {wrong_for} column {name!r}"
            )


def check_parts(counts: Ints, total: int, place: Place, what: str) -> None:
    """The counts divide `total` entries among them."""
    place.unless((counts >= 0) & (counts <= total), counts, f"must be from 0 to {total}")
    if counts.sum() != total:
        raise place.error(f"the nodes have {counts.sum()} {what} between them, there are {total}")


def check_length(values: object, place: Place, wanted: int, each: str) -> None:
    found = len(values)  # type: ignore[arg-type]
    if found != wanted:
        raise place.error(f"must have {wanted} entries, one for each {each}, has {found}")
