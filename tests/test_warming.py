"""What workers compile beforehand are different kernels, all in use."""

from __future__ import annotations

import numpy as np

from treekit.engine.choosing import Choosing
from treekit.engine.finishing import Finishing, can_finish
from treekit.engine.sample import sample_of

from .warming import small_tables, strategies


def test_each_small_table_asks_for_a_kernel_of_its_own() -> None:
    asked = []
    for table in small_tables():
        rng, sample = np.random.default_rng(0), sample_of(table)
        choosing = Choosing.of(table, strategies(table), rng, None, None)
        assert can_finish(choosing, sample)
        asked.append(tuple(Finishing(choosing, sample).slots.items()))
    assert len(set(asked)) == len(asked) == 9
