"""The law of decision graphs: every row is answered as by the tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import treekit
from treekit.combining import winners
from treekit.errors import DataError
from treekit.graph import By, Graph, graph_answers
from treekit.model import Model
from treekit.route import answers_for
from treekit.table.record import Floats, Table
from treekit.tree import REFUSE, SPREAD, STAY

from ..builtin.naive import random_table
from ..model.any_model import models, tables
from ..model.by_hand import Node, cut, groups, leaf, model_of, schema_of

SCHEMA = schema_of("play: no yes", wind="weak strong still", rain="no yes", temp="")
ANSWERS = [(1.0, 0.0), (0.25, 0.75), (0.4, 0.6), (0.5, 0.5)]


@st.composite
def likenesses(draw: Any) -> Model:
    """Trees of few tests and few answers, so that much of them is alike."""
    unknowns = draw(st.lists(st.sampled_from([REFUSE, SPREAD, STAY, 0, 1]), min_size=1, max_size=2))

    def node(depth: int) -> Node:
        if depth == 0 or draw(st.integers(0, 4)) == 0:
            answer = draw(st.sampled_from(ANSWERS))
            counts = draw(st.sampled_from([(0, 0), (1, 1), (1, 3), (2, 2)]))
            return leaf(*counts, answer=answer)
        which = draw(st.integers(0, 3))
        to = draw(st.sampled_from(unknowns))
        children = [node(depth - 1) for _ in range(2)]
        if which == 3:
            return cut("temp", draw(st.sampled_from([1.0, 2.0])), *children, unknown=to)
        levels = [("weak", "strong"), ("weak", "strong still"), ("no", "yes")][which]
        column = "rain" if which == 2 else "wind"
        return groups(column, dict(zip(levels, children, strict=True)), to)

    return model_of(SCHEMA, node(draw(st.integers(1, 4))))


def every_row() -> Table:
    """All combinations of values, the unknown included."""
    values = np.meshgrid([np.nan, 0, 1, 2], [np.nan, 0, 1], [np.nan, 0.5, 1.5, 2.5])
    return Table(SCHEMA, np.stack([v.ravel() for v in values]).astype(np.float64))


ROWS = every_row()


def by_tree(model: Model, table: Table) -> Floats | str:
    try:
        return answers_for(model.trees[0], model.answers[0], table, model.leaf_models[0])
    except DataError:
        return "refused"


def by_graph(graph: Graph, table: Table) -> Floats | str:
    try:
        return graph_answers(graph, table)
    except DataError:
        return "refused"


def check_same(model: Model, table: Table, by: By) -> None:
    expected, found = by_tree(model, table), by_graph(model.graph(by=by), table)
    if isinstance(expected, str) or isinstance(found, str):
        assert expected is found
    elif by == "answers" or model.task == "regression":
        np.testing.assert_allclose(
            found, expected, rtol=1e-12, atol=1e-12 * np.abs(found).max(initial=1)
        )
    else:
        assert winners(found).tolist() == winners(expected).tolist()


@given(likenesses(), st.sampled_from(["answers", "labels"]))
def test_alike_subtrees_are_merged_and_every_row_is_answered_as_before(
    model: Model, by: By
) -> None:
    assert model.graph(by=by).n_nodes <= model.n_nodes
    for row in range(ROWS.n_rows):
        check_same(model, ROWS.take(np.array([row])), by)


def distinct(model: Model) -> int:
    """How many different subtrees there are, by definition: as nested tuples, tests in vain out."""
    tree, answers = model.trees[0], model.answers[0]
    forms: list[Any] = [None] * tree.n_nodes
    for i in range(tree.n_nodes - 1, -1, -1):
        said = tuple(answers[i].tolist())
        if tree.is_leaf[i]:
            forms[i] = said
            continue
        children = tuple(forms[c] for c in tree.children(i))
        shares = tuple(float(tree.weight[c] / (tree.weight[i] or 1)) for c in tree.children(i))
        to = int(tree.unknown[i])
        same = {SPREAD: abs(sum(shares) - 1) < 1e-9, STAY: children[0] == said, REFUSE: False}
        if len(set(children)) == 1 and same.get(to, True):
            forms[i] = children[0]
        else:
            lost = {SPREAD: shares, STAY: said}.get(to)
            test = (int(tree.column[i]), tuple(tree.test_operands(i).tolist()))
            forms[i] = (test, to, lost, children)
    found = set()
    waiting = [forms[0]]
    while waiting:
        form = waiting.pop()
        if form not in found:
            found.add(form)
            waiting += form[3] if len(form) == 4 else []
    return len(found)


@given(likenesses())
def test_no_two_nodes_are_alike(model: Model) -> None:
    assert model.graph().n_nodes == distinct(model)


@given(st.data(), st.sampled_from(["answers", "labels"]))
def test_any_model_is_answered_as_before(data: Any, by: By) -> None:
    """Leaf models and surrogates included."""
    model = data.draw(models())
    check_same(model, data.draw(tables(model.schema)), by)


@pytest.mark.parametrize("missing", ["fractional", "surrogate", "own_branch", "stop_at_node"])
@pytest.mark.parametrize("by", ["answers", "labels"])
def test_grown_trees_are_answered_as_before(missing: str, by: By) -> None:
    table = random_table(np.random.default_rng(5), 300, missing=0.2)
    recipe = "cart" if missing == "surrogate" else "id3"
    model = treekit.fit(recipe, table, set={"tree.missing": missing, "tree.pruner": "none"})
    assert model.graph(by="labels").n_nodes < model.n_nodes
    check_same(model, table, by)


def test_linear_leaf_models_are_answered_as_before() -> None:
    table = random_table(np.random.default_rng(2), 200, regression=True)
    model = treekit.fit("m5", table)
    check_same(model, table, "answers")
    assert model.n_nodes > 1


def test_a_row_that_is_refused_is_refused_by_the_graph_too() -> None:
    below = groups("rain", {"no": leaf(1, 0), "yes": leaf(0, 1)}, REFUSE)
    graph = model_of(SCHEMA, groups("wind", {"weak": below, "strong": below}, 0)).graph()
    row = Table(SCHEMA, np.array([[0.0], [np.nan], [1.0]]))
    with pytest.raises(DataError, match=r"row 1 .* has no known value in column 'rain'"):
        graph_answers(graph, row)
    known = evolve(row, cells=np.array([[0.0], [1.0], [np.nan]]))
    assert graph_answers(graph, known).tolist() == [[0.0, 1.0]]
