"""Do the figures of a bundle hold? Its folds are learned from again, and every metric compared.

The stored folds are used, so that figures can be compared even where folds are drawn otherwise
now; whether the seed still draws them is told apart.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any, Final

import numpy as np
from attrs import field, frozen

from treekit.comparing.backends import by_jobs
from treekit.comparing.bundle import Bundle, versions_here
from treekit.comparing.bundle_reading import read_bundle
from treekit.comparing.bundle_results import CellName
from treekit.comparing.data import DataSet
from treekit.comparing.finding import find_data
from treekit.comparing.packed_folds import PackedFolds, unpacked
from treekit.comparing.plan import Cell, Plan, cells, folds_of, plan_of
from treekit.comparing.resampling import Fold
from treekit.comparing.running import SECONDS, Backend, Progress, Told, named
from treekit.comparing.store import Outcome
from treekit.errors import DataError, Problem, TreekitError

NEAR: Final = 1e-12
"""Relative: how far figures may be from each other where versions or machines differ."""

# Other versions of these may draw other folds from the same seed.
DRAWING: Final = ("treekit", "numpy")


@frozen
class Changed:
    """A figure that is another now; None where it was, or is, not measured. `seed` is one, too."""

    data: str
    contender: str
    repeat: int
    fold: int
    metric: str
    then: float | None
    now: float | None


@frozen
class Turned:
    """A fold that failed then or fails now, but not both; "" where it did not."""

    data: str
    contender: str
    repeat: int
    fold: int
    then: str
    now: str


@frozen
class OtherVersion:
    """What has another version now; "" where it was, or is, not used."""

    name: str
    then: str
    now: str


@frozen
class Verdict:
    """What came of rerunning a bundle, or a sample of it.

    cells     how many the bundle has: a contender on a fold is one
    rerun     how many of them were run again
    differing how many of those had some figure changed, or turned
    changed   every figure that is another now
    turned    folds that failed and now succeed, or the other way round
    folds     data sets whose stored folds are not those that the seed draws now
    versions  what has another version now
    where     each data set, and where it was found
    """

    title: str
    cells: int
    rerun: int
    differing: int
    changed: tuple[Changed, ...] = field(repr=False)
    turned: tuple[Turned, ...] = field(repr=False)
    folds: tuple[str, ...]
    versions: tuple[OtherVersion, ...]
    where: Mapping[str, str]

    @property
    def equal(self) -> int:
        return self.rerun - self.differing

    @property
    def exactly(self) -> bool:
        """Were figures to be the same to the last bit? Only where all versions are the same."""
        return not self.versions

    @property
    def drawn_otherwise(self) -> bool:
        """Do the folds differ from what the seed draws, with no other version to explain it?"""
        return bool(self.folds) and not any(v.name in DRAWING for v in self.versions)

    @property
    def holds(self) -> bool:
        return not self.differing and not self.drawn_otherwise


def verify(
    bundle: Bundle | str | os.PathLike[str],
    data: Iterable[Any] = (),
    sample: int | None = None,
    seed: int = 0,
    jobs: int | None = None,
    backend: Backend | None = None,
    progress: Told | None = None,
) -> Verdict:
    """Run a comparison again, and tell whether its figures hold. Seconds are not compared.

    bundle    a file, or what `read_bundle` gives
    data      where the data are, if they are not in the bundle nor where they came from: files,
              folders, globs, names or tables; what has another digest is refused
    sample    run so many cells only, drawn from `seed`; all unless given
    jobs      how many processes work; unless given one for each processor, if that is worth it
    backend   who does the work, in the place of `jobs`
    progress  is told how far it is

    TreekitError if it cannot be checked: a bad file, data that are missing or were changed, or a
    recipe whose parts are not installed.
    """
    known = bundle if isinstance(bundle, Bundle) else read_bundle(bundle)
    if sample is not None and sample < 1:
        raise TreekitError(Problem(f"a sample has 1 cell at least, not {sample}"))
    found = find_data(known, data)
    sets = [one.data for one in found]
    stored = StoredFolds({one.name: one.folds for one in known.data})
    plan = plan_of(known.contenders, sets, stored, known.seed)
    every = list(cells(plan))
    work = _chosen(every, sample, seed)
    then = {_name(outcome): outcome for outcome in known.outcomes}
    versions = tuple(_other_versions(known.versions, versions_here(known.contenders)))
    changed: list[Changed] = []
    turned: list[Turned] = []
    for now in _rerun(plan, work, backend or by_jobs(jobs), progress or (lambda progress: None)):
        before = then[_name(now)]
        if bool(before.failure) != bool(now.failure):
            turned.append(Turned(*_name(now), before.failure, now.failure))
        changed += _changes(before, now, exactly=not versions)
    return Verdict(
        title=known.title,
        cells=len(every),
        rerun=len(work),
        differing=len({_name(c) for c in changed} | {_name(t) for t in turned}),
        changed=tuple(changed),
        turned=tuple(turned),
        folds=tuple(_drawn_otherwise(known, sets)),
        versions=versions,
        where={one.data.name: one.where for one in found},
    )


@frozen(eq=False)
class StoredFolds:
    """A resampling that draws nothing: the folds are known, by the name of the data set."""

    folds: Mapping[str, PackedFolds]

    def draw(self, data: DataSet, rng: np.random.Generator) -> list[Fold]:
        return unpacked(self.folds[data.name])


def _chosen(every: list[Cell], sample: int | None, seed: int) -> list[Cell]:
    if sample is None or sample >= len(every):
        return every
    drawn = np.random.default_rng(seed).choice(len(every), sample, replace=False)
    return [every[i] for i in np.sort(drawn)]


def _rerun(plan: Plan, work: list[Cell], backend: Backend, told: Told) -> Iterator[Outcome]:
    """The outcomes in the order of the work, whatever order the backend has."""
    found: dict[str, Outcome] = {}
    failed = 0
    told(Progress(0, 0, 0, len(work)))
    with closing(backend.outcomes(plan, work)) as outcomes:
        for done, outcome in enumerate(outcomes, 1):
            found[outcome.key] = outcome
            failed += bool(outcome.failure)
            told(Progress(done, failed, 0, len(work)))
    # Contenders that differ by their names alone share their keys.
    return (named(plan, cell, found[cell.key]) for cell in work)


def _name(of: Outcome | Changed | Turned) -> CellName:
    return of.data, of.contender, of.repeat, of.fold


def _changes(then: Outcome, now: Outcome, exactly: bool) -> Iterator[Changed]:
    """The figures of a cell that are not what they were; what failed has none but its seed."""
    if then.seed != now.seed:
        yield Changed(*_name(now), "seed", then.seed, now.seed)
    if then.failure or now.failure:
        return
    for metric in dict.fromkeys((*then.metrics, *now.metrics)):
        before, after = then.metrics.get(metric), now.metrics.get(metric)
        if metric not in SECONDS and not _same(before, after, exactly):
            yield Changed(*_name(now), metric, before, after)


def _same(then: float | None, now: float | None, exactly: bool) -> bool:
    if then is None or now is None:
        return then is now
    if math.isnan(then) or math.isnan(now):
        return math.isnan(then) and math.isnan(now)
    return then == now if exactly else math.isclose(then, now, rel_tol=NEAR, abs_tol=0.0)


def _other_versions(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[OtherVersion]:
    for name in sorted({*then, *now}):
        if then.get(name) != now.get(name):
            yield OtherVersion(name, then.get(name, ""), now.get(name, ""))


def _drawn_otherwise(bundle: Bundle, sets: Iterable[DataSet]) -> Iterator[str]:
    """The data sets of which the seed does not draw the stored folds."""
    plan = Plan(bundle.contenders, (), bundle.resampling, bundle.seed)
    for data, known in zip(sets, bundle.data, strict=True):
        try:
            now = folds_of(plan, data)
        except DataError:
            now = []
        if _told(now) != _told(unpacked(known.folds)):
            yield data.name


def _told(folds: Iterable[Fold]) -> list[tuple[int, int, str]]:
    return [(fold.repeat, fold.number, fold.digest) for fold in folds]
