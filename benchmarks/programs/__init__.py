"""A file per program: `contenders(work)` says how it does a work, in as many ways as it has."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module, metadata
from types import ModuleType

from attrs import frozen

from benchmarks.contest import Contender
from benchmarks.work import Work

MODULES = ("scikit_learn", "snap_ml", "one_dal", "xg_boost", "ydf", "r", "weka")


@frozen
class Peer:
    """A program beside treekit.

    version  None where it is not there
    """

    name: str
    module: ModuleType
    version: str | None

    def contenders(self, work: Work) -> list[Contender]:
        found: list[Contender] = self.module.contenders(work) if self.version else []
        return found


def peer_names() -> list[str]:
    return [module.NAME for module in _modules()]


def peers(names: Sequence[str]) -> list[Peer]:
    """These peers, whether they are there or not."""
    chosen = [module for module in _modules() if module.NAME in names]
    return [Peer(module.NAME, module, version_of(module)) for module in chosen]


def _modules() -> list[ModuleType]:
    return [import_module(f"{__name__}.{name}") for name in MODULES]


def version_of(module: ModuleType) -> str | None:
    """A Python package's version, or what the module of another program says."""
    if hasattr(module, "version"):
        version: str | None = module.version()
        return version
    return next(filter(None, map(installed, module.DISTRIBUTIONS)), None)


def installed(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def entered(work: Work, against: Sequence[Peer]) -> list[Contender]:
    """Those who do a work: treekit, and whichever of these peers can."""
    from benchmarks.programs import ours

    return [*ours.contenders(work), *(c for peer in against for c in peer.contenders(work))]
