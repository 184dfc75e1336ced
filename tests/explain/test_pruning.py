"""What pruners tell: both estimates of every node they judged, and what became of it."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
import pytest
from treekit_builtin.pruners import CriticalValue, Mdl, MinimumError, Pessimistic, ReducedError

import treekit
from treekit.offers import Decisions
from treekit.table.record import Table
from treekit.tree import Tree

from ..worked.test_later_figures import FOUR, drawn, given_to_pruners


def told(pruner: Any, tree: Tree, levels: int = 4, **data: Any) -> Decisions:
    """The only decisions that a pruner tells of a tree."""
    heard: list[Decisions] = []
    given = attrs.evolve(given_to_pruners(16, levels, 2), tell=heard.append, **data)
    pruner.prune(tree, given)
    (decisions,) = heard
    return decisions


def plain(decisions: Decisions) -> list[tuple[int, float, float, bool]]:
    """Node, as a tree, as a leaf, cut."""
    columns = (decisions.node, decisions.as_tree, decisions.as_leaf, decisions.cut)
    return list(zip(*(values.tolist() for values in columns), strict=True))


# A node that is worth a split, and one below it that is not.
TWO = drawn([((6, 4), 2)], [((4, 0), 0), ((2, 4), 2)], [((1, 2), 0), ((1, 2), 0)])


def test_pessimistic_errors_of_the_textbook() -> None:
    assert plain(told(Pessimistic(), FOUR)) == [(0, 11.0, 10.5, True)]
    assert told(Pessimistic(), FOUR).measure == "corrected errors"


def test_standard_errors_are_part_of_the_estimate() -> None:
    decisions = told(Pessimistic(standard_errors=1), FOUR)
    assert decisions.as_tree == pytest.approx([11 + (11 * 19 / 30) ** 0.5])


def test_bottom_up_a_subtree_is_judged_after_those_below_it() -> None:
    """Node 2: 2 errors and two halves against 2.5. Then the root: 0.5 + 2.5 against 4.5."""
    assert plain(told(Pessimistic(), TWO, 2)) == [(0, 3.0, 4.5, False), (2, 3.0, 2.5, True)]


def test_top_down_a_subtree_is_judged_as_it_was_grown() -> None:
    """The root: 2 errors and three halves against 4.5."""
    decisions = told(Pessimistic(order="top_down"), TWO, 2)
    assert plain(decisions) == [(0, 3.5, 4.5, False), (2, 3.0, 2.5, True)]


def test_top_down_nothing_below_a_cut_is_looked_at() -> None:
    decisions = told(Pessimistic(order="top_down", penalty=3), TWO, 2)
    assert plain(decisions) == [(0, 11.0, 7.0, True)]


def test_minimum_error_by_hand() -> None:
    """A leaf of (1, 2) errs at 2/5, (4, 0) at 1/6, (2, 4) at 3/8 and (6, 4) at 5/12."""
    decisions = told(MinimumError(), TWO, 2)
    assert decisions.measure == "expected errors"
    assert decisions.node.tolist() == [0, 2]
    assert decisions.as_tree == pytest.approx([4 / 6 + 6 * 3 / 8, 6 * 2 / 5])
    assert decisions.as_leaf == pytest.approx([10 * 5 / 12, 6 * 3 / 8])
    assert decisions.cut.tolist() == [False, True]


def test_description_lengths_of_sixteen_columns_and_ten_rows() -> None:
    """An inner node takes 4 bits, a leaf 1, an error lg 10."""
    decisions = told(Mdl(), TWO, 2)
    error = np.log2(10)
    assert decisions.measure == "bits of tree and errors"
    assert decisions.as_tree == pytest.approx([4 + 1 + 1 + 2 * error, 4 + 2 + 2 * error])
    assert decisions.as_leaf == pytest.approx([1 + 4 * error, 1 + 2 * error])
    assert decisions.cut.tolist() == [False, True]


def test_critical_values_are_set_against_the_greatest_score_from_here_on() -> None:
    scores = np.array([0.2, np.nan, 0.3, np.nan, np.nan])
    decisions = told(CriticalValue(0.25), attrs.evolve(TWO, score=scores), 2)
    assert plain(decisions) == [(0, 0.3, 0.25, False), (2, 0.3, 0.25, False)]
    decisions = told(CriticalValue(0.31), attrs.evolve(TWO, score=scores), 2)
    assert decisions.cut.tolist() == [True, True]


def test_reduced_error_counts_errors_on_the_validation_rows() -> None:
    """TWO asks column 0 at both tests: level a goes to nodes 1 and 3, level b to nodes 2 and 4."""
    given = given_to_pruners(1, 2, 2)
    cells, y = np.array([[0.0, 0, 1, 1, 1]]), np.array([0.0, 1, 1, 1, 0])
    rows = Table(given.table.schema, cells, y)
    decisions = told(ReducedError(), TWO, 2, table=given.table, validation=rows)
    assert decisions.measure == "errors on the validation rows"
    assert plain(decisions) == [(0, 2.0, 3.0, False), (2, 1.0, 1.0, True)]


def test_a_tree_of_one_leaf_leaves_nothing_to_tell() -> None:
    heard: list[Decisions] = []
    leaf = drawn([((3, 1), 0)])
    given = attrs.evolve(given_to_pruners(2, 2, 2), tell=heard.append)
    for pruner in (Pessimistic(), MinimumError(), Mdl(), CriticalValue(0.1)):
        pruner.prune(leaf, given)
    assert heard == []


# --- in an explanation ---------------------------------------------------------------------------

SETTINGS = [
    "pessimistic",
    "minimum_error",
    "mdl",
    "{use='critical_value', value=0.3}",
    "reduced_error",
]


@pytest.mark.parametrize("pruner", SETTINGS)
def test_an_explanation_tells_what_was_cut(pruner: str) -> None:
    model = treekit.fit("id3", "mammals", set=[f"tree.pruner={pruner}"])
    found = model.explain()
    assert [j.node for j in found.judgements] == [n.number for n in found.nodes if not n.stopped]
    cut = {j.node for j in found.judgements if j.cut}
    kept = 0
    below_a_cut: set[int] = set()
    for node in found.nodes:
        if node.parent in cut | below_a_cut:
            below_a_cut.add(node.number)
        else:
            kept += 1
    assert kept == found.n_kept == model.n_nodes


def test_pruning_is_a_table_of_both_estimates() -> None:
    pruner = "tree.pruner={use='pessimistic', penalty=1.5}"
    text = treekit.fit("id3", "mammals", set=[pruner]).explain().render("text", 1)
    assert (
        text.partition("\nPruning\n")[2]
        == """\
