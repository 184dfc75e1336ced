"""Growers: in which order the tree is grown."""

from __future__ import annotations

from attrs import frozen

from treekit import Growth


@frozen
class Level:
    """All open nodes at once, level by level, until none is open."""

    def grow(self, growth: Growth) -> None:
        while growth.open_nodes:
            growth.split_level()
