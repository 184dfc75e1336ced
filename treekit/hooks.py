"""The hooks through which a plugin offers its strategies: one per role.

A plugin is a module named by an entry point of the group `treekit`. Each of its hooks takes no
argument and returns `{name: class}`; the names are what recipes write.

    from treekit.hooks import hookimpl

    @hookimpl
    def treekit_criteria():
        return {"bhattacharyya": Bhattacharyya}
"""

from __future__ import annotations

from collections.abc import Mapping

import pluggy

PROJECT = "treekit"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)

Offer = Mapping[str, type]

HOOKS: dict[str, str] = {
    "treekit_impurities": "impurity",
    "treekit_criteria": "criterion",
    "treekit_splitters": "splitter",
    "treekit_stops": "stop",
    "treekit_missing": "missing",
    "treekit_labels": "label",
    "treekit_pruners": "pruner",
    "treekit_growers": "grower",
    "treekit_ensembles": "ensemble",
}
"""The role that each hook fills."""


@hookspec
def treekit_impurities() -> Offer:
    """Impurities: how mixed is a node? Each class has `impurity(stats)`."""
    raise NotImplementedError


@hookspec
def treekit_criteria() -> Offer:
    """Criteria: how good is a split? Each class has `score(parent, branches, before, after)`."""
    raise NotImplementedError


@hookspec
def treekit_splitters() -> Offer:
    """Splitters: which tests may be asked of a column? Each class has `kinds` and `offer`."""
    raise NotImplementedError


@hookspec
def treekit_stops() -> Offer:
    """Stop rules: why stop here? Each class has a `reason`.

    And at least one of `before`, `after`, `branch_rows` and `branch_weight`.
    """
    raise NotImplementedError


@hookspec
def treekit_missing() -> Offer:
    """Missing-value handlers: how do unknown values count in a score, and where do they go?

    Each class has `check`, `discount` and `destination`.
    """
    raise NotImplementedError


@hookspec
def treekit_labels() -> Offer:
    """Leaf labelers: what does a leaf answer? Each class has `answers(tree)`."""
    raise NotImplementedError


@hookspec
def treekit_pruners() -> Offer:
    """Pruners: what is cut after growth? Each class has `prune(tree, data)`."""
    raise NotImplementedError


@hookspec
def treekit_growers() -> Offer:
    """Growers: in which order is the tree grown? Each class has `grow(growth)`."""
    raise NotImplementedError


@hookspec
def treekit_ensembles() -> Offer:
    """Ensembles: how do many trees become one answer? Each class has `plant(table, grow, rng)`."""
    raise NotImplementedError
