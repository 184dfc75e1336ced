"""The cases of some nodes as the tests of several columns see them: by one value each."""

from __future__ import annotations

import numpy as np
from attrs import evolve

from treekit.engine import partition
from treekit.engine.cases import Cases
from treekit.offers import Tests
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
    which = cases.order[ranges(start, size)]
    values: Floats = np.empty(len(which))
    partition.values_along.bound(cases.compiled)(
        cases.order, start, stop, tests.kind, np.ascontiguousarray(tests.operands),
        tests.n_operands, cases.sample.table.cells, cases.rows, begin, values,
    )  # fmt: skip
    whole = cases.sample.table
    table = Table(Schema((SUM,), whole.schema.target), values[None], whole.y[cases.rows_of(which)])
    sample = evolve(cases.sample, table=table, ranked=table.rankings, targets=cases.targets[which])
    found = Cases(
        sample,
        words=np.arange(len(which), dtype=np.uint64)[None],
        codes=sample.codes,
        rows=np.empty(0, np.int64),
        weights=cases.weights_of(which),
        targets=sample.targets,
        carried=np.zeros(1, np.int64),
        compiled=cases.compiled,
    )
    return found, begin, end
