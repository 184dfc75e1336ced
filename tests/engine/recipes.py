"""The strategies that the engine's tests grow with."""

from __future__ import annotations

from typing import Any

import numpy as np
from treekit_builtin import (
    Fractional,
    Gain,
    Gini,
    Level,
    Majority,
    Multiway,
    NoPruning,
    Pure,
    Threshold,
    Variance,
)

from treekit import Search, Step, Table, Tree, TreeParts
from treekit.engine import grow


def parts(table: Table, **others: Any) -> TreeParts:
    """Gini's index or the variance, cuts and one branch for each level."""
    given: dict[str, Any] = {
        "impurity": Variance() if table.task == "regression" else Gini(),
        "criterion": Gain(),
        "splitter": {"numeric": Threshold(), "ordinal": Threshold(), "nominal": Multiway()},
        "stop": (Pure(),),
        "missing": Fractional(),
        "label": Majority(),
        "pruner": NoPruning(),
        "grower": Level(),
    }
    return TreeParts(**{**given, **others})


class Onlooker:
    """A watch that keeps everything it is told."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.opened: list[list[int]] = []

    def looked(self, step: Step) -> None:
        self.steps.append(step)

    def finished(self, opened: Any) -> None:
        self.opened.append(opened.tolist())

    def grown(self, tree: Tree) -> None:
        """The engine does not say this: the fit does."""
        raise AssertionError


def watched(table: Table, **others: Any) -> tuple[Tree, Onlooker]:
    """A tree, and who looked on while it grew."""
    onlooker = Onlooker()
    tree = grow(table, parts(table, **others), np.random.default_rng(0), onlooker)
    return tree, onlooker


def searches(table: Table, **others: Any) -> list[Search]:
    """Every search that growth made, of one node or many."""
    return [step.search for step in watched(table, **others)[1].steps]
