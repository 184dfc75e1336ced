"""Two lines give a plugin author one test for each strategy and law."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from treekit.testing import contract_tests, contract_tests_for, laws_of

from . import toys

PLUGIN = '''
import numpy as np
from attrs import frozen
from treekit import hookimpl

@frozen
class Flat:
    """Every split is as good as any other."""
    def score(self, parent, branches, before, after):
        return SCORE

@hookimpl
def treekit_criteria():
    return {"flat": Flat}
'''
GOOD = PLUGIN.replace("SCORE", "np.zeros(branches.shape[:-2])")
WRONG = PLUGIN.replace("SCORE", "branches[..., 0, 0]")

TWO_LINES = """
from treekit.testing import contract_tests_for
test_contract = contract_tests_for("PLUGIN")
"""
WAIVING = """
from treekit.testing import contract_tests_for
test_contract = contract_tests_for(
    "PLUGIN", waive={"criterion.flat-branch_order_changes_nothing": "the first counts"}
)
"""
# A plugin and a test file each, by name; of the last three only one law is of interest.
FILES = {
    "good": (GOOD, TWO_LINES),
    "unmarked": (GOOD.replace("@hookimpl", ""), TWO_LINES),
    "wrong": (WRONG, TWO_LINES),
    "wrong_waived": (WRONG, WAIVING),
    "good_waived": (GOOD, WAIVING),
}
ONLY = "test_good.py or test_unmarked.py or branch_order"

Told = Callable[[str, str], list[str]]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What pytest prints in a folder with all of these plugins and test files."""
    folder = tmp_path_factory.mktemp("plugins")
    for name, (plugin, test) in FILES.items():
        (folder / f"plugin_{name}.py").write_text(plugin)
        (folder / f"test_{name}.py").write_text(test.replace("PLUGIN", f"plugin_{name}"))
    options = ("-rA", "-q", "-p", "no:cacheprovider", "-k", ONLY)
    result = subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        cwd=folder, env={**os.environ, "COLUMNS": "500"},
        text=True, capture_output=True, check=False,
    )  # fmt: skip
    return result.stdout.splitlines()


@pytest.fixture
def told(printed: list[str]) -> Told:
    """What is said of the tests in one file that ended so."""

    def told(outcome: str, name: str) -> list[str]:
        begin = f"{outcome} test_{name}.py::"
        return [line.removeprefix(begin) for line in printed if line.startswith(begin)]

    return told


def test_each_law_is_a_test_named_after_strategy_and_law(told: Told) -> None:
    laws = [law.name for law in laws_of("criterion", toys.criterion(toys.gain))]
    assert set(told("PASSED", "good")) == {
        "test_contract[loads_without_a_problem]",
        *(f"test_contract[criterion.flat-{law}]" for law in laws),
    }
    assert told("FAILED", "good") == []


def test_a_failure_names_the_law_and_shows_the_case(told: Told) -> None:
    (failed,) = told("FAILED", "wrong")
    assert failed.startswith(
        "test_contract[criterion.flat-branch_order_changes_nothing]"
        " - AssertionError: the order of the branches changes the score: "
    )


def test_a_waived_law_is_expected_to_fail_and_says_why(told: Told) -> None:
    (line,) = told("XFAIL", "wrong_waived")
    assert line == ("test_contract[criterion.flat-branch_order_changes_nothing] - the first counts")
    (line,) = told("FAILED", "good_waived")
    assert line.endswith("[XPASS(strict)] the first counts")


def test_a_plugin_that_does_not_load_is_one_failure_with_its_text(told: Told) -> None:
    assert told("FAILED", "unmarked") == [
        "test_contract[loads_without_a_problem] - AssertionError:"
        " the plugin plugin_unmarked failed: treekit_criteria is not marked as a hook;"
        " decorate it with @treekit.hooks.hookimpl"
    ]


def ids_of(test: object) -> list[str]:
    (mark,) = test.pytestmark  # type: ignore[attr-defined]
    return [parameter.id for parameter in mark.args[1]]


def test_a_class_is_tried_with_each_of_its_choices() -> None:
    names = {case.partition("-")[0] for case in ids_of(contract_tests("impurity", toys.AnyWord))}
    assert names == {"AnyWord", "AnyWord(word=b)"}


def test_an_object_stands_for_itself() -> None:
    test = contract_tests("impurity", toys.AnyWord("b"))
    assert {case.partition("-")[0] for case in ids_of(test)} == {"AnyWord(word=b)"}


def test_a_parameter_without_default_is_given_a_plausible_value() -> None:
    names = {case.partition("-")[0] for case in ids_of(contract_tests("impurity", toys.Needy))}
    assert names == {"Needy(share=0.5)"}


def test_a_class_that_cannot_be_made_is_one_failure_with_its_text() -> None:
    test = contract_tests("impurity", toys.Impossible)
    (mark,) = test.pytestmark  # type: ignore[attr-defined]
    (case,) = mark.args[1]
    assert case.id == "Impossible-can_be_made"
    with pytest.raises(AssertionError) as error:
        test(*case.values)
    assert str(error.value) == (
        "TypeError: Impossible needs share, and no plausible value was accepted;"
        " give the contract tests an object of it"
    )


def test_a_waiver_for_no_test_is_an_error() -> None:
    with pytest.raises(ValueError, match="there is no test 'Base-is_tall' to waive"):
        contract_tests("impurity", toys.Base, waive={"Base-is_tall": "it is not"})


def test_objects_of_offered_classes_are_tried_besides() -> None:
    from treekit_builtin import Entropy

    assert "impurity.entropy(base=3.0)-is_frozen" in ids_of(
        contract_tests_for("treekit_builtin", Entropy(base=3.0))
    )
