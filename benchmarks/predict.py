"""Answers of a grown tree, in rows per second."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from attrs import evolve

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
        contenders = [grown(contender) for contender in options.entered(work)]
        contest = Contest(
            f"predict {name}",
            f"answers of a tree ({name}) of D1 to the {n:,} rows that it was grown on",
            [contender for contender in contenders if contender],
            work,
            TIES,
            n_rows=n,
        )
        yield from options.held(contest, 5 * options.repeats)


def grown(contender: Contender) -> Contender | None:
    """The same program with its tree at hand: it is asked, and that is timed."""
    model = surviving(contender.run)
    if isinstance(model, Failure):
        return None  # the contest of the fit says so
    ask = partial(contender.ask, model)
    nodes = None if contender.nodes is None else contender.nodes(model)
    return evolve(contender, run=ask, ask=itself, nodes=lambda _: nodes, warm=ask)
