"""Distributions of plugins, laid where Python looks for distributions."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from attrs import frozen

from ..packaging.conftest import Result


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
    return run("treekit", *words, site=site)


def run(module: str, *words: str, site: Path) -> Result:
    """Run any module so."""
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(
        [sys.executable, "-m", module, *words],
        cwd=site, env=environment, text=True, capture_output=True, check=False,
    )  # fmt: skip
