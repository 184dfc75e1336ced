"""Learning curves: shares of the rows, nested, and the same for all contenders."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import field, frozen

from treekit.comparing import contenders_of
from treekit.comparing.contenders import digest
from treekit.comparing.partly import LEARNED, Partly, partly
from treekit.errors import TreekitError
from treekit.table.record import Table
from treekit.testing.samples import sample_table


@frozen(eq=False)
class Remembers:
    """A contender that keeps what it was given."""

    seen: list[Table] = field(factory=list)
    name: str = "remembers"
    varied: dict[str, str] = field(factory=dict)
    document: dict[str, Any] = field(factory=dict)
    versions: dict[str, str] = field(factory=dict)

    def check(self, table: Table) -> None: ...

    def learn(self, table: Table, seed: int) -> Any:
        self.seen.append(table)


def rows_of(table: Table) -> set[tuple[float, ...]]:
    return {tuple(column) for column in np.vstack([table.cells, table.y]).T}


def test_the_rows_of_a_smaller_share_are_among_those_of_a_greater_one() -> None:
    table, all_of_it = sample_table("classification", rows=40), Remembers()
    for share in (0.1, 0.5, 1.0):
        Partly(all_of_it, share).learn(table, 3)
    few, half, whole = all_of_it.seen
    assert [t.n_rows for t in all_of_it.seen] == [4, 20, 40]
    assert rows_of(few) <= rows_of(half) <= rows_of(whole) == rows_of(table)


def test_all_contenders_get_the_same_rows_of_a_fold() -> None:
    table, one, other = sample_table("classification", rows=40), Remembers(), Remembers()
    for contender in (one, other):
        Partly(contender, 0.3).learn(table, 7)
    np.testing.assert_array_equal(one.seen[0].cells, other.seen[0].cells)


def test_every_share_is_a_contender_of_its_own() -> None:
    found = partly(contenders_of(["id3", "cart"]), [0.5, 1])
    assert [c.name for c in found][:2] == ["id3, 0.5 of the rows", "id3, 1 of the rows"]
    assert [c.varied[LEARNED] for c in found] == ["0.5", "1", "0.5", "1"]
    assert len({digest(c) for c in found}) == 4


@pytest.mark.parametrize("share", [0, -0.1, 1.5, True])
def test_a_share_that_is_none_is_told(share: float) -> None:
    with pytest.raises(TreekitError, match="above 0 and up to 1"):
        partly(contenders_of(["id3"]), [share])