Nodes are numbered as they were grown.

corrected errors
node  as a tree  as a leaf  verdict
   0        4.5        3.5  cut
   1        3.0        3.5  kept

1 of 5 nodes are left.
"""
    )


def test_with_limits_the_rest_of_the_decisions_is_counted() -> None:
    model = treekit.fit("id3", "mammals", set=["tree.pruner=pessimistic"])
    found = model.explain(nodes=1)
    assert (len(found.judgements), found.n_judgements) == (1, 2)
    assert "… 1 more decision\n" in str(found)


def test_a_picked_node_comes_with_its_own_decision() -> None:
    model = treekit.fit("id3", "mammals", set=["tree.pruner=pessimistic"])
    last = model.explain().judgements[-1]
    assert model.explain(node=last.node).judgements == (last,)


def test_without_pruning_there_is_no_such_section() -> None:
    assert "Pruning" not in str(treekit.fit("id3", "tennis").explain())


def test_rows_given_for_validation_are_used_again() -> None:
    table = treekit.load_dataset("tennis")
    model = treekit.fit(
        "id3", table, set=["tree.pruner=reduced_error"], validation=table.take(np.arange(6))
    )
    assert model.judged_by is not None
    assert model.explain() == model.explain(table, validation=table.take(np.arange(6)))
