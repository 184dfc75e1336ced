"""Make D2, let a program fit its first rows, and print the most megabytes that took.

`python -m benchmarks.memory PROGRAM ROWS FITTED`: a process of its own, for `benchmarks.cost`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.data import two_classes
from benchmarks.programs import Peer, entered, peers
from benchmarks.work import Work

WARM = 2_000  # rows


def main(program: str, n_rows: int, n_fitted: int) -> None:
    data = two_classes(n_rows, seed=2)
    beside = peers([program])
    entered(Work("tree", data), beside)  # a peer's layout of the data is not the fit's either
    fit(program, Work("tree", data.first(WARM)), beside)  # nor are loading and compiling
    forget_peak()
    if n_fitted > WARM:
        fit(program, Work("tree", data), beside)
    print(peak())


def fit(program: str, work: Work, beside: list[Peer]) -> None:
    next(c for c in entered(work, beside) if c.program == program).run()


def forget_peak() -> None:
    """Let Linux count from here on, so that making the data does not hide what a fit takes."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


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
