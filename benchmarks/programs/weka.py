"""Weka's J48, in a process of its own.

The seconds are those that Weka says the model took to build; reading the file is none of them,
warming Java up is.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from shutil import which
from typing import Any

from attrs import frozen

from benchmarks.contest import Contender
from benchmarks.timing import Clocked
from benchmarks.work import Work

NAME = "weka"
DEBIAN = Path("/usr/share/java/weka.jar")
CLASS = "weka.classifiers.trees.J48"


@frozen
class Fitted:
    file: Path
    nodes: int


def jar() -> str:
    """The file weka.jar: the environment's WEKA_JAR, or Debian's; "" without it or Java."""
    named = os.environ.get("WEKA_JAR") or (str(DEBIAN) if DEBIAN.is_file() else "")
    return named if which("java") else ""


@cache
def version() -> str | None:
    if not jar():
        return None
    done = java("weka.core.Version")
    return done.split()[0] if done else None


def java(*words: str) -> str:
    done = subprocess.run(
        ["java", "-Xmx4g", "-cp", jar(), *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout


def contenders(work: Work) -> list[Contender]:
    if work.kind != "c45":
        return []
    folder = tempfile.TemporaryDirectory()  # it goes with the contender
    return [
        Contender(
            "Weka J48",
            lambda: fitted(Path(folder.name)),
            lambda found: asked(work, found, Path(folder.name)),
            lambda found: int(found.nodes),
            must=work.must,
            warm=lambda: write(work, Path(folder.name)),
        )
    ]


def write(work: Work, folder: Path) -> None:
    from benchmarks.adaboost import arff

    for data, name in ((work.data, "seen.arff"), (work.asked, "asked.arff")):
        (folder / name).write_text(arff(data.table), encoding="utf-8")


def fitted(folder: Path) -> Clocked:
    model = folder / "model"
    said = java(CLASS, "-t", str(folder / "seen.arff"), "-no-cv", "-d", str(model))
    seconds = number(r"Time taken to build model: ([\d.]+) seconds", said)
    return Clocked(seconds, Fitted(model, int(number(r"Size of the tree\s*:\s*(\d+)", said))))


def number(pattern: str, text: str) -> float:
    found = re.search(pattern, text)
    if found is None:
        raise RuntimeError(f"Weka does not say {pattern!r}: {text[-200:]}")
    return float(found[1])


def asked(work: Work, found: Fitted, folder: Path) -> Any:
    """Each row's class by number: its line is "1  1:v0  2:v1  +  0.9", the second pair answered."""
    said = java(CLASS, "-l", str(found.file), "-T", str(folder / "asked.arff"), "-p", "0")
    lines = [line.split() for line in said.splitlines() if line.count(":") == 2]
    if len(lines) != work.asked.table.n_rows:
        raise RuntimeError(f"Weka answered for {len(lines)} of {work.asked.table.n_rows} rows")
    return [float(line[2].split(":")[0]) - 1 for line in lines]
