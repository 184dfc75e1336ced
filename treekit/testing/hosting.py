"""The recipe into which a strategy under test is put, so that it can grow a tree."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import attrs
import numpy as np
from attrs import frozen

from treekit.compiling import SMALL
from treekit.engine import grow
from treekit.offers import Nodes
from treekit.recipe import Recipe, TreeParts, load_recipe
from treekit.roles import tasks_of, tree_task_of
from treekit.table.record import Bools, Floats, Table
from treekit.testing.samples import sample_table
from treekit.tree import Tree


@cache
def host(task: str) -> Recipe:
    """A whole recipe for a task."""
    return load_recipe(Path(__file__).with_name("hosts") / f"{task}.toml")


def hosting(task: str, role: str, strategy: Any) -> TreeParts:
    """The host's strategies, this one in the place of its role."""
    parts = host(task).tree
    if role == "splitter":
        return attrs.evolve(parts, splitter=dict.fromkeys(strategy.kinds, strategy))
    filled: Any = (*parts.stop, strategy) if role == "stop" else strategy
    changes: dict[str, Any] = {role: filled}
    return attrs.evolve(parts, **changes)


def recipe_with(task: str, role: str, strategy: Any) -> Recipe:
    """The host's recipe with this strategy."""
    if role == "ensemble":
        tree = host(tree_task_of(strategy, task)).tree
        return Recipe(task=task, tree=tree, ensemble=strategy)  # type: ignore[arg-type]
    parts, ensemble = hosting(task, role, strategy), host(task).ensemble
    return Recipe(task=task, tree=parts, ensemble=ensemble)  # type: ignore[arg-type]


def grown(table: Table, parts: TreeParts, seed: int = 0) -> Tree:
    return grow(table, parts, np.random.default_rng(seed))


def tasks(strategy: Any) -> tuple[str, ...]:
    """The tasks to try a strategy on."""
    return tasks_of(strategy)


def score_of(task: str, criterion: Any, branches: Floats) -> Floats:
    """[...]: a criterion's score of branches [..., k, S], with the host's impurity."""
    impurity: Any = host(task).tree.impurity
    parent = branches.sum(axis=-2)
    with np.errstate(all="ignore"):
        return np.asarray(
            criterion.score(
                parent, branches, impurity.impurity(parent), impurity.impurity(branches)
            )
        )


@frozen
class AtDepth:
    """Stop at a depth."""

    depth: int
    reason: ClassVar[str] = "deep enough"

    def before(self, nodes: Nodes) -> Bools:
        return np.asarray(nodes.depth >= self.depth)


def tables_for_both_ways(task: str) -> Iterator[Table]:
    """A small table, on which the scan is interpreted, and one on which it is compiled."""
    yield sample_table(task, ("numeric",), rows=60, unknown=True, weighted=True)
    yield sample_table(task, ("numeric",), rows=SMALL // 3, weighted=True)


def grown_both_ways(table: Table, parts: TreeParts, impurity: Any) -> tuple[Tree, Tree]:
    """The trees of a row-form impurity: compiled into the scan, and in blocks of candidates."""
    shallow = attrs.evolve(parts, stop=(*parts.stop, AtDepth(6)), impurity=impurity)
    blocks = attrs.evolve(shallow, impurity=ArrayForm(impurity))
    return grown(table, shallow), grown(table, blocks)


@frozen
class ArrayForm:
    """An impurity whose row form the engine cannot see, so that it scores in blocks."""

    inner: Any

    @property
    def uncentred(self) -> bool:
        return bool(getattr(self.inner, "uncentred", False))

    def impurity(self, stats: Floats) -> Floats:
        return np.asarray(self.inner.impurity(stats))
