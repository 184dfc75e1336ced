"""A name in a recipe leads to a class, or to a message that helps."""

from __future__ import annotations

import pytest
from attrs import frozen

from treekit.errors import PluginError
from treekit.registry import Entry, Failure, Registry


@frozen
class Fine:
    pass


@frozen
class Coarse:
    pass


@frozen
class Elsewhere:
    pass


def entry(role: str, name: str, strategy: type = Fine, distribution: str = "treekit") -> Entry:
    return Entry(role, name, strategy, distribution, "1.0", "", f"m:{strategy.__name__}")


REGISTRY = Registry(
    (
        entry("criterion", "fine"),
        entry("criterion", "coarse", Coarse),
        entry("impurity", "round"),
        entry("label", "shared", Fine, "treekit-a"),
        entry("label", "shared", Coarse, "Treekit_B"),
    )
)


def message(role: str, name: str, where: str = "", registry: Registry = REGISTRY) -> str:
    with pytest.raises(PluginError) as caught:
        registry.get(role, name, where)
    return str(caught.value)


def test_a_name_gives_its_class() -> None:
    assert REGISTRY.get("criterion", "coarse") is Coarse


def test_names_are_sorted_and_said_once() -> None:
    assert REGISTRY.names("criterion") == ("coarse", "fine")
    assert REGISTRY.names("label") == ("shared",)


def test_a_misspelled_name_gets_the_nearest() -> None:
    assert message("criterion", "coarsse") == (
        "there is no criterion 'coarsse'; did you mean 'coarse'?"
    )


def test_an_unlike_name_gets_the_list() -> None:
    assert message("criterion", "xyz") == "there is no criterion 'xyz'; there is coarse, fine"


def test_a_role_without_strategies_says_so() -> None:
    assert message("pruner", "xyz") == "there is no pruner 'xyz'; there is none to choose from"


def test_the_place_comes_first() -> None:
    assert message("criterion", "xyz", "mine.toml:3: tree.criterion") == (
        "mine.toml:3: tree.criterion: there is no criterion 'xyz'; there is coarse, fine"
    )


def test_a_name_of_another_role_says_which() -> None:
    assert message("criterion", "round") == (
        "'round' is an impurity, not a criterion; there is coarse, fine"
    )


def test_an_unknown_role_gets_the_nearest() -> None:
    assert message("criteria", "fine") == "there is no role 'criteria'; did you mean 'criterion'?"


def test_a_name_offered_twice_names_both_distributions() -> None:
    assert message("label", "shared") == (
        "the label 'shared' is offered twice, by treekit-a 1.0 (m:Fine) and Treekit_B 1.0"
        " (m:Coarse); say which: 'treekit-a:shared' or 'Treekit_B:shared'"
    )


@pytest.mark.parametrize("name", ["Treekit_B:shared", "treekit-b:shared", "TREEKIT.B:shared"])
def test_a_distribution_says_which(name: str) -> None:
    assert REGISTRY.get("label", name) is Coarse


def test_a_distribution_that_does_not_offer_the_name_is_told_who_does() -> None:
    assert message("label", "treekit-c:shared") == (
        "there is no label 'treekit-c:shared'; 'shared' is offered as 'treekit-a:shared' and"
        " 'Treekit_B:shared'"
    )


def test_a_name_offered_twice_by_one_distribution_is_the_plugins_to_mend() -> None:
    registry = Registry((entry("label", "x"), entry("label", "x", Coarse)))
    assert message("label", "x", registry=registry) == (
        "the label 'x' is offered twice, by treekit 1.0 (m:Fine) and treekit 1.0 (m:Coarse);"
        " the plugin must give each a name of its own"
    )


FAILED = Failure("toy = toy", "treekit-toy", "0.3", "it broke", "mend it")


def test_a_failed_plugin_is_named_when_a_name_is_unknown() -> None:
    registry = Registry(REGISTRY.entries, (FAILED,))
    assert message("criterion", "xyz", registry=registry) == (
        "there is no criterion 'xyz'; there is coarse, fine; the plugin treekit-toy 0.3 failed:"
        " it broke"
    )


def test_a_failed_plugin_is_not_named_when_a_name_is_known() -> None:
    assert Registry(REGISTRY.entries, (FAILED,)).get("criterion", "fine") is Fine


@pytest.mark.parametrize(
    ("role", "name", "told"),
    [("criterion", "xyz", True), ("criterion", "other", False), ("label", "xyz", False)],
)
def test_a_failure_is_told_only_where_it_could_matter(role: str, name: str, told: bool) -> None:
    failure = Failure("toy", "treekit-toy", "", "it broke", "", "criterion", "xyz")
    assert failure.might_have_had(role, name) is told
    assert ("it broke" in message(role, name, registry=Registry((), (failure,)))) is told


def test_a_failure_says_its_hint() -> None:
    assert str(FAILED) == "the plugin treekit-toy 0.3 failed: it broke; mend it"


@pytest.mark.parametrize(
    ("role", "strategy", "name"),
    [
        ("criterion", Coarse, "coarse"),
        ("label", Coarse, "Treekit_B:shared"),
        ("label", Elsewhere, "Elsewhere"),
    ],
)
def test_a_class_has_the_shortest_name_that_leads_to_it(
    role: str, strategy: type, name: str
) -> None:
    assert REGISTRY.name_of(role, strategy) == name


def test_a_registry_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        REGISTRY.entries = ()  # type: ignore[misc]
