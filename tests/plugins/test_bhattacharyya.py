"""A stranger's plugin works by its name. (Installed with pip: `tests/packaging`.)"""

from __future__ import annotations

from pathlib import Path

import pytest

from ..packaging.conftest import BHATTACHARYYA
from .conftest import Plugin, lay, run, treekit


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plugin as an installed distribution, without the wait for pip."""
    source = (BHATTACHARYYA / "treekit_bhattacharyya.py").read_text(encoding="utf-8")
    return lay(Plugin("treekit-bhattacharyya", source), tmp_path_factory.mktemp("site"))


def test_the_plugin_is_as_short_as_it_is_said_to_be() -> None:
    source = (BHATTACHARYYA / "treekit_bhattacharyya.py").read_text(encoding="utf-8")
    assert len([line for line in source.splitlines() if line.strip()]) <= 30


def test_its_criterion_keeps_its_contract_where_kernels_are_compiled(site: Path) -> None:
    tests = str(BHATTACHARYYA / "tests")
    answer = run("pytest", "-q", "-p", "no:cacheprovider", "-k", "test_contract", tests, site=site)
    assert answer.returncode == 0, answer.stdout


def test_its_criterion_is_used_by_name(site: Path) -> None:
    answer = treekit(
        "fit", "id3", "tennis", "--set", "tree.criterion=bhattacharyya", "--quiet", site=site
    )
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.splitlines()[-1] == "training: 0 of 14 rows wrong (0.0 %)"


def test_its_criterion_may_be_named_with_its_distribution(site: Path) -> None:
    full = "tree.criterion=treekit-bhattacharyya:bhattacharyya"
    assert treekit("fit", "id3", "tennis", "--set", full, site=site).returncode == 0
