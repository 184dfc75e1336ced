"""What was compiled is kept on disk: another process finds it and compiles nothing again."""

from __future__ import annotations

import json
import subprocess
import sys

SCRIPT = """
import gc, json
import numpy as np
import treekit
from treekit.compiling import Kernel

rng = np.random.default_rng(0)
cells = rng.normal(size=(4, 6_000))
columns = tuple(treekit.Column(f"x{i}", "numeric") for i in range(4))
schema = treekit.Schema(columns, treekit.Column("y", "nominal", ("no", "yes")))
y = (cells.sum(axis=0) + rng.normal(size=6_000) > 0).astype(float)
model = treekit.fit("id3", treekit.Table(schema, cells, y))
model.predict(treekit.Table(schema, cells))

found = missed = 0
for kernel in [one for one in gc.get_objects() if isinstance(one, Kernel)]:
    for made in kernel._made.values():
        made = getattr(made, "kernel", made)
        if hasattr(made, "stats"):
            found += sum(made.stats.cache_hits.values())
            missed += sum(made.stats.cache_misses.values())
        elif hasattr(made, "cache_hits"):  # a pointer
            found, missed = found + made.cache_hits, missed + (made.cache_hits == 0)
print(json.dumps([found, missed]))
"""


def fitted() -> list[int]:
    """How many kernels a new process found, and how many it compiled."""
    run = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    told: list[int] = json.loads(run.stdout)
    return told


def test_a_second_process_compiles_nothing() -> None:
    fitted()
    found, compiled = fitted()
    assert compiled == 0
    assert found > 10
