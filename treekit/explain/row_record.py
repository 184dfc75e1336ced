"""How a row was answered, as data."""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from treekit.explain.record import Part, Test
from treekit.table.record import Schema


@frozen
class Tried:
    """A surrogate that was asked instead; `branch` is None where its value is unknown too."""

    test: Test
    value: float | None
    branch: int | None
    agreement: float


@frozen
class Asked:
    """A question put to a row on its way.

    share       how much of the row came here
    value       the row's, as the table codes it; None: unknown
    branch      the branch it took; None: none or all of them
    by          what sent it there: its own "value", a "surrogate", or the rule for the "unknown"
    surrogates  those that were asked since its value is unknown, the last of which may have decided
    sent        the share of the row that each child got, of those that got any
    """

    node: int
    share: float
    here: Part
    test: Test
    value: float | None
    branch: int | None
    by: Literal["value", "surrogate", "unknown"]
    surrogates: tuple[Tried, ...]
    sent: tuple[tuple[int, float], ...]


@frozen
class Neighbour:
    """A training row that has a part in the answer.

    row       counted from 0, among the rows that the model keeps
    distance  by the norm of the leaf's model
    weight    what it counts
    target    its class, coded, or its number
    """

    row: int
    distance: float
    weight: float
    target: float


@frozen
class End:
    """Where a row, or a share of it, ended, and what is answered there.

    `why` growth stopped there; empty where the row could not go on. `nearest` are the training rows
    that answered, the nearest first, where such do.
    """

    node: int
    share: float
    here: Part
    answer: tuple[float, ...]
    why: str
    nearest: tuple[Neighbour, ...] = ()


@frozen
class Path:
    """A row's way through one tree, which counts by `weight`; `schema` tells what it predicts."""

    tree: int
    schema: Schema
    weight: float
    asked: tuple[Asked, ...]
    ends: tuple[End, ...]
    answer: tuple[float, ...]


@frozen
class RowExplanation:
    """One prediction.

    row      counted from 0
    paths    through each tree that is told, of `n_trees`
    answer   what all trees together answer: class shares that sum to 1, or a number
    label    the class, or the number in words
    actual   what the table says; empty if it does not
    """

    row: int
    source: str
    schema: Schema
    paths: tuple[Path, ...]
    n_trees: int
    answer: tuple[float, ...]
    label: str
    actual: str = field(default="")

    def render(self, format: str = "text", digits: int = 4) -> str:  # noqa: A002
        """As text, Markdown, LaTeX or JSON; see `treekit.report.explaining`."""
        from treekit.report.explaining import render

        return render(self, format, digits)

    def __str__(self) -> str:
        return self.render().rstrip("\n")
