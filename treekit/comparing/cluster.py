"""A comparison on a cluster of Dask: the same batches, sent to wherever its workers are."""

from __future__ import annotations

import logging
import socket
from collections.abc import Generator, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any, Final

from attrs import field, frozen

from treekit.comparing.parcels import KEPT, Batch, Batches, Parcel, parcels_of, unpacked, worked_off
from treekit.comparing.plan import Cell, Plan
from treekit.comparing.running import failed_outcome
from treekit.comparing.store import Outcome
from treekit.errors import Problem, TreekitError

AHEAD: Final = 2  # batches for each thread of the workers
TIMEOUT: Final = 10.0
ENDED: Final = "the workers that tried it ended (killed, or out of memory?)"


@frozen
class Dask:
    """On the workers of a Dask scheduler. What a lost worker had to do is done by another.

    Cells that lost several are tried again in the end, each alone; then they have failed.

    scheduler  its address, such as tcp://host:8786
    timeout    seconds to wait for it, and for a first worker
    """

    scheduler: str
    timeout: float = field(default=TIMEOUT)

    def outcomes(self, plan: Plan, work: list[Cell]) -> Generator[Outcome]:
        if not work:
            return
        parcels = {parcel.name: parcel for parcel in parcels_of(plan, work)}
        batches = Batches(list(parcels.values()))
        with _client(self.scheduler, self.timeout) as client, _in_words(self.scheduler):
            yield from _worked_off(client, batches, _Post(client, parcels))


def _worked_off(client: Any, batches: Batches, post: _Post) -> Iterator[Outcome]:
    from distributed import KilledWorker, as_completed

    under_way: dict[Any, Batch] = {}
    suspects: list[Batch] = []
    arriving: Any = as_completed(loop=client.loop)  # type: ignore[no-untyped-call]
    while batches or under_way:
        # Workers may come and go meanwhile.
        ahead = AHEAD * max(sum(client.nthreads().values()), 1)
        while batches and len(under_way) < ahead:
            batch = batches.next()
            future = post.send(batch)
            under_way[future] = batch
            arriving.add(future)
        future = next(arriving)
        batch = under_way.pop(future)
        try:
            found, seconds = future.result()
        except KilledWorker:
            # It need not be to blame: Dask says this of all that a worker had before it.
            suspects += batch.one_by_one()
        else:
            batches.took(batch, seconds)
            yield from found
    for batch in suspects:
        try:
            yield from post.send(batch).result()[0]
        except KilledWorker:
            yield from post.failed(batch)


@contextmanager
def _in_words(scheduler: str) -> Iterator[None]:
    """What goes wrong with the cluster, rather than with a fold, in words."""
    try:
        yield
    except (TreekitError, GeneratorExit):
        raise
    except (OSError, TimeoutError, CancelledError):
        what = "the scheduler of Dask no longer answers"
        instead = "what was done is in the results file, if there is one; start it again"
        raise TreekitError(Problem(what, scheduler, instead)) from None
    except Exception as error:
        told = f"{type(error).__name__}: {' '.join(str(error).split())}"
        instead = "are treekit and its plugins installed for all workers, as they are here?"
        raise TreekitError(Problem(f"Dask failed: {told}", scheduler, instead)) from error


@contextmanager
def _silently() -> Iterator[None]:
    """Without the log of Dask: what there is to tell is told in words."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    loggers = [one for one in map(logging.getLogger, names) if not one.disabled]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger in loggers:
            logger.disabled = False


class _Post:
    """Parcels on their way. The scheduler holds what is sent, so a lost worker takes none along."""

    def __init__(self, client: Any, parcels: dict[str, Parcel]) -> None:
        self.client = client
        self.parcels = parcels
        self.sent: dict[str, Any] = {}

    def send(self, batch: Batch) -> Any:
        import cloudpickle  # type: ignore[import-untyped]

        if batch.parcel not in self.sent:
            # Contenders may be of classes that only this process can import.
            content = cloudpickle.dumps(self.parcels[batch.parcel])
            self.sent[batch.parcel] = self.client.submit(bytes, content, pure=False)
            # What batches under way need stays until they are done.
            for name in list(self.sent)[:-KEPT]:
                del self.sent[name]
        return self.client.submit(_work, batch, self.sent[batch.parcel], pure=False)

    def failed(self, batch: Batch) -> Iterator[Outcome]:
        parcel = self.parcels[batch.parcel]
        return (failed_outcome(parcel.plan, parcel.cells[n], ENDED) for n in batch.numbers)


def _work(batch: Batch, content: bytes) -> tuple[list[Outcome], float]:
    return worked_off(unpacked(batch.parcel, lambda: content), batch.numbers)


@contextmanager
def _client(scheduler: str, timeout: float) -> Iterator[Any]:
    """A client of the scheduler; TreekitError if it does not answer or has no worker."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        what = "the backend dask needs Dask"
        raise TreekitError(Problem(what, instead="pip install 'treekit[dask]'")) from None
    with _silently(), _connected(scheduler, timeout) as client:
        try:
            client.wait_for_workers(1, timeout=timeout)
        except TimeoutError:
            what = "the scheduler of Dask has no workers"
            instead = f"start some with `dask worker {scheduler}`"
            raise TreekitError(Problem(what, scheduler, instead)) from None
        yield client


def _connected(scheduler: str, timeout: float) -> Any:
    from distributed import Client
    from distributed.comm.addressing import get_address_host_port

    try:
        # Dask itself leaves threads behind, and says so, where nobody answers.
        socket.create_connection(get_address_host_port(scheduler), timeout).close()
        return Client(  # type: ignore[no-untyped-call]
            scheduler, timeout=timeout, set_as_default=False
        )
    except (OSError, ValueError, TimeoutError) as error:
        told = " ".join(str(error).split())
        what = f"no scheduler of Dask answers here: {told}"
        instead = "start one with `dask scheduler`, and give the address that it tells"
        raise TreekitError(Problem(what, scheduler, instead)) from None
