"""Reading a CSV beside pandas alone; saving and loading a model of many nodes."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from treekit_builtin import Gini

from benchmarks.data import as_table, continuous
from benchmarks.growth import fitted
from benchmarks.timing import interleaved
from treekit import load, read_table

PEER = "pandas.read_csv and a float64 matrix"
OURS = "treekit.read_table"


def report_files(n_rows: int, repeats: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        return f"{_reading(Path(folder), n_rows, repeats)}\n\n{_saving(Path(folder), n_rows)}"


def _reading(folder: Path, n_rows: int, repeats: int) -> str:
    x, y = continuous(n_rows)
    path = folder / "data.csv"
    frame = pd.DataFrame(x, columns=[f"x{i}" for i in range(x.shape[1])])
    frame.assign(y=y).to_csv(path, index=False)
    timings = interleaved(
        {
            PEER: lambda: np.ascontiguousarray(pd.read_csv(path).to_numpy(np.float64).T),
            OURS: lambda: read_table(path, target="y"),
        },
        min(repeats, 3),
    )
    lines = [
        f"Reading {n_rows:,} x 21 numbers as CSV.",
        "",
        "| | least s | ratio |",
        "|---|---|---|",
    ]
    for name, timing in timings.items():
        lines.append(f"| {name} | {timing.least:.2f} | {timing.least / timings[PEER].least:.2f} |")
    return "\n".join(lines)


def _saving(folder: Path, n_rows: int) -> str:
    """A tree on pure noise has the most nodes."""
    x, _ = continuous(n_rows)
    y = np.random.default_rng(1).integers(0, 2, n_rows).astype(np.float64)
    model = fitted(as_table(x[:, :4], y), Gini())()
    path = folder / "model.json"
    saved = interleaved({"save": lambda: model.save(path)}, 2)["save"]
    loaded = interleaved({"load": lambda: load(path)}, 2)["load"]
    return (
        f"A model of {model.n_nodes:,} nodes ({path.stat().st_size / 1e6:.0f} MB):"
        f" saved in {saved.least:.1f} s, loaded in {loaded.least:.1f} s."
    )
