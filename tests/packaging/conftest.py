"""Wheels built once, and empty environments outside the checkout that they are installed in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterable
from email.parser import Parser
from importlib.metadata import distribution
from pathlib import Path

import pytest
from attrs import frozen
from packaging.requirements import Requirement

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
        self.pip("install", "--no-compile", *what)

    def pip(self, *words: str | Path) -> None:
        """The pip of the environment that runs the tests, at work in this one."""
        pip = (sys.executable, "-m", "pip", "--python", self.folder / BIN / "python")
        result = run(*pip, "--quiet", "--disable-pip-version-check", *words, cwd=self.elsewhere)
        assert result.returncode == 0, result.stderr

    def borrow(self, requirements: Iterable[str]) -> None:
        """Link what is asked for, and what that asks for, from the environment that runs the tests.

        It was installed there a moment ago; pip then finds that nothing is missing.
        """
        for name in closure(requirements):
            for file in distribution(name).files or ():
                top = file.parts[0]
                link = self.packages / top
                if top not in ("..", "__pycache__") and not link.exists():
                    link.symlink_to(Path(str(distribution(name).locate_file(top))))

    def __call__(self, program: str, *arguments: str | Path) -> Result:
        return run(self.folder / BIN / program, *arguments, cwd=self.elsewhere)


def closure(requirements: Iterable[str]) -> set[str]:
    """The names of all distributions that are needed for these, in this environment."""
    found: set[str] = set()
    open_ones = [Requirement(line) for line in requirements]
    while open_ones:
        one = open_ones.pop()
        if one.name not in found and (one.marker is None or one.marker.evaluate({"extra": ""})):
            found.add(one.name)
            open_ones += map(Requirement, distribution(one.name).requires or ())
    return found


def requirements_of(wheel: Path) -> list[str]:
    """What a wheel says that it needs."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = Parser().parsestr(archive.read(name).decode())
    return metadata.get_all("Requires-Dist", [])


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


def empty_environment(folder: Path) -> Environment:
    venv.create(folder / "venv", with_pip=False)
    (folder / "elsewhere").mkdir()
    return Environment(folder / "venv", folder / "elsewhere")


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Environment:
    """An environment that has the wheel and what it needs, and nothing else."""
    environment = empty_environment(tmp_path_factory.mktemp("installed"))
    if os.name != "nt":  # where not everybody may link
        environment.borrow(requirements_of(wheel))
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
    environment = empty_environment(tmp_path_factory.mktemp("bhattacharyya"))
    (environment.packages / "borrowed.pth").write_text(str(installed.packages))
    environment.pip_install("--no-deps", "--ignore-installed", wheel)
    environment.pip_install(bhattacharyya_wheel)
    shutil.copy(BHATTACHARYYA / "bhattacharyya.toml", environment.elsewhere)
    shutil.copytree(BHATTACHARYYA / "tests", environment.elsewhere / "tests")
    return environment
