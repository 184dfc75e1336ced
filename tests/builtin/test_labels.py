"""What a leaf answers."""

from __future__ import annotations

import numpy as np
import pytest
from treekit_builtin.labels import Majority, Mean

from treekit.roles import tasks_of
from treekit.tree import LEVELS, SPREAD, Tree, single_leaf

from .naive import Branching, flat


def parent_with(own: list[float], *children: list[float], centre: float = 0.0) -> Tree:
    root = Branching(
        stats=own,
        kind=LEVELS,
        column=0,
        operands=tuple(float(i) for i in range(len(children))),
        unknown=SPREAD,
        children=[Branching(stats=stats) for stats in children],
    )
    return flat(root, centre)


def test_a_majority_label_answers_the_shares_of_the_class_weights() -> None:
    tree = single_leaf(np.array([8.0, 2.0, 6.0]), 8, "alone")
    assert Majority().answers(tree).tolist() == [[0.25, 0.75]]


def test_the_first_class_wins_a_tie() -> None:
    tree = single_leaf(np.array([4.0, 0.0, 2.0, 2.0]), 4, "alone")
    assert Majority().answers(tree)[0].argmax() == 1


def test_an_empty_node_answers_its_parents_majority_class_with_all_weight() -> None:
    tree = parent_with([5.0, 2.0, 3.0], [5.0, 2.0, 3.0], [0.0, 0.0, 0.0])
    assert Majority().answers(tree).tolist() == [[0.4, 0.6], [0.4, 0.6], [0.0, 1.0]]


def test_an_empty_node_takes_the_first_class_of_its_parents_tie() -> None:
    tree = parent_with([2.0, 1.0, 1.0], [2.0, 1.0, 1.0], [0.0, 0.0, 0.0])
    assert Majority().answers(tree)[2].tolist() == [1.0, 0.0]


def test_a_mean_label_answers_the_mean_of_the_uncentred_target() -> None:
    tree = single_leaf(np.array([4.0, -2.0, 9.0]), 4, "alone", centre=10.0)
    assert Mean().answers(tree).tolist() == [[9.5]]


def test_an_empty_node_takes_its_parents_mean() -> None:
    tree = parent_with([4.0, 2.0, 5.0], [4.0, 2.0, 5.0], [0.0, 0.0, 0.0], centre=1.0)
    assert Mean().answers(tree).tolist() == [[1.5], [1.5], [1.5]]


@pytest.mark.parametrize(
    ("label", "tasks"), [(Majority(), ("classification",)), (Mean(), ("regression",))]
)
def test_each_label_names_its_task(label: object, tasks: tuple[str, ...]) -> None:
    assert tasks_of(label) == tasks
