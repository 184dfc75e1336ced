"""Blocks of candidate cuts, and how they are scored.

Formulas in row form are compiled into a loop over the block; formulas in array form get the block
as NumPy arrays. Either way a block holds candidates of many nodes, so Python's cost vanishes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

from treekit.engine import scan
from treekit.engine.joining import best_scores
from treekit.engine.scoring import Scoring
from treekit.table.record import Floats, Ints

BLOCK_BYTES = 1 << 20  # the larger the block, the less often Python is entered


class Room:
    """Memory that is used again from level to level, by name. What is in it is anything."""

    def __init__(self) -> None:
        self.held: dict[str, npt.NDArray[Any]] = {}
        self.shares: dict[int, Room] = {}

    def share(self, number: int) -> Room:
        """The room of one of several threads."""
        return self.shares.setdefault(number, Room())

    def array(self, name: str, size: int, kind: type = np.int64) -> npt.NDArray[Any]:
        held = self.held.get(name)
        if held is None or len(held) < size:
            held = self.held[name] = np.empty(size, kind)
        return held[:size]


class Block:
    """Room for n candidates of `size` statistics, as the kernels of `scan` write them."""

    def __init__(self, n: int, size: int, room: Room) -> None:
        # Statistics lie plane by plane, so that NumPy's sums over the last axis run long.
        self.planes = room.array("planes", 2 * size * n, np.float64).reshape(2, size, n)
        self.value = room.array("value", n, np.float64)
        self.between = room.array("between", n, np.uint64)
        self.owner, self.bounds = room.array("owner", n + 1), room.array("bounds", n + 1)

    def __len__(self) -> int:
        return len(self.value)

    @property
    def lefts(self) -> Floats:
        lefts: Floats = self.planes[0]
        return lefts

    @property
    def candidates(self) -> tuple[Any, ...]:
        return self.lefts, self.between, self.owner, self.bounds


def neighbours(between: npt.NDArray[np.uint64]) -> tuple[Ints, Ints]:
    """The ranks that cuts separate."""
    return (between >> scan.HALF).astype(np.int64), (between & scan.LOW).astype(np.int64)


@frozen(eq=False)
class Placing:
    """How a handler counts the unknown cases with those of a candidate's branches.

    unknown  [nodes, columns, S]: their statistics
    ways     of pair, ranks of the neighbours, branches [m, 2, S] and unknown [m, S]: the ways
             [m, ways, k, S] of counting them, of which the best one is taken
    typical  [nodes * columns, 1 or 1 + classes]: the values that stand for them; None: none do
    """

    unknown: Floats
    ways: Callable[[Ints, Ints, Ints, Floats, Floats], Floats]
    typical: Floats | None = None


@frozen(eq=False, slots=False)
class Weighing:
    """What the candidates of a block score.

    What is known of pair p has the statistics known[p // per] and the impurity before[p // per]; a
    handler that counts the unknown cases is `placed`.
    """

    scoring: Scoring
    known: Floats
    before: Floats
    per: int
    of_classes: bool
    compiled: bool
    placed: Placing | None = None

    @property
    def n_stats(self) -> int:
        return int(self.known.shape[1])

    @property
    def room(self) -> int:
        """How many candidates a block should hold."""
        return BLOCK_BYTES // (16 * (self.n_stats - 1))

    @property
    def sized(self) -> dict[str, int]:
        """Two classes, and numbers: worth kernels of their own, whose loops are unrolled."""
        return {"SIZE": 3} if self.n_stats == 3 else {}

    def score(self, block: Block, runs: int) -> None:
        """Score the candidates of the first so many runs."""
        if self.placed is not None:
            self._score_placed(self.placed, block, runs)
        elif self.scoring.is_fused:
            self._score_rows(
                runs, block.lefts, block.owner, block.bounds, self.known, self.before, self.per,
                *self.scoring.parameters, block.value,
            )  # fmt: skip
        else:
            mine, whole, branches = self._branches(block, runs)
            block.value[: len(mine)] = self.scoring.score(
                whole.T, branches, self.before[mine], self.compiled
            )

    @cached_property
    def _score_rows(self) -> Callable[..., None]:
        slots = {**self.sized, "NUMBERS": int(not self.of_classes)}
        return scan.score_block.bound(self.compiled, {**self.scoring.formulas, **slots})

    def _score_placed(self, placed: Placing, block: Block, runs: int) -> None:
        """The unknown cases count too, where the handler puts them."""
        unknown, whole, before = self._whole
        mine, _, branches = self._branches(block, runs)
        m = len(mine)
        between = neighbours(block.between[:m])
        ways = placed.ways(mine, *between, branches, unknown.take(mine, axis=1).T)
        block.value[:m] = best_scores(
            self.scoring, ways, whole.take(mine, axis=1), before[mine], self.compiled
        )

    @cached_property
    def _whole(self) -> tuple[Floats, Floats, Floats]:
        """The unknown [S, pairs], all [S, pairs], and the impurity of all."""
        assert self.placed is not None
        unknown = self.placed.unknown.reshape(self.known.shape)
        whole = self.known + unknown
        before = self.scoring.impurity_of(whole, self.compiled)
        return np.ascontiguousarray(unknown.T), np.ascontiguousarray(whole.T), before

    def _branches(self, block: Block, runs: int) -> tuple[Ints, Floats, Floats]:
        """Of each candidate: where its pair is known, what is known of it [S, m], its branches."""
        n = int(block.bounds[runs])
        mine, whole = np.empty(n, np.int64), np.empty((self.n_stats, n))
        scan.branch_out.bound(self.compiled, {"NUMBERS": int(not self.of_classes)})(
            runs, block.owner, block.bounds, self.known, self.per, block.planes, whole, mine
        )
        return mine, whole, block.planes[:, :, :n].transpose(2, 0, 1)
