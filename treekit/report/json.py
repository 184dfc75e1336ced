"""A tree as nested JSON, for other programs to read; a node on each line.

    {"task": ..., "target": ..., "classes": [...], "root": NODE}
    {"task": ..., "target": ..., "classes": [...], "trees": [{"weight": ..., "root": NODE}, ...]}

Of one of several trees alone, "tree" is its number, counted from 1, and "weight" its weight.
Where trees predict other than the model, the scores of classes, each has a "target" of its own.

NODE     {"label", "weight", "counts"} or, of a number, {"label", "weight", "mean", "variance"};
         an inner node also has "test" and "children"
"test"   {"column", "kind", "cut"}: a value <= cut goes to the first child; or "cuts", ascending;
         or "branches": for each child the levels that go to it. Where one child is for unknown
         values only, "unknown" is its position. Of several columns: {"kind": "linear", "terms":
         [{"column", "coefficient", "spread"}, ...], "cut"}: a row whose sum of coefficient x value
         is <= cut goes to the first child; an ordinal level counts by its place, from 0.

A leaf whose answer depends on the row has "model" {"link", "constant", "terms": [TERM, ...]}; the
answer is the constant and what each column with a known value adds (`treekit.leaf_models` says
more). Where training rows answer it is {"nearest", "p", "rows"}: how many of how many rows of the
leaf, by which p-norm. A node with surrogates has "surrogates", each told as a test is.

TERM     {"column", "centre", "coefficients"}: of 1, value - centre, and its square; or {"column",
         "levels": {...}}. Of classes, each number is a list of numbers.

A decision graph is {"task", "target", "classes", "tree": {"nodes", "leaves"}, "order", "nodes":
[NODE, ...]}: the first node is the root, and "children" are places in the list; "order" are the
columns in the order that every path keeps to, null if there is none.

All digits are kept. Indentation stops at DEEPEST levels. This is a report: a model that is to be
loaded again is saved with `Model.save`.
"""

from __future__ import annotations

import json as codec
import math
from typing import Any

from treekit.graph import Graph
from treekit.linear import linear_of
from treekit.model import Model
from treekit.report import leaf_model, stand_ins
from treekit.report.view import View, views
from treekit.table.record import Schema
from treekit.tree import LEVELS, LINEAR

DEEPEST = 24


def json(model: Model, only: int | None = None) -> str:
    """The trees of a model, or `only` one of them."""
    head = _head(model.schema if only is None else model.schema_of(only))
    if only is not None and len(model.trees) > 1:
        head |= {"tree": only + 1, "weight": model.tree_weights[only]}
    out = [f"{_text(head)[:-1]}, "]
    if len(model.trees) == 1 or only is not None:
        out.append('"root":\n')
        _write(next(views(model, only)), out)
    else:
        out.append('"trees": [')
        for i, view in enumerate(views(model)):
            weight = _number(model.tree_weights[i])
            target = f'"target": {_text(view.schema.target.name)}, ' if model.outputs else ""
            out.append(f'{"," if i else ""}\n{{"weight": {weight}, {target}"root":\n')
            _write(view, out)
            out.append("}")
        out.append("]")
    return "".join([*out, "}\n"])


def graph_json(view: View, graph: Graph) -> str:
    """A decision graph."""
    names = [column.name for column in graph.schema.columns]
    head = _head(graph.schema) | {
        "tree": {"nodes": graph.tree.n_nodes, "leaves": graph.tree.n_leaves},
        "order": None if graph.order is None else [names[c] for c in graph.order],
    }
    nodes = []
    for node in view.nodes:
        children = ", ".join(str(view.position(child)) for child in view.children(node))
        nodes.append(_node(view, node) + (f"{children}]}}" if view.kind[node] else "}"))
    body = ",\n ".join(nodes)
    return f'{_text(head)[:-1]}, "nodes": [\n {body}]}}\n'


def _head(schema: Schema) -> dict[str, Any]:
    return {"task": schema.task, "target": schema.target.name, "classes": list(schema.classes)}


def _write(view: View, out: list[str]) -> None:
    if not view.kind[0]:
        out.append(_node(view, 0) + "}")
        return
    out.append(_node(view, 0))
    path = [iter(view.children(0))]
    comma = ""
    while path:
        node = next(path[-1], None)
        if node is None:
            path.pop()
            out.append("]}")
            continue
        out.append(f"{comma}\n{' ' * min(len(path), DEEPEST)}{_node(view, node)}")
        comma = ","
        if view.kind[node]:
            path.append(iter(view.children(node)))
            comma = ""
        else:
            out.append("}")


def _node(view: View, node: int) -> str:
    """A node without the brace that closes it; an inner one up to its first child."""
    if view.is_regression:
        label = _number(float(view.answers[node, 0]))
        mean, variance = _number(view.mean[node]), _number(view.variance[node])
        said = f'"mean": {mean}, "variance": {variance}'
    else:
        label = _text(view.schema.classes[view.class_of[node]])
        said = f'"counts": [{", ".join(map(_number, view.tree.stats[node, 1:].tolist()))}]'
    words = f'{{"label": {label}, "weight": {_number(view.weight[node])}, {said}'
    models = view.leaf_models
    if models is not None and (not view.kind[node] or models.first[node] < models.first[node + 1]):
        words += f', "model": {_text(leaf_model.data_of(models, node, view.schema))}'
    if not view.kind[node]:
        return words
    surrogates = view.tree.surrogates
    if surrogates is not None and surrogates.first[node] < surrogates.first[node + 1]:
        words += f', "surrogates": {_text(stand_ins.data_of(surrogates, node, view.schema))}'
    return f'{words}, "test": {_text(_test(view, node))}, "children": ['


def _test(view: View, node: int) -> dict[str, Any]:
    column = view.column(node)
    test: dict[str, Any] = {"column": column.name, "kind": column.kind}
    if view.kind[node] == LINEAR:
        test = {"kind": "linear", "terms": _terms(view, node)}
    branches = view.branches(node)
    if column.is_numeric and view.kind[node] != LEVELS:
        cuts = view.test_operands(node)
        test |= {"cut": cuts[0]} if len(cuts) == 1 else {"cuts": cuts}
    else:
        levels = column.levels
        test["branches"] = [[levels[level] for level in b.levels or ()] for b in branches]
    alone = [position for position, branch in enumerate(branches) if branch.unknown]
    return test | {"unknown": alone[0]} if alone else test


def _terms(view: View, node: int) -> list[dict[str, Any]]:
    test = linear_of(view.tree.test_operands(node))
    numbers = zip(test.columns, test.coefficients.tolist(), test.spreads.tolist(), strict=True)
    return [
        {"column": view.schema.columns[c].name, "coefficient": coefficient, "spread": spread}
        for c, coefficient, spread in numbers
    ]


def _text(value: Any) -> str:
    return codec.dumps(value, ensure_ascii=False)


def _number(value: float) -> str:
    return repr(value) if math.isfinite(value) else "null"
