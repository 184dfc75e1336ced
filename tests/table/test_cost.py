"""What reading costs: imports, and time."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from treekit.table import read_table


@pytest.mark.parametrize("module", ["treekit.table.record", "treekit.table"])
def test_importing_imports_no_pandas(module: str) -> None:
    code = f"import sys, {module}; print('pandas' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(path for path in sys.path if path)},
    )
    assert done.stdout == "False\n"


@pytest.mark.slow
def test_a_long_file_loads_at_the_speed_of_its_reader() -> None:
    """In processor time, so that other work on the machine decides nothing."""
    pa = pytest.importorskip("pyarrow")
    from pyarrow.csv import write_csv

    random = np.random.default_rng(0)
    columns = {f"x{i}": random.normal(size=250_000) for i in range(20)}
    write_csv(pa.table(columns), "big.csv")

    def plain() -> object:
        return np.array(pd.read_csv("big.csv").to_numpy(dtype=np.float64).T, order="C", copy=True)

    def ours() -> object:
        return read_table("big.csv", target="x19")

    def seconds(function: Callable[[], object]) -> float:
        begin = time.process_time()
        function()
        return time.process_time() - begin

    pairs = [(seconds(plain), seconds(ours)) for _ in range(8)]
    theirs, mine = (min(column) for column in zip(*pairs[1:], strict=True))
    assert mine < 1.3 * theirs
