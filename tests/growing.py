"""Trees that many tests have in common are grown once.

Runs of an original program differ in what prunes their trees more often than in what grows them,
and are cross-validated by the same folds; the laws of a pruner are tried on the same trees.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import numpy as np

from treekit.engine import grow
from treekit.engine.parts import Parts
from treekit.table.record import Table
from treekit.tree import Tree

Grow = Callable[..., Tree]
Tell = Callable[[Mapping[str, float]], None]


def growing_once(grow: Grow) -> Grow:
    """`engine.grow`, which remembers the tree of each table and strategies, and gives copies.

    A tree that anything random had a part in is grown anew, and so is one that is watched
    or that lacks what its pruner would take off.
    """
    kept: dict[object, tuple[Tree, dict[str, float]]] = {}

    def once(
        table: Table,
        parts: Parts,
        rng: np.random.Generator,
        watch: Any = None,
        tell: Tell | None = None,
        columns: int | None = None,
        compiled: bool = False,
        in_vain: Any = None,
    ) -> Tree:
        if watch is not None or in_vain is not None:
            return grow(table, parts, rng, watch, tell, columns, compiled, in_vain)
        key = (_content(table), _growth(parts), columns, compiled)
        if key in kept:
            tree, facts = kept[key]
        else:
            facts, before = {}, rng.bit_generator.state
            tree = grow(table, parts, rng, None, facts.update, columns, compiled)
            if rng.bit_generator.state == before:
                kept[key] = tree, facts
        if tell is not None:
            tell(facts)
        return deepcopy(tree)

    return once


GROWING_ONCE = growing_once(grow)
"""One memory for all tests of a process."""


def _content(table: Table) -> str:
    """The rows of a table and of the one that they were taken from."""
    digest = hashlib.sha256(repr(table.schema).encode())
    for array in (table.cells, table.y, table.weights):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest() + ("" if table.origin is None else _content(table.origin))


def _growth(parts: Parts) -> str:
    """The strategies that grow a tree."""
    strategies = (parts.impurity, parts.criterion, parts.splitter, parts.stop, parts.missing)
    return repr((*strategies, parts.grower))
