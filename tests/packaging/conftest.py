"""Wheels built once, and empty environments outside the checkout that they are installed in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from attrs import frozen

ROOT = Path(__file__).resolve().parents[2]
BIN = "Scripts" if os.name == "nt" else "bin"
# What would let the checkout, or the environment that runs the tests, leak into the new one.
LEAKS = (
    "PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV", "NUMBA_CACHE_DIR",
)  # fmt: skip
BHATTACHARYYA = ROOT / "plugins" / "treekit-bhattacharyya"

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

    @property
    def packages(self) -> Path:
        """Where its packages are."""
        (found,) = self.folder.glob("[Ll]ib/**/site-packages")
        return found

    def pip_install(self, *what: str | Path) -> None:
        # Of what is installed little is used: that is translated when it is.
        quiet = ("--quiet", "--disable-pip-version-check", "--no-compile")
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


def empty_environment(folder: Path, with_pip: bool) -> Environment:
    venv.create(folder / "venv", with_pip=with_pip)
    (folder / "elsewhere").mkdir()
    return Environment(folder / "venv", folder / "elsewhere")


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Environment:
    """An environment that has the wheel and what it needs, and nothing else."""
    environment = empty_environment(tmp_path_factory.mktemp("installed"), with_pip=True)
    environment.pip_install(wheel)
    return environment


@pytest.fixture(scope="session")
def bhattacharyya_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bhattacharyya-wheel")
    build = ("-m", "build", "--wheel", "--no-isolation", "--outdir", folder, BHATTACHARYYA)
    result = run(sys.executable, *build, cwd=folder)
    assert result.returncode == 0, result.stdout + result.stderr
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def bhattacharyya(
    tmp_path_factory: pytest.TempPathFactory,
    installed: Environment,
    wheel: Path,
    bhattacharyya_wheel: Path,
) -> Environment:
    """An environment outside the checkout with the two wheels and what they need.

    What treekit needs it borrows from the environment that has it already. Beside it lie the
    plugin's example recipe and tests, as its source distribution has them.
    """
    environment = empty_environment(tmp_path_factory.mktemp("bhattacharyya"), with_pip=False)
    (environment.packages / "borrowed.pth").write_text(str(installed.packages))
    environment.pip_install("--no-deps", "--ignore-installed", wheel)
    environment.pip_install(bhattacharyya_wheel)
    shutil.copy(BHATTACHARYYA / "bhattacharyya.toml", environment.elsewhere)
    shutil.copytree(BHATTACHARYYA / "tests", environment.elsewhere / "tests")
    return environment
