"""Print Markdown tables of ratios: `python -m benchmarks [WHAT ...] [--quick]`."""

from __future__ import annotations

import argparse
import os
import platform

import numba
import numpy
import sklearn

import treekit
from benchmarks.adaboost import report_adaboost
from benchmarks.boosting import report_boosting
from benchmarks.files import report_files
from benchmarks.forest import report_forest
from benchmarks.growth import report_growth, report_scaling
from benchmarks.optimal import report_optimal
from benchmarks.predict import report_predict

EVERYTHING = (
    "growth", "scaling", "predict", "forest", "boosting", "adaboost", "files", "optimal",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        epilog="Example: python -m benchmarks growth",
    )
    parser.add_argument("what", nargs="*", choices=[[], *EVERYTHING], default=[])
    parser.add_argument("--quick", action="store_true", help="fewer rows and repeats")
    parser.add_argument("--repeats", type=int, default=5)
    asked = parser.parse_args()
    what = asked.what or EVERYTHING
    repeats = 2 if asked.quick else asked.repeats
    print(
        f"treekit {treekit.__version__}, scikit-learn {sklearn.__version__},"
        f" numba {numba.__version__}, numpy {numpy.__version__},"
        f" Python {platform.python_version()}, {os.cpu_count()} cores\n"
    )
    if "growth" in what:
        print(report_growth(30_000 if asked.quick else 100_000, repeats), end="\n\n", flush=True)
    if "scaling" in what:
        sizes = (10_000, 100_000) if asked.quick else (10_000, 100_000, 1_000_000)
        print(report_scaling(sizes, min(repeats, 2)), end="\n\n", flush=True)
    if "predict" in what:
        rows = 30_000 if asked.quick else 100_000
        print(report_predict(rows, 2 if asked.quick else 5 * repeats), end="\n\n", flush=True)
    if "forest" in what:
        size, trees = (20_000, 10) if asked.quick else (100_000, 100)
        print(report_forest(size, trees, min(repeats, 2)), end="\n\n", flush=True)
    if "boosting" in what:
        rows = 20_000 if asked.quick else 100_000
        print(report_boosting(rows, min(repeats, 2)), end="\n\n", flush=True)
    if "adaboost" in what:
        print(report_adaboost(asked.quick), end="\n\n", flush=True)
    if "files" in what:
        print(report_files(100_000 if asked.quick else 1_000_000, repeats), end="\n\n", flush=True)
    if "optimal" in what:
        print(report_optimal(3, repeats, asked.quick), flush=True)


if __name__ == "__main__":
    main()
