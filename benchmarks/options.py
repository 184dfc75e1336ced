"""What a run was asked for, which every family of contests is handed."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from benchmarks.contest import Contest, Row, held
from benchmarks.programs import Peer, entered
from benchmarks.work import Work


@frozen
class Options:
    """
    quick    fewer rows
    repeats  of each contest
    peers    those that may take part
    """

    quick: bool
    repeats: int
    peers: tuple[Peer, ...]

    def size(self, whole: int, quick: int) -> int:
        return quick if self.quick else whole

    def hold(
        self, name: str, title: str, work: Work, tolerance: float = 0.0, repeats: int | None = None
    ) -> Iterator[Row]:
        """The contest of treekit and the peers for a work."""
        contenders = entered(work, self.peers)
        yield from held(Contest(name, title, contenders, tolerance), repeats or self.repeats)
