"""Set treekit up in an environment of its own and run it. Needs Python >= 3.11 with venv and pip.

    python3 run.py demo              the main job: three algorithms on one data set
    python3 run.py test              format, lint, types and tests; what follows goes to pytest
    python3 run.py fit c45 tennis    any other `treekit` command

The environment is `.venv` beside this file, or where TREEKIT_VENV says. It is made on the first
run, and again when pyproject.toml, the Python or the place of this folder changes.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent
OLDEST = (3, 11)
CHECKS = (
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
    ("pytest", "-n", "2", "--dist", "loadfile"),
)
BESIDE = "mypy"  # takes one processor for a while, and says little: it runs beside the others


def main(arguments: list[str]) -> int:
    if sys.version_info < OLDEST:
        print("error: treekit needs Python 3.11 or newer", file=sys.stderr)
        return 2
    environment = Path(os.environ.get("TREEKIT_VENV") or ROOT / ".venv").absolute()
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    testing = arguments[:1] == ["test"]
    if failed := set_up(environment, programs, "test" if testing else ""):
        return failed
    if not testing:
        return call(programs / "treekit", *arguments)
    return run_checks(programs, arguments[1:])


def run_checks(programs: Path, pytest_arguments: list[str]) -> int:
    """Run every check, whatever the others say; the exit code of the first that failed."""
    os.chdir(ROOT)
    codes = []
    with tempfile.TemporaryFile() as said:
        beside = start(programs / BESIDE, said)
        for name, *arguments in CHECKS:
            further = pytest_arguments if name == "pytest" else []
            print("+", name, *arguments, *further, flush=True)
            codes.append(call(programs / name, *arguments, *further))
        codes.append(beside.wait())
        said.seek(0)
        print(f"+ {BESIDE}\n{said.read().decode(errors='replace')}", end="", flush=True)
    return next((code for code in codes if code), 0)


def set_up(environment: Path, programs: Path, extra: str) -> int:
    """Install treekit, editable, unless a stamp says that it is there; the exit code of pip."""
    facts = (
        ROOT / "pyproject.toml"
    ).read_bytes() + f"{sys.version}{sys.base_prefix}{ROOT}".encode()
    stamp = hashlib.sha256(facts).hexdigest()
    stamps = environment / "treekit.stamps"
    known = stamps.read_text().split("\n") if stamps.is_file() else []
    if f"{stamp} {extra}" in known:
        return 0
    print(f"setting up {environment} (a minute or so, once) ...", file=sys.stderr, flush=True)
    fresh = not any(line.startswith(stamp) for line in known)
    if fresh:
        # Only what is an environment already is emptied: TREEKIT_VENV may be mistaken.
        is_environment = (environment / "pyvenv.cfg").is_file()
        venv.create(environment, clear=is_environment, with_pip=True)
    wanted = f"{ROOT}[{extra}]" if extra else str(ROOT)
    # Of what is installed little is used: that is translated when it is, if that may be kept.
    later = [] if sys.dont_write_bytecode else ["--no-compile"]
    options = ("--quiet", "--disable-pip-version-check", *later, "--editable")
    failed = call(programs / "python", "-m", "pip", "install", *options, wanted)
    if not failed:
        stamps.write_text("\n".join([*([] if fresh else known), f"{stamp} {extra}"]))
    return failed


def start(program: Path, said: IO[bytes]) -> subprocess.Popen[bytes]:
    """A program that goes on beside this one; what it says goes to a file."""
    return subprocess.Popen([str(program)], stdout=said, stderr=subprocess.STDOUT)


def call(program: Path, *arguments: str) -> int:
    try:
        return subprocess.run([str(program), *arguments], check=False).returncode
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
