"""What every reader hands on: columns of numbers or of labels, not yet coded by a schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Protocol

import numpy as np
from attrs import field, frozen

from treekit.table.record import Floats, Ints, Kind

Ask = Literal["any", "numeric", "text"]
"""How a column is wanted: as its own values suggest, as numbers, or as its exact text."""

MISSING = ("", "?", "NA", "NaN")
"""The marks of an unknown value; blanks around a mark, and quotes, make no difference."""


@frozen(eq=False)
class Numbers:
    """A column of numbers; NaN is unknown. `finite`: it was seen that none is infinite."""

    values: Floats = field(repr=False)
    finite: bool = False


@frozen(eq=False)
class Labels:
    """A column of text: `codes[row]` indexes `labels`, -1 is unknown.

    `made` says that the text was made here from typed values (numbers, truth values), so that
    "1" may stand for a level "1.0" and "true" for a level "True".
    """

    codes: Ints = field(repr=False)
    labels: tuple[str, ...]
    made: bool = False


RawColumn = Numbers | Labels


@frozen
class ColumnSpec:
    """What is said of a column before its values are looked at; None means not said."""

    name: str
    kind: Kind | Literal["ignore"] | None = None
    levels: tuple[str, ...] | None = None

    @property
    def ask(self) -> Ask:
        if self.kind is None:
            return "any"
        return "numeric" if self.kind == "numeric" else "text"


class Opened(Protocol):
    """A source whose column names are known and whose cells are read on demand."""

    @property
    def source(self) -> str:
        """Where the data came from, for messages."""

    @property
    def names(self) -> tuple[str, ...]:
        """All columns, in order."""

    @property
    def declared(self) -> Mapping[str, ColumnSpec]:
        """What the source itself says of its columns."""

    @property
    def own_target(self) -> str | None:
        """The class column, if the format has one."""

    def load(self, asked: Mapping[str, Ask], missing: Sequence[str]) -> dict[str, RawColumn]:
        """The values of the columns asked for."""

    def place(self, row: int) -> str:
        """Where a row stands, for messages: `line 7`."""


def labels_of(values: Iterable[str | None]) -> Labels:
    """Texts, or None for an unknown one, as labels in order of appearance."""
    index: dict[str, int] = {}
    codes = [-1 if v is None else index.setdefault(v, len(index)) for v in values]
    return Labels(np.array(codes, dtype=np.int64), tuple(index))
