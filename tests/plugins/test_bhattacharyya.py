"""A stranger's plugin, built and installed into an empty environment, works by its name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from treekit.errors import did_you_mean
from treekit.registry import installed

from ..packaging.conftest import Environment
from .conftest import BHATTACHARYYA, Plugin, lay, treekit

slow = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plugin as an installed distribution, without the wait for pip."""
    source = (BHATTACHARYYA / "treekit_bhattacharyya.py").read_text(encoding="utf-8")
    return lay(Plugin("treekit-bhattacharyya", source), tmp_path_factory.mktemp("site"))


def test_the_plugin_is_as_short_as_it_is_said_to_be() -> None:
    source = (BHATTACHARYYA / "treekit_bhattacharyya.py").read_text(encoding="utf-8")
    assert len([line for line in source.splitlines() if line.strip()]) <= 30


def test_its_criterion_is_used_by_name(site: Path) -> None:
    answer = treekit(
        "fit", "id3", "tennis", "--set", "tree.criterion=bhattacharyya", "--quiet", site=site
    )
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.splitlines()[-1] == "training: 0 of 14 rows wrong (0.0 %)"


def test_its_criterion_may_be_named_with_its_distribution(site: Path) -> None:
    full = "tree.criterion=treekit-bhattacharyya:bhattacharyya"
    assert treekit("fit", "id3", "tennis", "--set", full, site=site).returncode == 0


class TestInstalledWithPip:
    pytestmark = slow

    def test_it_is_listed_beside_the_standard_ones(self, bhattacharyya: Environment) -> None:
        found = json.loads(bhattacharyya("treekit", "plugins", "criterion", "--json").stdout)
        (entry,) = [e for e in found["strategies"] if e["distribution"] != "treekit"]
        assert (found["failures"], entry) == (
            [],
            {
                "role": "criterion",
                "name": "bhattacharyya",
                "distribution": "treekit-bhattacharyya",
                "version": "0.1.0",
                "summary": "Bhattacharyya distance between the classes' shares of the branches"
                " (Bhattacharyya 1946).",
            },
        )

    def test_the_example_recipe_grows_a_model_that_predicts(
        self, bhattacharyya: Environment
    ) -> None:
        answer = bhattacharyya("treekit", "fit", "bhattacharyya.toml", "tennis", "-o", "model.json")
        assert answer.returncode == 0, answer.stderr
        model = json.loads((bhattacharyya.elsewhere / "model.json").read_text())
        assert model["recipe"]["tree"]["criterion"] == {"use": "bhattacharyya"}
        assert model["versions"]["treekit-bhattacharyya"] == "0.1.0"

    def test_the_contract_tests_need_only_pytest(self, bhattacharyya: Environment) -> None:
        bhattacharyya.pip_install("pytest")
        answer = bhattacharyya("python", "-m", "pytest", "-q", "tests")
        assert answer.returncode == 0, answer.stdout
        assert "failed" not in answer.stdout.splitlines()[-1]

    @pytest.fixture
    def without(
        self, bhattacharyya: Environment, bhattacharyya_wheel: Path
    ) -> Iterator[Environment]:
        """The environment after the plugin was uninstalled, with a model that it had a part in."""
        bhattacharyya("treekit", "fit", "bhattacharyya.toml", "tennis", "-o", "kept.json")
        bhattacharyya("python", "-m", "pip", "uninstall", "-y", "treekit-bhattacharyya")
        yield bhattacharyya
        bhattacharyya.pip_install(bhattacharyya_wheel)

    def test_once_it_is_uninstalled_its_models_still_predict(self, without: Environment) -> None:
        day = "outlook,temp,humidity,wind\nsunny,hot,high,weak\n"
        (without.elsewhere / "days.csv").write_text(day)
        answer = without("treekit", "predict", "kept.json", "days.csv")
        assert answer.returncode == 0, answer.stderr

    def test_once_it_is_uninstalled_its_recipe_says_what_is_missing(
        self, without: Environment
    ) -> None:
        answer = without("treekit", "fit", "bhattacharyya.toml", "tennis")
        there_is = did_you_mean("bhattacharyya", installed().names("criterion"))
        assert (answer.returncode, answer.stderr) == (
            2,
            "error: bhattacharyya.toml:7: tree.criterion: there is no criterion 'bhattacharyya';"
            f" {there_is}\n",
        )
