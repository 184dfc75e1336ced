"""What reading costs: imports. What it costs in time is measured in benchmarks/."""

from __future__ import annotations

import subprocess
import sys

import pytest


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
