"""A wheel built once, and an empty environment outside the checkout that it is installed in."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import frozen

ROOT = Path(__file__).resolve().parents[2]
BIN = "Scripts" if os.name == "nt" else "bin"
# What would let the checkout, or the environment that runs the tests, leak into the new one.
LEAKS = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "NUMBA_CACHE_DIR")

Result = subprocess.CompletedProcess[str]


def run(*command: str | Path, cwd: Path) -> Result:
    """Run a program with none of this environment's Python settings."""
    clean = {name: value for name, value in os.environ.items() if name not in LEAKS}
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd, env=clean, text=True, capture_output=True, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip


@frozen
class Environment:
    """A virtual environment, and an empty folder to run its programs in."""

    folder: Path
    elsewhere: Path

    def pip_install(self, *what: str | Path) -> None:
        quiet = ("--quiet", "--disable-pip-version-check")
        result = self("python", "-m", "pip", "install", *quiet, *what)
        assert result.returncode == 0, result.stderr

    def __call__(self, program: str, *arguments: str | Path) -> Result:
        return run(self.folder / BIN / program, *arguments, cwd=self.elsewhere)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the sdist, and the wheel that was built from the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    result = run(
        sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return folder


@pytest.fixture(scope="session")
def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def new_environment(
    tmp_path_factory: pytest.TempPathFactory, wheel: Path
) -> Callable[[str], Environment]:
    """Makes an environment that has the wheel and what it needs, and nothing else."""

    def make(name: str) -> Environment:
        folder = tmp_path_factory.mktemp(name)
        venv.create(folder / "venv", with_pip=True)
        (folder / "elsewhere").mkdir()
        environment = Environment(folder / "venv", folder / "elsewhere")
        environment.pip_install(wheel)
        return environment

    return make


@pytest.fixture(scope="session")
def installed(new_environment: Callable[[str], Environment]) -> Environment:
    return new_environment("installed")
