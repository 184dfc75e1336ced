"""What the trees of a model answer together for the rows of a table, some rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

from treekit.combining import Combination, combined
from treekit.compiling import SMALL
from treekit.leaf_models import LeafModels
from treekit.route import answers_at, answers_for, ends
from treekit.table.record import Floats, Table
from treekit.threads import checked_threads, in_order
from treekit.tree import Tree

Then = Callable[[Floats], npt.NDArray[Any]]

AT_ONCE = 1 << 16  # rows: what is made on the way to their answers stays small
WORTH = 1 << 20  # steps down a tree: fewer are taken sooner than another thread is started


@frozen(eq=False)
class Members:
    """The trees of a model and what they answer.

    answers      of each tree [nodes, A]
    leaf_models  of each tree: what its leaves answer where that depends on the row, or None
    how          their answers become one
    width        of that one answer: the number of classes, or 1
    """

    trees: Sequence[Tree]
    answers: Sequence[Floats]
    leaf_models: Sequence[LeafModels | None]
    how: Combination
    width: int

    def steps(self, table: Table) -> int:
        """How many nodes the rows of a table may come to."""
        return table.n_rows * sum(tree.depth + 1 for tree in self.trees)

    def together(self, said: Iterable[Floats], n: int) -> Floats:
        """[n, width]: what each tree said, in turn, of n rows or nodes as one answer."""
        return combined(self.how, said, n, self.width)


def for_each_row(
    members: Members,
    table: Table,
    then: Then,
    of_node: npt.NDArray[Any] | None = None,
    threads: int | None = None,
    compiled: bool = False,
) -> npt.NDArray[Any]:
    """What `then` makes of each row's answer: of answers [n, width] n results, each of its own.

    of_node   what it makes of each node's, if whoever asks has it at hand (`of_each_node`)
    threads   the most that are started; as many as there are processors unless given
    compiled  however few rows there are: others were asked before
    """
    steps = members.steps(table)
    compiled = compiled or steps > SMALL
    threads = _worth(members, steps, checked_threads(threads))
    size = max(1, min(AT_ONCE, -(-table.n_rows // threads)))
    blocks = [
        range(begin, min(begin + size, table.n_rows))
        for begin in range(0, max(1, table.n_rows), size)
    ]
    if of_node is None and sum(tree.n_nodes for tree in members.trees) <= table.n_rows:
        of_node = of_each_node(members, then)
    if of_node is None:
        made = partial(_made, members, table, then, compiled)
        return _joined(in_order(made, blocks, min(threads, len(blocks))), blocks)
    made_there = np.empty((table.n_rows, *of_node.shape[1:]), of_node.dtype)
    fill = partial(_fill, made_there, of_node, members, table, then, compiled)
    for _ in in_order(fill, blocks, min(threads, len(blocks))):
        pass
    return made_there


def of_each_node(members: Members, then: Then) -> npt.NDArray[Any] | None:
    """What `then` makes of each node's answer; None: of a row's it may make something else."""
    if len(members.trees) > 1 or members.leaf_models[0] is not None:
        return None
    return then(members.together(members.answers, members.trees[0].n_nodes))


def _worth(members: Members, steps: int, most: int) -> int:
    """How many threads are worth starting; a leaf model takes longer than the way to it."""
    if steps <= SMALL:
        return 1
    if any(models is not None for models in members.leaf_models):
        return most
    return min(most, 1 + steps // WORTH)


def _fill(
    out: npt.NDArray[Any],
    of_node: npt.NDArray[Any],
    members: Members,
    table: Table,
    then: Then,
    compiled: bool,
    rows: range,
) -> None:
    """What is made of these rows' answers, by their nodes where all of each ends at one."""
    found = ends(members.trees[0], table, compiled, rows)
    here = out[rows.start : rows.stop]
    if found.whole:
        of_node.take(found.node, axis=0, out=here, mode="clip")  # "raise" would take a copy
    else:
        here[:] = then(members.together([answers_at(found, members.answers[0], table)], len(rows)))


def _made(
    members: Members, table: Table, then: Then, compiled: bool, rows: range
) -> npt.NDArray[Any]:
    """What is made of these rows' answers."""
    return then(members.together(_said(members, table, rows, compiled), len(rows)))


def _said(members: Members, table: Table, rows: range, compiled: bool) -> Iterable[Floats]:
    each = zip(members.trees, members.answers, members.leaf_models, strict=True)
    return (
        answers_for(tree, answers, table, models, compiled, rows) for tree, answers, models in each
    )


def _joined(parts: Iterable[npt.NDArray[Any]], blocks: Sequence[range]) -> npt.NDArray[Any]:
    """The results of blocks of rows as one array."""
    joined: npt.NDArray[Any] | None = None
    for rows, part in zip(blocks, parts, strict=True):
        if len(blocks) == 1:
            return part
        if joined is None:
            joined = np.empty((blocks[-1].stop, *part.shape[1:]), part.dtype)
        joined[rows.start : rows.stop] = part
    assert joined is not None
    return joined
