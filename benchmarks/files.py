"""Reading a CSV beside pandas alone; saving and loading a model of many nodes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.contest import Contender, Contest, Row
from benchmarks.data import as_table, continuous
from benchmarks.options import Options
from treekit import Model, load, read_table
from treekit.fitting import fit_table


def files(options: Options) -> Iterator[Row]:
    n = options.rows(1_000_000, 50_000)
    with tempfile.TemporaryDirectory() as folder:
        for contest in (reading(Path(folder), n), *model_files(Path(folder), n)):
            yield from options.held(contest, min(options.repeats, 3))


def reading(folder: Path, n_rows: int) -> Contest:
    x, y = continuous(n_rows)
    path = folder / "data.csv"
    frame = pd.DataFrame(x, columns=[f"x{i}" for i in range(x.shape[1])])
    frame.assign(y=y).to_csv(path, index=False)

    def by_pandas() -> Any:
        return np.ascontiguousarray(pd.read_csv(path).to_numpy(np.float64).T)

    contenders = [
        Contender("treekit", lambda: read_table(path, target="y"), lambda table: table.cells),
        Contender("pandas, to a float64 matrix", by_pandas, lambda matrix: matrix[:-1]),
    ]
    return Contest("read CSV", f"a CSV of {n_rows:,} x 21 numbers", contenders)


def model_files(folder: Path, n_rows: int) -> Iterator[Contest]:
    """A tree on pure noise has the most nodes."""
    from benchmarks.programs.ours import plain_tree

    x, _ = continuous(n_rows, 4)
    y = np.random.default_rng(1).integers(0, 2, n_rows).astype(np.float64)
    table = as_table(x, y)
    model = fit_table(plain_tree(2), table)
    path = folder / "model.json"
    model.save(path)
    what = f"a model of {model.n_nodes:,} nodes ({path.stat().st_size / 1e6:.0f} MB)"

    def answers(found: Model) -> Any:
        return found.answers[0]

    saving = Contender("treekit", lambda: model.save(path), lambda _: answers(load(path)))
    yield Contest("save", f"writing {what}", [saving])
    loading = Contender("treekit", lambda: load(path), answers)
    yield Contest("load", f"reading {what}", [loading])
