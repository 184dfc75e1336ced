"""A tree whose equal subtrees are one: what is merged, and what is not."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import treekit
from treekit.errors import ModelError, TreekitError
from treekit.graph import graph_answers
from treekit.leaf_models import POWERS, Term, additive
from treekit.model import Model
from treekit.table.record import Table
from treekit.tree import REFUSE, SPREAD, STAY, Surrogates

from ..model.by_hand import Node, cut, groups, leaf, model_of, schema_of
from ..model.large import chain
from .functions import bits_of, parity, tree_of

UNKNOWNS = {"refused": REFUSE, "spread": SPREAD, "staying": STAY, "first branch": 0}
WEATHER = schema_of("play: no yes", wind="weak strong", rain="no yes", temp="")


@pytest.mark.parametrize("n", range(1, 13))
def test_parity_of_n_bits_takes_2n_and_1_nodes(n: int) -> None:
    model = tree_of(parity(n))
    graph = model.graph()
    assert (model.n_nodes, graph.n_nodes) == (2 ** (n + 1) - 1, 2 * n + 1)
    assert graph.n_leaves == 2
    assert graph.order == tuple(range(n))


@pytest.mark.parametrize("unknown", UNKNOWNS.values(), ids=UNKNOWNS)
def test_parity_takes_as_many_wherever_unknown_values_go(unknown: int) -> None:
    assert tree_of(parity(5), unknown).graph().n_nodes == 11


@pytest.mark.parametrize("recipe", ["id3", "c45"])
def test_a_grown_tree_of_parity_is_merged_as_well(recipe: str) -> None:
    """Among columns that gain nothing the first is taken, so all paths ask in one order."""
    rows = list(itertools.product((0, 1), repeat=6))
    names = [f"bit{i}" for i in range(6)]
    frame = pd.DataFrame(rows, columns=names).astype(str)
    frame["parity"] = [str(sum(row) % 2) for row in rows]
    kinds = dict.fromkeys(names, "nominal")
    change = {"tree.pruner": "none", "tree.criterion": "gain", "tree.stop": ["pure", "no_columns"]}
    model = treekit.fit(recipe, frame, target="parity", kinds=kinds, set=change)
    graph = model.graph()
    assert (model.n_nodes, graph.n_nodes, graph.order) == (127, 13, (0, 1, 2, 3, 4, 5))


@given(
    st.integers(1, 5).flatmap(lambda n: st.lists(st.integers(0, 1), min_size=2**n, max_size=2**n))
)
def test_an_ordered_graph_is_the_reduced_diagram(values: list[int]) -> None:
    """Bryant 1986: a node for each subfunction that depends on its first bit, and the constants."""
    n = (len(values) - 1).bit_length()
    expected = set(map(int, values))
    tests = 0
    for i in range(n):
        size = 2 ** (n - i)
        parts = {tuple(values[at : at + size]) for at in range(0, 2**n, size)}
        tests += sum(1 for part in parts if part[: size // 2] != part[size // 2 :])
    graph = tree_of(values).graph()
    assert graph.n_nodes == tests + len(expected)
    assert graph.order is not None


@given(st.lists(st.integers(0, 1), min_size=16, max_size=16))
def test_equal_functions_have_equal_graphs(values: list[int]) -> None:
    """Canonical: whether the tree asks in vain at the top or not."""
    plain, padded = tree_of(values).graph(), tree_of(values + values).graph()
    assert plain.n_nodes == padded.n_nodes
    assert plain.children.tolist() == padded.children.tolist()


# --- leaves --------------------------------------------------------------------------------------


def test_leaves_of_one_class_and_other_shares_are_one_by_label_only() -> None:
    model = model_of(WEATHER, groups("wind", {"weak": leaf(1, 3), "strong": leaf(1, 4)}, 0))
    assert model.graph().n_nodes == 3
    graph = model.graph(by="labels")
    assert graph.n_nodes == 1
    assert graph.answers[graph.node[0]].tolist() == [0.0, 1.0]


def test_below_a_test_that_spreads_rows_labels_are_not_enough() -> None:
    """Half of a row goes each way: the shares of the leaves decide the class."""
    below = groups("rain", {"no": leaf(4, 6), "yes": leaf(9, 1)}, unknown=0)
    other = groups("rain", {"no": leaf(1, 9), "yes": leaf(6, 4)}, unknown=0)
    model = model_of(WEATHER, groups("wind", {"weak": below, "strong": other}, unknown=SPREAD))
    assert model.graph(by="labels").n_nodes == model.n_nodes


def test_numbers_are_merged_by_number() -> None:
    schema = schema_of("price: numeric", wind="weak strong", rain="no yes")
    below = groups("rain", {"no": leaf(2, 10, 50), "yes": leaf(2, 12, 72)}, unknown=0)
    again = groups("rain", {"no": leaf(4, 20, 100), "yes": leaf(1, 6, 36)}, unknown=0)
    model = model_of(schema, groups("wind", {"weak": below, "strong": again}, unknown=0))
    for by in ("answers", "labels"):
        graph = model.graph(by=by)  # type: ignore[arg-type]
        assert graph.n_nodes == 3
        assert graph.stats.tolist() == [[9.0, 48.0, 258.0], [6.0, 30.0, 150.0], [3.0, 18.0, 108.0]]


def with_lines(slopes: tuple[float, float]) -> Model:
    schema = schema_of("rent: numeric", area="", floor="")
    model = model_of(schema, cut("floor", 1.5, leaf(2, 4, 8), leaf(2, 6, 18), unknown=0))
    terms = [[], *([Term(0, POWERS, np.array([[0.0], [slope]]), 5.0)] for slope in slopes)]
    return evolve(model, leaf_models=(additive("identity", np.full((3, 1), 7.0), terms),))


def test_leaves_with_the_same_model_are_one_whatever_their_means() -> None:
    assert with_lines((2.0, 3.0)).graph().n_nodes == 3
    assert with_lines((2.0, 2.0)).graph().n_nodes == 1


# --- tests ---------------------------------------------------------------------------------------


def twice(first: Node, second: Node) -> Model:
    """A root that tells two subtrees apart."""
    return model_of(WEATHER, groups("wind", {"weak": first, "strong": second}, unknown=0))


def asking(at: float = 5.0, unknown: int = 0, weights: tuple[int, int] = (2, 2)) -> Node:
    return cut("temp", at, leaf(weights[0], 0), leaf(0, weights[1]), unknown=unknown)


@pytest.mark.parametrize(
    ("first", "second", "nodes"),
    [
        (asking(), asking(), 3),
        (asking(), asking(weights=(1, 7)), 3),
        (asking(0.0), asking(-0.0), 3),
        (asking(), asking(6.0), 5),
        (asking(), groups("rain", {"no": leaf(2, 0), "yes": leaf(0, 2)}, unknown=0), 5),
        (asking(), asking(unknown=1), 5),
        (asking(), asking(unknown=REFUSE), 5),
        (asking(unknown=REFUSE), asking(unknown=REFUSE), 3),
        (asking(unknown=SPREAD), asking(unknown=SPREAD, weights=(6, 6)), 3),
        (asking(unknown=SPREAD), asking(unknown=SPREAD, weights=(2, 3)), 5),
        (asking(unknown=STAY), asking(unknown=STAY, weights=(6, 6)), 3),
        (asking(unknown=STAY), asking(unknown=STAY, weights=(2, 3)), 5),
    ],
    ids=[
        "the same test", "other rows", "one zero", "another cut", "another column",
        "unknown elsewhere", "unknown refused", "both refuse", "spread by the same shares",
        "spread by other shares", "staying for the same answer", "staying for another answer",
    ],
)  # fmt: skip
def test_tests_are_one_if_all_rows_fare_the_same(first: Node, second: Node, nodes: int) -> None:
    """The root, the two leaves, and one test or two."""
    graph = twice(first, second).graph()
    # Where the two tests are one, the root tells nothing apart any more and goes, too.
    assert graph.n_nodes == nodes


def surrogates_at(nodes: int, cuts: dict[int, float], asked: bool) -> Surrogates:
    count = np.array([int(i in cuts) for i in range(nodes)])
    n = len(cuts)
    return Surrogates(
        first=np.concatenate([[0], np.cumsum(count)]),
        column=np.full(n, 2, np.int32),
        kind=np.ones(n, np.int8),
        start=np.arange(n + 1),
        operands=np.array([cuts[i] for i in sorted(cuts)]),
        flipped=np.zeros(n, bool),
        agreement=np.linspace(0.8, 0.9, n),
        adjusted=np.zeros(n),
        asked=asked,
    )


@pytest.mark.parametrize(
    ("cuts", "asked", "nodes"),
    [
        ({1: 3.0, 2: 3.0}, True, 3),
        ({1: 3.0, 2: 4.0}, True, 5),
        ({1: 3.0}, True, 5),
        ({1: 3.0, 2: 4.0}, False, 3),
    ],
)
def test_surrogates_are_part_of_a_test_if_they_are_asked(
    cuts: dict[int, float], asked: bool, nodes: int
) -> None:
    def rain() -> Node:
        return groups("rain", {"no": leaf(2, 0), "yes": leaf(0, 2)}, unknown=0)

    model = twice(rain(), rain())
    stand_ins = surrogates_at(model.n_nodes, cuts, asked)
    model = evolve(model, trees=(evolve(model.trees[0], surrogates=stand_ins),))
    assert model.graph().n_nodes == nodes


def vain(unknown: int, *answers: tuple[float, float]) -> Model:
    """A test whose branches answer the same."""
    first, second = (leaf(*stats, answer=(0.25, 0.75)) for stats in answers)
    node = groups("wind", {"weak": first, "strong": second}, unknown)
    return model_of(WEATHER, node)


@pytest.mark.parametrize(
    ("unknown", "stats", "nodes"),
    [
        (0, ((1, 3), (2, 6)), 1),
        (REFUSE, ((1, 3), (2, 6)), 2),
        (SPREAD, ((1, 3), (2, 6)), 1),
        (STAY, ((1, 3), (2, 6)), 1),
        (STAY, ((1, 3), (3, 3)), 2),
    ],
    ids=["to a branch", "refused", "spread whole", "staying alike", "staying unlike"],
)
def test_a_test_in_vain_is_left_out_if_unknown_values_fare_the_same(
    unknown: int, stats: tuple[tuple[float, float], ...], nodes: int
) -> None:
    graph = vain(unknown, *stats).graph()
    assert graph.n_nodes == nodes
    assert graph.stats[:, 0].tolist() == [sum(map(sum, stats))] * nodes


def test_a_test_in_vain_stays_if_a_spread_row_would_lose_a_part() -> None:
    """Rows of weight 2 stayed at the node in training, so what is spread adds up to 0.8."""
    model = vain(SPREAD, (1, 3), (1, 3))
    tree = model.trees[0]
    stats = tree.stats * np.array([[1.25], [1.0], [1.0]])
    assert evolve(model, trees=(evolve(tree, stats=stats),)).graph().n_nodes == 2


# --- the graph as a whole ------------------------------------------------------------------------


def test_paths_of_different_orders_are_merged_but_not_ordered() -> None:
    rain_last = cut("temp", 5.0, leaf(1, 0), groups("rain", {"no": leaf(0, 1), "yes": leaf(1, 0)}))
    rain_first = groups("rain", {"no": cut("temp", 5.0, leaf(1, 0), leaf(0, 1)), "yes": leaf(1, 0)})
    graph = twice(rain_last, rain_first).graph()
    assert graph.order is None
    assert graph.n_leaves == 2


def test_a_column_may_be_asked_several_times_in_a_row() -> None:
    nested = cut("temp", 5.0, leaf(1, 0), cut("temp", 7.0, leaf(0, 1), leaf(1, 0)))
    assert twice(nested, leaf(2, 1)).graph().order == (0, 2)


def test_children_come_after_their_parents_and_the_root_first() -> None:
    graph = tree_of(parity(6)).graph()
    for node in range(graph.n_nodes):
        assert all(child > node for child in graph.children_of(node))
    assert graph.n_parents[0] == 0
    assert (graph.n_parents[1:] > 0).all()


def test_the_weight_of_all_that_a_node_stands_for_is_told() -> None:
    graph = tree_of(parity(4)).graph()
    assert graph.stats[0].tolist() == [16.0, 8.0, 8.0]
    assert graph.stats[graph.is_leaf].tolist() == [[8.0, 8.0, 0.0], [8.0, 0.0, 8.0]]


def test_a_single_leaf_is_a_graph() -> None:
    graph = model_of(WEATHER, leaf(1, 2)).graph()
    assert (graph.n_nodes, graph.order, graph.children.tolist()) == (1, (), [])


def test_a_tree_may_be_as_deep_as_it_likes() -> None:
    model = chain(20_000)
    assert model.graph().n_nodes <= model.n_nodes


def test_of_an_ensemble_a_tree_is_chosen() -> None:
    one, other = tree_of(parity(3)), tree_of([0] * 8)
    trees = one.trees + other.trees
    both = evolve(
        one,
        trees=trees,
        answers=one.answers + other.answers,
        tree_weights=(1.0, 1.0),
        leaf_models=(None, None),
    )
    assert [both.graph(i).n_nodes for i in range(2)] == [7, 1]
    assert both.metrics(names=["graph_nodes"]) == {"graph_nodes": 8.0}
    with pytest.raises(ModelError, match="there is no tree 3: the model has 2 trees"):
        both.graph(2)


def test_what_is_the_same_must_be_one_of_two() -> None:
    with pytest.raises(TreekitError) as caught:
        tree_of([0, 1]).graph(by="label")  # type: ignore[arg-type]
    assert str(caught.value) == "subtrees cannot be merged by 'label'; did you mean 'labels'?"


def test_no_rows_no_answers() -> None:
    table = Table(bits_of(2), np.empty((2, 0)))
    assert graph_answers(tree_of([0, 1, 1, 0]).graph(), table).shape == (0, 2)
