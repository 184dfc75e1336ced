"""The wheel is whole: installed anywhere, `treekit` works there, and plugins beside it."""

from __future__ import annotations

import json
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from treekit.errors import did_you_mean
from treekit.registry import installed as registered

from .conftest import ROOT, Environment

# Environments are shared, so one process should run them all.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def contents(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_holds_every_module_and_data_file_of_the_framework(contents: set[str]) -> None:
    files = {p for p in (ROOT / "treekit").rglob("*") if p.is_file() and p.parent.name[0] != "_"}
    assert {p.relative_to(ROOT).as_posix() for p in files} <= contents


def test_the_wheel_holds_the_standard_strategies_as_a_package_of_their_own(
    contents: set[str],
) -> None:
    plugins = ROOT / "plugins"
    modules = {
        p.relative_to(plugins).as_posix() for p in (plugins / "treekit_builtin").rglob("*.py")
    }
    assert modules <= contents


def test_the_wheel_holds_the_recipes(contents: set[str]) -> None:
    recipes = {f"treekit/_recipes/{p.name}" for p in (ROOT / "recipes").glob("*.toml")}
    assert recipes
    assert recipes <= contents


def test_the_wheel_says_that_treekit_is_typed(contents: set[str]) -> None:
    assert {"treekit/py.typed", "treekit_builtin/py.typed"} <= contents


def test_the_wheel_holds_nothing_else(contents: set[str]) -> None:
    assert {name.split("/")[0] for name in contents if ".dist-info/" not in name} == {
        "treekit",
        "treekit_builtin",
    }
    assert not [name for name in contents if name.endswith((".pyc", ".nbi", ".nbc"))]


def test_the_source_distribution_can_be_tested(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    assert {"run.py", "README.md", "LICENSE", "CHANGELOG.md", "tests/docs/test_docs.py"} <= names


def test_the_first_answer_does_not_wait_for_the_compiler(installed: Environment) -> None:
    result = installed("treekit", "fit", "c45", "tennis", "--target", "play")
    assert (result.returncode, result.stdout.splitlines()[-1]) == (
        0,
        "training: 0 of 14 rows wrong (0.0 %)",
    )
    assert not [*installed.folder.rglob("treekit*/**/*.nbi")]


def test_all_recipes_are_there(installed: Environment) -> None:
    result = installed("treekit", "recipes", "--json")
    names = {entry["name"] for entry in json.loads(result.stdout)}
    assert names == {p.stem for p in (ROOT / "recipes").glob("[!_]*.toml")}


def test_all_strategies_come_from_the_distribution_treekit(installed: Environment) -> None:
    found = json.loads(installed("treekit", "plugins", "--json").stdout)
    assert found["failures"] == []
    assert {entry["distribution"] for entry in found["strategies"]} == {"treekit"}


def test_the_module_runs_as_the_script_does(installed: Environment) -> None:
    script = installed("treekit", "--version")
    module = installed("python", "-m", "treekit", "--version")
    assert script.stdout == module.stdout != ""


def test_the_installed_packages_are_not_the_checkout(installed: Environment) -> None:
    where = installed("python", "-c", "import treekit; print(treekit.__file__)").stdout
    assert str(ROOT) not in where


@pytest.fixture(scope="module")
def without(bhattacharyya: Environment, bhattacharyya_wheel: Path) -> Iterator[Environment]:
    """The environment after the plugin was uninstalled, with a model that it had a part in."""
    bhattacharyya("treekit", "fit", "bhattacharyya.toml", "tennis", "-o", "kept.json")
    bhattacharyya.pip("uninstall", "-y", "treekit-bhattacharyya")
    yield bhattacharyya
    bhattacharyya.pip_install(bhattacharyya_wheel)


class TestAPluginBesideIt:
    """A stranger's plugin, built and installed where the wheel is, works by its name."""

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

    def test_the_contract_tests_need_only_pytest(
        self, bhattacharyya: Environment, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        bhattacharyya.pip_install("pytest")
        # What is compiled for the checkout is not found here: `tests/plugins` tries it compiled.
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
        answer = bhattacharyya("python", "-m", "pytest", "-q", "tests")
        assert answer.returncode == 0, answer.stdout
        assert "failed" not in answer.stdout.splitlines()[-1]

    def test_once_it_is_uninstalled_its_models_still_predict(self, without: Environment) -> None:
        day = "outlook,temp,humidity,wind\nsunny,hot,high,weak\n"
        (without.elsewhere / "days.csv").write_text(day)
        answer = without("treekit", "predict", "kept.json", "days.csv")
        assert answer.returncode == 0, answer.stderr

    def test_once_it_is_uninstalled_its_recipe_says_what_is_missing(
        self, without: Environment
    ) -> None:
        answer = without("treekit", "fit", "bhattacharyya.toml", "tennis")
        there_is = did_you_mean("bhattacharyya", registered().names("criterion"))
        assert (answer.returncode, answer.stderr) == (
            2,
            "error: bhattacharyya.toml:7: tree.criterion: there is no criterion 'bhattacharyya';"
            f" {there_is}\n",
        )
