"""Learning curves: contenders that learn from a share of a fold's rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
from attrs import frozen

from treekit.comparing.contenders import Contender, Learned
from treekit.errors import Problem, TreekitError
from treekit.table.record import Table

LEARNED: Final = "learned share"
"""What is varied, beside paths of recipes."""


@frozen(eq=False)
class Partly:
    """A contender that learns from a share of the rows.

    Those of a smaller share are among those of a greater one, and all contenders get the same.
    """

    whole: Contender
    share: float

    @property
    def name(self) -> str:
        return f"{self.whole.name}, {self.share:.4g} of the rows"

    @property
    def varied(self) -> dict[str, str]:
        return {**self.whole.varied, LEARNED: f"{self.share:.4g}"}

    @property
    def document(self) -> dict[str, Any]:
        return {"learns from": self.share, "whole": self.whole.document}

    @property
    def versions(self) -> Mapping[str, str]:
        return self.whole.versions

    def check(self, table: Table) -> None:
        self.whole.check(table)

    def learn(self, table: Table, seed: int) -> Learned:
        n = math.ceil(self.share * table.n_rows)
        rows = np.random.default_rng(seed).permutation(table.n_rows)[:n]
        return self.whole.learn(table.take(np.sort(rows)), seed)


def partly(contenders: Iterable[Contender], shares: Iterable[float]) -> list[Contender]:
    """Every contender with each share of the rows, in this order."""
    wanted = tuple(shares)
    for share in wanted:
        if isinstance(share, bool) or not 0 < share <= 1:
            what = f"a share to learn from must lie above 0 and up to 1. Got {share!r} instead"
            raise TreekitError(Problem(what))
    return [Partly(contender, float(share)) for contender in contenders for share in wanted]
