"""Distributions of plugins: installed with pip, or laid where Python looks for distributions."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import frozen

from ..packaging.conftest import (
    ROOT,
    Environment,
    Result,
    built,  # noqa: F401  a fixture
    new_environment,  # noqa: F401  a fixture
    run,
    wheel,  # noqa: F401  a fixture
)

BHATTACHARYYA = ROOT / "plugins" / "treekit-bhattacharyya"


@frozen
class Plugin:
    """A plugin of one module, as its author would publish it."""

    distribution: str
    source: str

    @property
    def module(self) -> str:
        return self.distribution.replace("-", "_")


def lay(plugin: Plugin, site: Path) -> Path:
    """Put the files of an installed distribution into a folder; importlib.metadata finds them."""
    info = site / f"{plugin.module}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {plugin.distribution}\nVersion: 1.0\n"
    )
    (info / "entry_points.txt").write_text(f"[treekit]\n{plugin.module} = {plugin.module}\n")
    (site / f"{plugin.module}.py").write_text(plugin.source)
    return site


def treekit(*words: str, site: Path) -> Result:
    """Run `treekit WORDS...` as a program that also sees the distributions in a folder."""
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(
        [sys.executable, "-m", "treekit", *words],
        cwd=site, env=environment, text=True, capture_output=True, check=False,
    )  # fmt: skip


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
    new_environment: Callable[[str], Environment],  # noqa: F811
    bhattacharyya_wheel: Path,
) -> Environment:
    """An empty environment outside the checkout, with the two wheels and what they need.

    Beside it lie the plugin's example recipe and tests, as its source distribution has them.
    """
    environment = new_environment("bhattacharyya")
    environment.pip_install(bhattacharyya_wheel)
    shutil.copy(BHATTACHARYYA / "bhattacharyya.toml", environment.elsewhere)
    shutil.copytree(BHATTACHARYYA / "tests", environment.elsewhere / "tests")
    return environment
