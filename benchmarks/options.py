"""What a run was asked for, which every family of contests is handed."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from benchmarks.contest import Contender, Contest, Row, held
from benchmarks.programs import Peer, entered
from benchmarks.timing import Tell, silent
from benchmarks.work import Work


class NotHere(Exception):  # noqa: N818
    """A family cannot be run on this machine, and why."""


@frozen
class Options:
    """What was asked for.

    quick    fewer rows
    repeats  of each contest
    peers    those that may take part
    tell     is told what is going on
    most     no table has more rows, if given
    """

    quick: bool
    repeats: int
    peers: tuple[Peer, ...]
    tell: Tell = silent
    most: int | None = None

    def rows(self, whole: int, quick: int) -> int:
        """How many rows a table has."""
        return min(quick if self.quick else whole, self.most or whole)

    def entered(self, work: Work, only: Sequence[str] | None = None) -> list[Contender]:
        """Those who do a work: treekit, and the peers, or only those named."""
        allowed = [peer for peer in self.peers if only is None or peer.name in only]
        return [c for c in entered(work, allowed) if not (self.quick and c.slow)]

    def hold(
        self, name: str, title: str, work: Work, tolerance: float = 0.0, repeats: int | None = None
    ) -> list[Row]:
        """The contest of all who can do a work."""
        contest = Contest(name, title, self.entered(work), work, tolerance)
        return self.held(contest, repeats)

    def held(self, contest: Contest, repeats: int | None = None) -> list[Row]:
        """A contest held as was asked for: what takes long is not repeated."""
        return held(contest, repeats or self.repeats, self.tell, 2.0 if self.quick else 120.0)
