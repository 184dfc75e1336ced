"""R's rpart (CART with surrogates) and ranger (forests), in a process of their own.

Each run reads the tables again; the seconds are those of the fit alone, by R's clock.
"""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache
from pathlib import Path
from shutil import which

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from benchmarks.contest import Contender
from benchmarks.data import Data
from benchmarks.timing import Clocked
from benchmarks.work import Work

NAME = "R"
SCRIPT = Path(__file__).with_name("fit.R")
PACKAGES = {"cart": "rpart", "forest": "ranger"}


@frozen(eq=False)
class Fitted:
    answers: NDArray[np.float64]
    nodes: int


def version() -> str | None:
    """The packages that are there, with their versions."""
    found = [f"{name} {at}" for name in PACKAGES.values() if (at := package(name))]
    return f"with {' and '.join(found)}" if found else None


@cache
def package(name: str) -> str | None:
    """The version of a package of R's; None without it, or without R."""
    program = which("Rscript")
    if program is None:
        return None
    asked = [program, "-e", f'cat(as.character(packageVersion("{name}")))']
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def contenders(work: Work) -> list[Contender]:
    name = PACKAGES.get(work.kind)
    if name is None or package(name) is None:
        return []
    folder = tempfile.TemporaryDirectory()  # it goes with the contender
    return [
        Contender(
            name,
            lambda: fitted(work, Path(folder.name)),
            lambda found: found.answers,
            lambda found: int(found.nodes),
            must=work.must,
            warm=lambda: write(work, Path(folder.name)),
        )
    ]


def write(work: Work, folder: Path) -> None:
    for data, name in ((work.data, "seen.bin"), (work.asked, "asked.bin")):
        (folder / name).write_bytes(np.vstack([data.table.cells, data.y]).tobytes())


def fitted(work: Work, folder: Path) -> Clocked:
    levels = ",".join(map(str, levels_of(work.data)))
    numbers = [folder, work.trees, work.threads, work.seed, work.alpha, levels]
    done = subprocess.run(
        ["Rscript", str(SCRIPT), work.kind, *map(str, numbers)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    seconds, nodes, *answers = np.fromfile(folder / "answers.bin")
    return Clocked(float(seconds), Fitted(np.array(answers), int(nodes)))


def levels_of(data: Data) -> list[int]:
    columns = [*data.table.columns, data.table.schema.target]
    return [len(column.levels) for column in columns]
