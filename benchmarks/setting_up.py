"""Make an environment with treekit and its peers: `python -m benchmarks setup [FOLDER]`.

Each peer is installed by itself. One that has no wheel for this Python is left out, with a line
that says so. R (rpart, ranger) and Weka are used where they are, and installed by nobody.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ".venv-benchmarks"
PEERS = ("scikit-learn", "snapml", "scikit-learn-intelex", "xgboost-cpu", "ydf", "pystreed")


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks setup", description=__doc__)
    parser.add_argument("folder", nargs="?", default=ROOT / FOLDER, type=Path)
    folder = parser.parse_args(words[1:]).folder
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(folder, with_pip=True)
    if failed := install(python, "--editable", str(ROOT)):
        print(f"error: treekit itself could not be installed: {failed}", file=sys.stderr)
        return 1
    for peer in PEERS:
        failed = install(python, "--only-binary", ":all:", peer)
        print(f"{peer}: {f'left out: {failed}' if failed else 'installed'}", flush=True)
    print(f"\nNow: {python} -m benchmarks --quick")
    return 0


def install(python: Path, *words: str) -> str:
    """What pip said last if it failed, else nothing."""
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
    if not done.returncode:
        return ""
    errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
    return errors[-1].removeprefix("ERROR: ") if errors else "pip failed"
