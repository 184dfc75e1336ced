"""A file per program: `contenders(work)` says how it does a work, in as many ways as it has."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module, metadata
from typing import Protocol

from attrs import frozen

from benchmarks.contest import Contender
from benchmarks.work import Work


class Program(Protocol):
    """What the module of a program offers."""

    NAME: str
    DISTRIBUTION: str

    def contenders(self, work: Work) -> list[Contender]: ...


@frozen
class Peer:
    """A program beside treekit.

    version  None where it is not there
    """

    name: str
    module: str
    version: str | None

    def contenders(self, work: Work) -> list[Contender]:
        found: list[Contender] = import_module(self.module).contenders(work)
        return found


MODULES = ("scikit_learn",)


def peers() -> list[Peer]:
    """Every peer that is known, installed or not."""
    found = []
    for name in MODULES:
        module = import_module(f"{__name__}.{name}")
        found.append(Peer(module.NAME, module.__name__, version_of(module.DISTRIBUTION)))
    return found


def version_of(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def entered(work: Work, against: Sequence[Peer]) -> list[Contender]:
    """Those who do a work: treekit, and whichever of these peers can."""
    ours: list[Contender] = import_module(f"{__name__}.ours").contenders(work)
    return [*ours, *(c for peer in against if peer.version for c in peer.contenders(work))]
