"""Functions of bits as trees that ask the bits in their order."""

from __future__ import annotations

from collections.abc import Sequence

from treekit.model import Model
from treekit.table.record import Column, Schema

from ..model.by_hand import Node, groups, leaf, model_of


def bits_of(n: int) -> Schema:
    columns = tuple(Column(f"bit{i}", "nominal", ("0", "1")) for i in range(n))
    return Schema(columns, Column("value", "nominal", ("0", "1")))


def tree_of(values: Sequence[int], unknown: int = 0) -> Model:
    """The whole tree of a function whose values stand in a truth table of 2**n entries."""
    n = (len(values) - 1).bit_length()
    level: list[Node] = [leaf(1 - value, value) for value in values]
    for i in range(n - 1, -1, -1):
        pairs = zip(level[::2], level[1::2], strict=True)
        level = [groups(f"bit{i}", {"0": a, "1": b}, unknown) for a, b in pairs]
    return model_of(bits_of(n), level[0])


def parity(n: int) -> list[int]:
    return [row.bit_count() % 2 for row in range(2**n)]
