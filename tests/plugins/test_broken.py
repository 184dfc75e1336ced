"""A broken plugin hurts nobody: it is remembered, listed, and told where it is missed."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import frozen

from treekit import __version__
from treekit.errors import did_you_mean
from treekit.registry import installed

from .conftest import Plugin, lay, treekit

GOOD = '''
import numpy as np
from attrs import frozen
from treekit import hookimpl

@frozen
class Lost:
    """It would be good."""
    def score(self, parent, branches, before, after):
        return np.zeros(branches.shape[:-2])

@hookimpl
def treekit_criteria():
    return {"lost": Lost}
'''


@frozen
class Broken:
    """A plugin with one fault, and what treekit says of it."""

    distribution: str
    source: str
    problem: str
    hint: str = ""

    @property
    def failed(self) -> str:
        return f"the plugin {self.distribution} 1.0 failed: {self.problem}"

    @property
    def listed(self) -> str:
        """What `treekit plugins` says."""
        return f"{self.failed}; {self.hint}" if self.hint else self.failed


BROKEN = [
    Broken(
        "treekit-unimportable",
        "import nothing_of_this_name",
        "'treekit_unimportable' cannot be imported: ModuleNotFoundError: No module named"
        " 'nothing_of_this_name'",
    ),
    Broken(
        "treekit-listing",
        GOOD.replace('{"lost": Lost}', "[Lost]"),
        "the hook treekit_criteria returned list, not a dict",
        "return {name: class}",
    ),
    Broken(
        "treekit-plain",
        GOOD.replace("@frozen\n", ""),
        "the criterion 'lost' cannot be used: the class Lost is not an attrs class",
        "decorate it with @attrs.frozen",
    ),
    Broken(
        "treekit-object",
        GOOD.replace('{"lost": Lost}', '{"lost": Lost()}'),
        "the criterion 'lost' cannot be used: Lost() is not a class",
        "return the class, not an object of it",
    ),
    Broken(
        "treekit-unmarked",
        GOOD.replace("@hookimpl\n", ""),
        "treekit_criteria is not marked as a hook",
        "decorate it with @treekit.hooks.hookimpl",
    ),
    Broken(
        "treekit-misspelled",
        GOOD.replace("treekit_criteria", "treekit_criterions"),
        "unknown hook 'treekit_criterions'",
        "did you mean 'treekit_criteria'?",
    ),
    Broken(
        "treekit-raising",
        GOOD.replace("return {", "raise OSError('no disk')\n    return {"),
        "the hook treekit_criteria raised OSError: no disk",
    ),
]

# It is not broken, but it takes a name that treekit's own plugin offers.
TWICE = Plugin("treekit-twice", GOOD.replace('"lost"', '"gain_ratio"'))


@pytest.fixture(scope="module")
def all_of_them(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which every one of these plugins is installed."""
    site = tmp_path_factory.mktemp("site")
    for broken in BROKEN:
        lay(Plugin(broken.distribution, broken.source), site)
    return lay(TWICE, site)


@pytest.fixture(scope="module")
def listing(all_of_them: Path) -> list[str]:
    """The problems that `treekit plugins` lists."""
    answer = treekit("plugins", site=all_of_them)
    assert (answer.returncode, answer.stderr) == (0, "")
    problems = [line for line in answer.stdout.splitlines() if line.startswith("problem: ")]
    return [line.removeprefix("problem: ") for line in problems]


def test_treekit_works_with_all_of_them_installed(all_of_them: Path) -> None:
    answer = treekit("fit", "id3", "tennis", "--quiet", site=all_of_them)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.splitlines()[-1] == "training: 0 of 14 rows wrong (0.0 %)"


@pytest.mark.parametrize("broken", BROKEN, ids=lambda b: b.distribution)
def test_treekit_plugins_says_what_is_wrong(listing: list[str], broken: Broken) -> None:
    assert broken.listed in listing


def test_treekit_plugins_says_which_names_are_offered_twice(listing: list[str]) -> None:
    assert [line for line in listing if "failed" not in line] == [
        "the criterion 'gain_ratio' is offered twice; a recipe must say which:"
        " 'treekit:gain_ratio' or 'treekit-twice:gain_ratio'"
    ]


@pytest.mark.parametrize("broken", BROKEN, ids=lambda b: b.distribution)
def test_a_recipe_that_needs_the_name_is_told_who_might_have_had_it(
    broken: Broken, tmp_path: Path
) -> None:
    site = lay(Plugin(broken.distribution, broken.source), tmp_path)
    answer = treekit("fit", "id3", "tennis", "--set", "tree.criterion=lost", site=site)
    there_is = did_you_mean("lost", installed().names("criterion"))
    assert (answer.returncode, answer.stdout, answer.stderr) == (
        2,
        "",
        "error: --set tree.criterion=lost: there is no criterion 'lost';"
        f" {there_is}; {broken.failed}\n",
    )


def test_a_recipe_that_needs_a_name_offered_twice_is_told_by_whom(all_of_them: Path) -> None:
    answer = treekit("fit", "c45", "tennis", site=all_of_them)
    where, _, what = answer.stderr.partition(": tree.criterion: ")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert where.startswith("error: ")
    assert what == (
        f"the criterion 'gain_ratio' is offered twice, by treekit {__version__}"
        " (treekit_builtin.criteria.gains:GainRatio) and treekit-twice 1.0 (treekit_twice:Lost);"
        " say which:"
        " 'treekit:gain_ratio' or 'treekit-twice:gain_ratio'\n"
    )


@pytest.mark.parametrize("full_name", ["treekit:gain_ratio", "treekit-twice:gain_ratio"])
def test_a_name_offered_twice_can_be_told_apart(all_of_them: Path, full_name: str) -> None:
    change = f"tree.criterion={full_name}"
    assert treekit("fit", "id3", "tennis", "--set", change, site=all_of_them).returncode == 0
