"""Answers of a grown tree, in rows per second."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from benchmarks.contest import Contender, Contest, Failure, Row, itself, surviving
from benchmarks.data import two_classes
from benchmarks.options import Options
from benchmarks.trees import TIES
from benchmarks.work import Must, Work


def predict(options: Options) -> Iterator[Row]:
    data = two_classes(options.rows(100_000, 20_000))
    n = data.table.n_rows
    cases: tuple[tuple[str, int | None, Must], ...] = (
        ("full", None, "same"),
        ("depth 10", 10, "as good"),
    )
    for name, depth, must in cases:
        work = Work("tree", data, depth=depth, must=must)
        contenders = [grown(work, contender) for contender in options.entered(work)]
        contest = Contest(
            f"predict {name}",
            f"class names by a tree ({name}) of D1 to the {n:,} rows that it was grown on;"
            " one thread",
            [contender for contender in contenders if contender],
            work,
            TIES,
            n_rows=n,
        )
        yield from options.held(contest, 5 * options.repeats)


def grown(work: Work, contender: Contender) -> Contender | None:
    """The same program with its tree at hand: it is asked, and that is timed."""
    model = surviving(contender.run)
    if isinstance(model, Failure):
        return None  # the contest of the fit says so
    ask = partial(named, work, partial(contender.ask, model))
    nodes = None if contender.nodes is None else contender.nodes(model)
    return evolve(contender, run=ask, ask=itself, nodes=lambda _: nodes, warm=ask)


def named(work: Work, ask: Callable[[], Any]) -> NDArray[Any]:
    """Answers as class names: those of programs that know them by their numbers are looked up."""
    answers = np.asarray(ask())
    if answers.dtype == object:
        return answers
    names = np.array(work.data.table.schema.classes, dtype=object)
    return names.take(answers.ravel().astype(np.intp))
