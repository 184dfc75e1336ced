"""The cases of some nodes as the tests of several columns see them: by one value each."""

from __future__ import annotations

import numpy as np
from attrs import evolve

from treekit.engine import partition
from treekit.engine.cases import Cases
from treekit.offers import Tests
from treekit.table.ranking import LOW
from treekit.table.record import Column, Floats, Ints, Schema, Table
from treekit.tree import ranges

SUM = Column("sum", "numeric")


def cases_along(cases: Cases, start: Ints, stop: Ints, tests: Tests) -> tuple[Cases, Ints, Ints]:
    """The nodes' cases with one numeric column: the sum that each node's LINEAR test asks for.

    They are rows of a table of their own, so that a row of several nodes may have a value in each.
    Whatever is asked of the cases of a column can be asked of these. With where each node's begin
    and end.
    """
    size = stop - start
    end = np.cumsum(size)
    begin = end - size
    which = (cases.words[0][ranges(start, size)] & LOW).astype(np.int64)
    values: Floats = np.empty(len(which))
    partition.values_along.bound(cases.compiled)(
        cases.words[0], start, stop, tests.kind, np.ascontiguousarray(tests.operands),
        tests.n_operands, cases.sample.table.cells, cases.rows, begin, values,
    )  # fmt: skip
    whole = cases.sample.table
    rows = cases.rows[which] if len(cases.rows) else which
    table = Table(Schema((SUM,), whole.schema.target), values[None], whole.y[rows])
    ranked = table.rankings
    in_order, ascending = ranked.words
    owner = np.repeat(np.arange(len(size)), size)
    by_node = np.argsort(owner[(ascending & LOW).astype(np.int64)], kind="stable")
    words = np.stack([in_order, ascending[by_node]])
    targets = cases.targets[which]
    sample = evolve(
        cases.sample,
        table=table,
        words=words,
        ordered=ranked.columns,
        values=ranked.values,
        offset=ranked.start[:-1],
        n_distinct=np.diff(ranked.start).astype(np.uint64),
        targets=targets,
    )
    found = evolve(
        cases,
        sample=sample,
        words=words,
        rows=np.empty(0, np.int64),
        weights=cases.weights[which] if len(cases.weights) > 1 else cases.weights,
        targets=targets,
        spare=None,
    )
    return found, begin, end
