"""What plugins offer is gathered; what they get wrong is remembered and does not hurt others."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint

import pytest

from treekit import hooks
from treekit.registry import Failure, gather, installed
from treekit.roles import ROLES

from .conftest import Maker

GOOD = '''
@attrs.frozen
class Round:
    """Rounder than most (Author 1999).

    More about it.
    """
    def impurity(self, stats): return stats[..., 0]

@hookimpl
def treekit_impurities(): return {"round": Round}
'''


def only_failure(points: list[EntryPoint]) -> Failure:
    (failure,) = gather(points).failures
    return failure


def test_an_entry_says_who_offers_it_and_what_it_is(plugin: Maker) -> None:
    registry = gather(plugin(GOOD, "treekit-round", "2.1", module="round_plugin"))
    (entry,) = registry.entries
    assert registry.failures == ()
    assert (entry.role, entry.name) == ("impurity", "round")
    assert (entry.distribution, entry.version) == ("treekit-round", "2.1")
    assert entry.summary == "Rounder than most (Author 1999)."
    assert entry.source == "round_plugin:Round"
    assert entry.strategy is sys.modules["round_plugin"].Round
    assert entry.full_name == "treekit-round:round"


def test_a_class_may_be_offered_under_two_names(plugin: Maker) -> None:
    code = GOOD.replace('{"round": Round}', '{"round": Round, "circular": Round}')
    registry = gather(plugin(code))
    assert registry.get("impurity", "round") is registry.get("impurity", "circular")


def test_the_same_module_under_two_entry_points_is_offered_once(plugin: Maker) -> None:
    assert len(gather(plugin(GOOD) * 2).entries) == 1


def test_an_entry_point_without_a_distribution_goes_by_its_module(plugin: Maker) -> None:
    plugin(GOOD, module="lonely_plugin")
    (entry,) = gather([EntryPoint("x", "lonely_plugin", "treekit")]).entries
    assert (entry.distribution, entry.version) == ("lonely_plugin", "")


def test_every_role_has_one_documented_hook() -> None:
    assert sorted(hooks.HOOKS.values()) == sorted(ROLES)
    for hook in hooks.HOOKS:
        assert len(getattr(hooks, hook).__doc__.split()) > 5


def test_installed_plugins_are_read_once() -> None:
    assert installed() is installed()


def test_a_broken_plugin_does_not_hurt_another(plugin: Maker) -> None:
    registry = gather(plugin("1 / 0", "treekit-broken") + plugin(GOOD))
    assert registry.names("impurity") == ("round",)
    assert [failure.distribution for failure in registry.failures] == ["treekit-broken"]


def test_a_bad_strategy_does_not_hurt_its_neighbours(plugin: Maker) -> None:
    registry = gather(plugin(GOOD.replace('{"round": Round}', '{"round": Round, "bad": 3}')))
    assert registry.names("impurity") == ("round",)
    (failure,) = registry.failures
    assert (failure.role, failure.name) == ("impurity", "bad")


# What goes wrong while a module is loaded. `M` stands for the module's name.
LOADING = {
    "import": ("import no_such_module", "'M' cannot be imported: ModuleNotFoundError: No module"
               " named 'no_such_module'"),
    "exception": ("raise RuntimeError('out of\\n luck')", "'M' cannot be imported: RuntimeError:"
                  " out of luck"),
    "bare exception": ("raise KeyError", "'M' cannot be imported: KeyError"),
    "exit": ("raise SystemExit(3)", "'M' cannot be imported: SystemExit: 3"),
}  # fmt: skip


@pytest.mark.parametrize(("code", "problem"), LOADING.values(), ids=LOADING)
def test_a_module_that_cannot_be_loaded_is_told(plugin: Maker, code: str, problem: str) -> None:
    points = plugin(code)
    failure = only_failure(points)
    assert failure.problem == problem.replace("M", points[0].value, 1)
    assert failure.entry_point == f"toy = {points[0].value}"
    assert (failure.distribution, failure.version) == ("treekit-toy", "1.0")
    assert (failure.role, failure.name) == ("", "")


def test_a_syntax_error_is_told(plugin: Maker) -> None:
    failure = only_failure(plugin("def f(:", module="garbled_plugin"))
    assert failure.problem == (
        "'garbled_plugin' cannot be imported: SyntaxError: invalid syntax"
        " (garbled_plugin.py, line 6)"
    )


def test_a_missing_module_is_told() -> None:
    failure = only_failure([EntryPoint("x", "no_such_plugin", "treekit")])
    assert str(failure) == (
        "the plugin no_such_plugin failed: 'no_such_plugin' cannot be imported:"
        " ModuleNotFoundError: No module named 'no_such_plugin'"
    )


# What is wrong with the hooks of a module: its code, the problem, the hint.
HOOKS = {
    "no hook": (
        "x = 1",
        "'M' has no hook",
        "define one of treekit_impurities, treekit_criteria, treekit_splitters, treekit_stops,"
        " treekit_missing, treekit_labels, treekit_pruners, treekit_growers, treekit_ensembles,"
        " marked with @treekit.hooks.hookimpl",
    ),
    "misspelled": (
        "@hookimpl\ndef treekit_criterias(): return {}",
        "unknown hook 'treekit_criterias'",
        "did you mean 'treekit_criteria'?",
    ),
    "forgotten mark": (
        "def treekit_criteria(): return {}",
        "treekit_criteria is not marked as a hook",
        "decorate it with @treekit.hooks.hookimpl",
    ),
    "forgotten mark and misspelled": (
        "def treekit_criterium(): return {}",
        "treekit_criterium is neither marked as a hook nor called like one",
        "did you mean 'treekit_criteria'?",
    ),
    "argument": (
        "@hookimpl\ndef treekit_criteria(registry): return {}",
        "PluginValidationError: Plugin 'M' for hook 'treekit_criteria' hookimpl definition:"
        " treekit_criteria(registry) Argument(s) {'registry'} are declared in the hookimpl but can"
        " not be found in the hookspec",
        "a hook takes no argument and returns {name: class}",
    ),
    "raises": (
        "@hookimpl\ndef treekit_criteria(): raise ValueError('no')",
        "the hook treekit_criteria raised ValueError: no",
        "",
    ),
    "returns nothing": (
        "@hookimpl\ndef treekit_criteria(): pass",
        "the hook treekit_criteria returned NoneType, not a dict",
        "return {name: class}",
    ),
    "returns a list": (
        "@hookimpl\ndef treekit_criteria(): return []",
        "the hook treekit_criteria returned list, not a dict",
        "return {name: class}",
    ),
    "name is no string": (
        "@hookimpl\ndef treekit_criteria(): return {3: int}",
        "the hook treekit_criteria: the name 3 is not a string",
        "return {name: class}",
    ),
    "name cannot be written": (
        "@hookimpl\ndef treekit_criteria(): return {'a:b': int}",
        "the hook treekit_criteria: the name 'a:b' cannot stand in a recipe",
        "begin with a letter, then use letters, digits, '_' and '-'",
    ),
    "empty name": (
        "@hookimpl\ndef treekit_criteria(): return {'': int}",
        "the hook treekit_criteria: the name '' cannot stand in a recipe",
        "begin with a letter, then use letters, digits, '_' and '-'",
    ),
}


@pytest.mark.parametrize(("code", "problem", "hint"), HOOKS.values(), ids=HOOKS)
def test_a_wrong_hook_is_told(plugin: Maker, code: str, problem: str, hint: str) -> None:
    points = plugin(code)
    failure = only_failure(points)
    told = failure.problem.replace(points[0].value, "M").replace("\n", " ")
    assert told == problem
    assert failure.hint == hint


# What makes a class unfit: the hook, the class offered as "bad", the problem, the hint.
CLASSES = {
    "a number": ("criteria", "Bad = 3", "3 is not a class", "return {name: class}"),
    "not attrs": (
        "criteria",
        "class Bad: pass",
        "the class Bad is not an attrs class",
        "decorate it with @attrs.frozen",
    ),
    "no method": (
        "criteria",
        "@attrs.frozen\nclass Bad: pass",
        "the class Bad lacks 'score'",
        "see treekit.roles.Criterion",
    ),
    "three methods": (
        "missing",
        "@attrs.frozen\nclass Bad:\n  def check(self, table): pass",
        "the class Bad lacks 'discount' and 'destination'",
        "see treekit.roles.Missing",
    ),
    "method is a value": (
        "labels",
        "@attrs.frozen\nclass Bad:\n  answers = 3",
        "the class Bad lacks 'answers'",
        "see treekit.roles.Label",
    ),
    "splitter without kinds": (
        "splitters",
        "@attrs.frozen\nclass Bad:\n  def offer(self, search, columns): pass",
        "the class Bad lacks 'kinds'",
        "see treekit.roles.Splitter",
    ),
    "kinds is a string": (
        "splitters",
        "@attrs.frozen\nclass Bad:\n  kinds = ('numeric')\n  def offer(self, s, c): pass",
        "Bad.kinds is 'numeric'",
        "it must be a tuple of 'numeric', 'ordinal', 'nominal'",
    ),
    "unknown task": (
        "labels",
        "@attrs.frozen\nclass Bad:\n  tasks = ('ranking',)\n  def answers(self, tree): pass",
        "Bad.tasks is ('ranking',)",
        "it must be a tuple of 'classification', 'regression'",
    ),
    "stop without a reason": (
        "stops",
        "@attrs.frozen\nclass Bad:\n  def before(self, nodes): pass",
        "the class Bad lacks 'reason'",
        "see treekit.roles.Stop",
    ),
    "stop that never stops": (
        "stops",
        "@attrs.frozen\nclass Bad:\n  reason: ClassVar[str] = 'x'",
        "the class Bad has none of 'before', 'look', 'after', 'branch_rows', 'branch_weight',"
        " 'most_leaves'",
        "see treekit.roles.Stop",
    ),
    "unknown type": (
        "labels",
        "@attrs.frozen\nclass Bad:\n  x: Unheard = 1\n  def answers(self, tree): pass",
        "the fields of Bad have types that cannot be read (name 'Unheard' is not defined)",
        "import the types at the top of the module, not under TYPE_CHECKING",
    ),
}


@pytest.mark.parametrize(("hook", "code", "problem", "hint"), CLASSES.values(), ids=CLASSES)
def test_an_unfit_class_is_told(
    plugin: Maker, hook: str, code: str, problem: str, hint: str
) -> None:
    offer = f"@hookimpl\ndef treekit_{hook}(): return {{'bad': Bad}}"
    failure = only_failure(plugin(f"{code}\n{offer}"))
    role = hooks.HOOKS[f"treekit_{hook}"]
    assert failure.problem == f"the {role} 'bad' cannot be used: {problem}"
    assert failure.hint == hint


def test_an_object_in_place_of_its_class_is_told(plugin: Maker) -> None:
    failure = only_failure(plugin(GOOD.replace('{"round": Round}', '{"round": Round()}')))
    assert failure.problem == "the impurity 'round' cannot be used: Round() is not a class"
    assert failure.hint == "return the class, not an object of it"


ROLE_METHODS = [
    ("impurities", "impurity"),
    ("criteria", "score"),
    ("labels", "answers"),
    ("pruners", "prune"),
    ("growers", "grow"),
    ("ensembles", "plant"),
]


@pytest.mark.parametrize(("hook", "method"), ROLE_METHODS)
def test_a_class_with_its_method_is_fit(plugin: Maker, hook: str, method: str) -> None:
    code = f"@attrs.frozen\nclass Fit:\n  def {method}(self): pass\n"
    code += f"@hookimpl\ndef treekit_{hook}(): return {{'fit': Fit}}"
    assert gather(plugin(code)).failures == ()


@pytest.mark.parametrize("slots", [True, False])
def test_a_stop_may_have_fields_for_what_it_must_have(plugin: Maker, slots: bool) -> None:
    code = f"""
@attrs.frozen(slots={slots})
class Fit:
    reason: str = "enough"
    branch_rows: float = 2.0
@hookimpl
def treekit_stops(): return {{"fit": Fit}}
"""
    assert gather(plugin(code)).failures == ()


def test_a_row_form_counts_as_a_method(plugin: Maker) -> None:
    code = """
from treekit.formula import row_form
@attrs.frozen
class Fit:
    @row_form
    def impurity(stats): return stats[0]
@hookimpl
def treekit_impurities(): return {"fit": Fit}
"""
    assert gather(plugin(code)).failures == ()
