"""`treekit plugins`: what is installed, by whom, and what failed."""

from __future__ import annotations

import json
from collections.abc import Callable

from treekit.registry import installed
from treekit.roles import ROLES

from .conftest import Treekit

Install = Callable[[str, str], None]

GOOD = """
import numpy as np
from attrs import frozen
from treekit.hooks import hookimpl

@frozen
class Flat:
    '''Every split is as good as any other.'''
    def score(self, parent, branches, before, after):
        return np.zeros(branches.shape[:-2])

@hookimpl
def treekit_criteria():
    return {"flat": Flat}
"""


def test_every_strategy_is_listed_with_its_role_and_distribution(treekit: Treekit) -> None:
    lines = treekit("plugins").lines
    assert lines[0].split() == ["role", "name", "distribution", "summary"]
    assert len(lines) == 1 + len(installed().entries)
    assert list(dict.fromkeys(line.split()[0] for line in lines[1:])) == list(ROLES)


def test_a_role_can_be_chosen(treekit: Treekit) -> None:
    lines = treekit("plugins", "criterion").lines
    assert {line.split()[0] for line in lines[1:]} == {"criterion"}


def test_a_role_that_is_none_is_an_error(treekit: Treekit) -> None:
    answer = treekit("plugins", "criterium")
    assert (answer.code, answer.err) == (
        2,
        "error: there is no role 'criterium'; did you mean 'criterion'?\n",
    )


def test_a_strangers_strategy_is_listed_and_used_like_any_other(
    treekit: Treekit, install: Install
) -> None:
    install("treekit-flat", GOOD)
    listed = json.loads(treekit("plugins", "criterion", "--json").out)
    assert {
        "role": "criterion",
        "name": "flat",
        "distribution": "treekit-flat",
        "version": "1.0",
        "summary": "Every split is as good as any other.",
    } in listed["strategies"]
    answer = treekit("fit", "id3", "tennis", "--set", "tree.criterion=flat", "--quiet")
    assert (answer.code, answer.lines[-1]) == (0, "training: 0 of 14 rows wrong (0.0 %)")


def test_a_plugin_that_fails_is_listed_with_its_fault(treekit: Treekit, install: Install) -> None:
    install("treekit-broken", "import nothing_of_this_name\n")
    answer = treekit("plugins")
    assert answer.code == 0
    assert answer.lines[-1] == (
        "problem: the plugin treekit-broken 1.0 failed: 'treekit_broken' cannot be imported:"
        " ModuleNotFoundError: No module named 'nothing_of_this_name'"
    )
    (failure,) = json.loads(treekit("plugins", "--json").out)["failures"]
    assert (failure["distribution"], failure["version"]) == ("treekit-broken", "1.0")


def test_a_plugin_that_fails_disturbs_nobody_else(treekit: Treekit, install: Install) -> None:
    install("treekit-broken", "import nothing_of_this_name\n")
    assert treekit("fit", "id3", "tennis").code == 0


def test_a_name_that_two_offer_is_told(treekit: Treekit, install: Install) -> None:
    install("treekit-flat", GOOD)
    install("treekit-level", GOOD)
    assert treekit("plugins").lines[-1] == (
        "problem: the criterion 'flat' is offered twice; a recipe must say which:"
        " 'treekit-flat:flat' or 'treekit-level:flat'"
    )
