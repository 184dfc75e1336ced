"""Work in threads whose outcome does not depend on them: in order, and given up when told."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from treekit.errors import Problem, TreekitError

S = TypeVar("S")
T = TypeVar("T")

AHEAD = 2  # how many results for each thread may wait to be taken

_mine = threading.local()


class GivenUp(BaseException):
    """Whoever wanted this thread's work wants it no more."""


def available_threads() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def using(threads: int) -> Iterator[None]:
    """What this thread does meanwhile may take so many threads: see `at_hand`."""
    before, _mine.threads = at_hand(), threads
    try:
        yield
    finally:
        _mine.threads = before


def at_hand() -> int:
    """How many threads a piece of this thread's work may take: one, if it works for another."""
    return getattr(_mine, "threads", 1)


def checked_threads(threads: int | None) -> int:
    """As many as somebody allows, or as there are processors for."""
    if threads is None:
        return available_threads()
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
        what = f"threads must be a whole number from 1. Got {threads!r} instead"
        raise TreekitError(Problem(what))
    return threads


def in_order(work: Callable[[S], T], items: Iterable[S], threads: int) -> Iterator[T]:
    """What `work` makes of each item, in their order, made in so many threads.

    Only a few are made ahead of what is taken. When one fails, or whoever takes them is
    interrupted, the others are given up: at the next item, or where they `go_on`.
    """
    if threads <= 1:
        yield from map(work, items)
        return
    stop = threading.Event()
    waiting: deque[Future[T]] = deque()
    with ThreadPoolExecutor(threads, initializer=_enter, initargs=(stop,)) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) > AHEAD * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def go_on() -> None:
    """Long work says this now and then: it ends here in a thread whose work is given up."""
    if getattr(_mine, "stop", None) is not None and _mine.stop.is_set():
        raise GivenUp


def _enter(stop: threading.Event) -> None:
    _mine.stop = stop
