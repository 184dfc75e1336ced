"""From strategies and laws to tests that pytest collects, one for each pair."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Any

import pytest

from treekit.registry import GROUP, Registry, gather
from treekit.testing.examples import examples_of, label_of
from treekit.testing.laws import Law, laws_of

NO_WAIVERS: Mapping[str, str] = {}


def contract_tests(
    role: str, *strategies: Any, waive: Mapping[str, str] = NO_WAIVERS
) -> Callable[[Law], None]:
    """A test function that holds strategies to the laws of their role.

    role        one of treekit.roles.ROLES
    strategies  classes, tried with their defaults and each other choice of a `Literal` or bool
                field in turn; or objects, where other parameters are to be tried
    waive       the laws that do not hold and need not: {id of the test: why}. The id is what
                pytest prints in brackets. A waived law must fail, so that no waiver outlives
                its reason
    """
    cases = [case for s in strategies for case in _cases(role, _name(s), s)]
    return _test_of(cases, waive)


def contract_tests_for(
    plugin: str | ModuleType, *objects: Any, waive: Mapping[str, str] = NO_WAIVERS
) -> Callable[[Law], None]:
    """The same for everything that a plugin module offers through its hooks.

    Further `objects` of the offered classes are tried besides. The ids of the tests begin with
    "role.name".
    """
    module = plugin if isinstance(plugin, str) else plugin.__name__
    registry = gather([EntryPoint(module, module, GROUP)])
    loads = Law("loads_without_a_problem", _loads.__doc__ or "", lambda: _loads(module, registry))
    cases = [(loads.name, loads)]
    for entry in registry.entries:
        given = [o for o in objects if type(o) is entry.strategy]
        for strategy in (entry.strategy, *given):
            cases += _cases(entry.role, f"{entry.role}.{entry.name}", strategy)
    return _test_of(cases, waive)


def _loads(module: str, registry: Registry) -> None:
    """Every hook of the plugin can be asked, and everything it offers can be used."""
    problems = "\n".join(map(str, registry.failures))
    if problems:
        raise AssertionError(problems)
    if not registry.entries:
        raise AssertionError(f"the plugin {module!r} offers nothing")


def _name(strategy: Any) -> str:
    return str((strategy if isinstance(strategy, type) else type(strategy)).__name__)


def _cases(role: str, name: str, strategy: Any) -> Iterator[tuple[str, Law]]:
    try:
        examples = examples_of(strategy)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        yield f"{name}-can_be_made", Law("can_be_made", "It can be made.", lambda: _fail(problem))
        return
    for example in examples:
        for law in laws_of(role, example):
            yield f"{label_of(name, example)}-{law.name}", law


def _fail(problem: str) -> None:
    raise AssertionError(problem)


def _test_of(cases: list[tuple[str, Law]], waive: Mapping[str, str]) -> Callable[[Law], None]:
    unknown = sorted(set(waive) - {case for case, _ in cases})
    if unknown:
        raise ValueError(f"there is no test {unknown[0]!r} to waive")
    parameters = [
        pytest.param(
            law,
            id=case,
            marks=[pytest.mark.xfail(raises=AssertionError, strict=True, reason=waive[case])]
            if case in waive
            else [],
        )
        for case, law in cases
    ]

    @pytest.mark.parametrize("law", parameters)
    def test_contract(law: Law) -> None:
        __tracebackhide__ = True
        law.check()

    return test_contract
