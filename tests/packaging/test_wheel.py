"""The wheel is whole: installed anywhere, `treekit` works there."""

from __future__ import annotations

import json
import tarfile
import zipfile
from pathlib import Path

import pytest

from .conftest import ROOT, Environment

# One environment is shared, so one process should run them all.
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
