"""Make D2, let a program fit its first rows, and print the most megabytes that took.

`python -m benchmarks.memory PROGRAM ROWS FITTED`: a process of its own, for `benchmarks.cost`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.data import two_classes
from benchmarks.programs import entered, peers
from benchmarks.work import Work

WARM = 2_000  # rows


def main(program: str, n_rows: int, n_fitted: int) -> None:
    data = two_classes(n_rows, seed=2)
    beside = peers([program])
    entered(Work("tree", data), beside)  # a peer's layout of the data is not the fit's either
    few = data.first(WARM)  # compiling and loading are not the fit's
    for seen in (few, data) if n_fitted > WARM else (few,):
        contenders = entered(Work("tree", seen), beside)
        next(c for c in contenders if c.program == program).run()
    print(peak())


def peak() -> float:
    """The most megabytes that this process held.

    On Linux by /proc: ru_maxrss there counts what the parent held when it started this one.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return float(lines["VmHWM"].split()[0]) / 1024
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 2**20 if sys.platform == "darwin" else most / 1024


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
