"""Who does the work of a comparison: this process, some more of this machine, or a cluster.

Whoever does it, the outcomes are the same but for the seconds.
"""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import time
import warnings
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final

from attrs import field, frozen, validators

from treekit.comparing.cluster import Dask
from treekit.comparing.parcels import Batch, Batches, Parcel, parcels_of, unpacked, worked_off
from treekit.comparing.plan import Cell, Plan
from treekit.comparing.running import Backend, Here, failed_outcome, outcome_of
from treekit.comparing.store import Outcome
from treekit.errors import Problem, TreekitError
from treekit.threads import available_threads

AHEAD: Final = 2  # batches for each process: one under way, one at hand
ENDED: Final = "the process that worked on it ended (killed, or out of memory?)"

PATIENCE: Final = 3.0  # seconds of work before it is decided whether processes are worth it
WORTH: Final = 10.0  # seconds of work left; until a process works as fast, some five go by
LATEST: Final = 10  # cells that tell how long the rest takes

LIBRARIES: Final = ("OMP_NUM", "OPENBLAS_NUM", "MKL_NUM", "NUMBA_NUM", "VECLIB_MAXIMUM")
SINGLE: Final = {f"{library}_THREADS": "1" for library in LIBRARIES}
"""Each process works in one thread: there are as many processes as should work at a time."""


def by_jobs(jobs: int | None) -> Backend:
    """So many processes; None: one for each processor, if that is worth it."""
    if jobs is None:
        return Usual(available_threads())
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs < 1:
        raise TreekitError(Problem(f"jobs must be a whole number from 1. Got {jobs!r} instead"))
    return Here() if jobs == 1 else Processes(jobs)


@frozen
class Usual:
    """In this process as long as little is left to do, then in several."""

    jobs: int

    def outcomes(self, plan: Plan, work: list[Cell]) -> Generator[Outcome]:
        begin = before = time.perf_counter()
        # Some of the first cells take longer than the others: a compiler is started for them.
        latest: deque[float] = deque(maxlen=LATEST)
        for done, cell in enumerate(work):
            left = (median(latest) if latest else 0.0) * (len(work) - done)
            if self.jobs > 1 and before - begin > PATIENCE and left > WORTH:
                yield from Processes(self.jobs).outcomes(plan, work[done:])
                return
            yield outcome_of(plan, cell)
            now = time.perf_counter()
            latest.append(now - before)
            before = now


@frozen
class Processes:
    """In several processes of this machine.

    When one is killed, the cells that were under way are tried again, each alone; one that ends
    its process again has failed.
    """

    jobs: int = field(validator=validators.ge(1))

    def outcomes(self, plan: Plan, work: list[Cell]) -> Generator[Outcome]:
        if not work:
            return
        parcels = {parcel.name: parcel for parcel in parcels_of(plan, work)}
        batches = Batches(list(parcels.values()))
        with _folder() as folder:
            post = _Post(parcels, folder)
            while batches:
                suspects = yield from self._worked_off(batches, post, self.jobs * AHEAD)
                yield from self._alone(suspects, post)

    def _worked_off(
        self, batches: Batches, post: _Post, ahead: int
    ) -> Generator[Outcome, None, list[Batch]]:
        """All batches; but when a process ends, those that were under way are given back."""
        from joblib.externals.loky import BrokenProcessPool  # type: ignore[import-untyped]

        under_way: dict[Future[Any], Batch] = {}
        suspects: list[Batch] = []
        with _pool(self.jobs) as pool:
            while (batches and not suspects) or under_way:
                while batches and not suspects and len(under_way) < ahead:
                    batch = batches.next()
                    try:
                        under_way[post.send(pool, batch)] = batch
                    except BrokenProcessPool:
                        suspects.append(batch)
                done, _ = wait(under_way, return_when=FIRST_COMPLETED)
                for future in done:
                    batch = under_way.pop(future)
                    try:
                        found, seconds = future.result()
                    except BrokenProcessPool:
                        suspects.append(batch)
                        continue
                    batches.took(batch, seconds)
                    yield from found
        return [one for batch in suspects for one in batch.one_by_one()]

    def _alone(self, suspects: list[Batch], post: _Post) -> Iterator[Outcome]:
        """One cell after the other, so that it is known which of them ends its process."""
        from joblib.externals.loky import BrokenProcessPool

        waiting = deque(suspects)
        while waiting:
            with _pool(1) as pool:
                while waiting:
                    batch = waiting.popleft()
                    try:
                        yield from post.send(pool, batch).result()[0]
                    except BrokenProcessPool:
                        yield from post.failed(batch)
                        break


class _Post:
    """Parcels on their way: each is a file, written when it is first needed."""

    def __init__(self, parcels: dict[str, Parcel], folder: Path) -> None:
        self.parcels = parcels
        self.folder = folder

    def send(self, pool: Any, batch: Batch) -> Future[Any]:
        from joblib.externals.loky.backend.reduction import dumps  # type: ignore[import-untyped]

        file = self.folder / batch.parcel
        if not file.exists():
            draft = file.with_suffix(".draft")
            # Contenders may be of classes that only this process can import.
            draft.write_bytes(dumps(self.parcels[batch.parcel]))
            draft.replace(file)
        with _uninterrupted():
            made: Future[Any] = pool.submit(_work, batch, file)
        return made

    def failed(self, batch: Batch) -> Iterator[Outcome]:
        parcel = self.parcels[batch.parcel]
        return (failed_outcome(parcel.plan, parcel.cells[n], ENDED) for n in batch.numbers)


def _work(batch: Batch, file: Path) -> tuple[list[Outcome], float]:
    return worked_off(unpacked(batch.parcel, file.read_bytes), batch.numbers)


@contextmanager
def _pool(jobs: int) -> Iterator[Any]:
    """Processes that end with this one, and at once when their work is no longer wanted."""
    from joblib.externals.loky import ProcessPoolExecutor

    # A process that has grown large is replaced between two folds: nothing that users need know.
    warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)
    pool = ProcessPoolExecutor(jobs, initializer=_begin, initargs=(os.getpid(),), env=SINGLE)
    try:
        yield pool
    finally:
        # What is not begun is forgotten first: loky (3.5) would look for it after dropping it.
        while not pool._work_ids.empty():
            pool._work_ids.get_nowait()
        pool.shutdown(wait=True, kill_workers=True)


def _begin(parent: int) -> None:
    """What a process does first: it must not outlive the one that it works for."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Processes started meanwhile never hear Ctrl-C: this one hears it, and ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder that is gone in the end, even when this process is killed."""
    from joblib.externals.loky.backend import resource_tracker  # type: ignore[import-untyped]

    with tempfile.TemporaryDirectory(prefix="treekit-") as name:
        with _uninterrupted():
            resource_tracker.register(name, "folder")
        try:
            yield Path(name)
        finally:
            resource_tracker.unregister(name, "folder")


__all__ = ["Dask", "Here", "Processes", "Usual", "by_jobs"]
