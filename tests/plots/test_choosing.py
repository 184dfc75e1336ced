"""Which impurities are meant: names and tables as in a recipe, strategies, and what is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from treekit_builtin.impurities import Entropy, Gini, Tsallis

from treekit.errors import RecipeError
from treekit.plots import chosen
from treekit.registry import installed
from treekit.roles import tasks_of

from .toys import OneSided, RootGini

FIT = ", ".join(
    entry.name
    for entry in installed().of("impurity")
    if "classification" in tasks_of(entry.strategy)
)


@pytest.mark.parametrize(
    ("given", "strategy", "label", "with_unit"),
    [
        ("gini", Gini(), "gini", "gini"),
        ("entropy", Entropy(), "entropy", "entropy (bits)"),
        ('"gini"', Gini(), "gini", "gini"),
        ("treekit:gini", Gini(), "treekit:gini", "treekit:gini"),
        ("tsallis", Tsallis(q=1.5), "tsallis", "tsallis"),
        (
            '{ use = "tsallis", q = 1.5 }',
            Tsallis(q=1.5),
            "tsallis (q = 1.5)",
            "tsallis (q = 1.5)",
        ),
        ({"use": "tsallis", "q": 2}, Tsallis(q=2.0), "tsallis (q = 2)", "tsallis (q = 2)"),
        (Entropy(), Entropy(), "entropy (base = 2)", "entropy (base = 2, bits)"),
        (Entropy, Entropy(), "entropy", "entropy (bits)"),
        (RootGini, RootGini(), "RootGini", "RootGini (roots)"),
        (OneSided(), OneSided(), "OneSided", "OneSided"),
    ],
    ids=str,
)
def test_an_impurity_can_be_given_in_every_way_of_a_recipe(
    given: Any, strategy: Any, label: str, with_unit: str
) -> None:
    (alone,) = chosen(given)
    (in_a_list,) = chosen([given])
    for one in (alone, in_a_list):
        assert (one.strategy, one.label, one.label_with_unit) == (strategy, label, with_unit)


def test_several_keep_their_order() -> None:
    names = ["gini", "entropy", '{ use = "tsallis", q = 2 }', "tsallis", "logical_entropy"]
    labels = [one.label for one in chosen(names)]
    assert labels == ["gini", "entropy", "tsallis (q = 2)", "tsallis", "logical_entropy"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("gnii", "there is no impurity 'gnii'; did you mean 'gini'?"),
        ("gain", "'gain' is a criterion, not an impurity; did you mean 'gini'?"),
        ("variance", f"'variance' serves regression, not classification; for classification"
         f" there is {FIT}"),
        ('{ use = "tsalis" }',
         "{ use = \"tsalis\" }: there is no impurity 'tsalis'; did you mean 'tsallis'?"),
        ('{ use = "tsallis", Q = 2 }',
         "{ use = \"tsallis\", Q = 2 }: tsallis has no parameter 'Q'; did you mean 'q'?"),
        ('{ use = "tsallis", q = -1 }',
         '{ use = "tsallis", q = -1 }: q = -1 is not allowed; give a number > 0.0 and < inf'),
        ({"use": "gini", "base": 2},
         "gini has no parameter 'base'; gini takes no parameters"),
        ("{", "'{' is not a value; give a TOML value, such as 0.1, true, \"text\" or"
         ' { use = "name" }, or a bare word'),
        (7, '7 does not name an impurity; give a name, or a table { use = "name", ... }'),
        ([], f"no impurity is named; there is {FIT}"),
        (["gini", "entropy", "gini", "gini"],
         "gini is named twice; name each once, or give other parameters"),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_wrong_is_told_with_what_would_be_right(given: Any, message: str) -> None:
    with pytest.raises(RecipeError) as raised:
        chosen(given)
    assert str(raised.value) == message


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(RecipeError) as raised:
        chosen(["gnii", "gini", "entrpy", '{ use = "tsallis", q = 0, r = 1 }'])
    assert [problem.what for problem in raised.value.problems] == [
        "there is no impurity 'gnii'",
        "there is no impurity 'entrpy'",
        "tsallis has no parameter 'r'",
        "q = 0 is not allowed",
    ]
