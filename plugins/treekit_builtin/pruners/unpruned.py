"""The pruner that cuts nothing."""

from __future__ import annotations

from attrs import frozen

from treekit import PruningData, Tree


@frozen
class NoPruning:
    """Leave the tree as it was grown (Quinlan 1986: ID3)."""

    def prune(self, tree: Tree, data: PruningData) -> Tree:
        return tree
