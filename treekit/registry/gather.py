"""Gathering: every entry point is loaded on its own, and what fails is remembered, not raised."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import pluggy

from treekit import hooks
from treekit.errors import did_you_mean
from treekit.registry.check import Flaw, flaw_of_class, flaw_of_name
from treekit.registry.record import Entry, Failure, Registry

GROUP = "treekit"
"""The entry point group in which a distribution names its plugin modules."""

# A module may call sys.exit() while it is imported; that must not end the program.
_ANY_FAILURE = (Exception, SystemExit)


@cache
def installed() -> Registry:
    """What the installed distributions offer. Read once per process."""
    return gather(entry_points(group=GROUP))


def gather(points: Iterable[EntryPoint]) -> Registry:
    """Load these entry points, each on its own."""
    entries: list[Entry] = []
    failures: list[Failure] = []
    for point in sorted(points, key=lambda p: (_who(p), p.name)):
        for found in _offered(point):
            if isinstance(found, Failure):
                failures.append(found)
            elif found not in entries:
                entries.append(found)
    return Registry(tuple(entries), tuple(failures))


def _offered(point: EntryPoint) -> Iterator[Entry | Failure]:
    distribution, version = _who(point)

    def failure(flaw: Flaw, role: str = "") -> Failure:
        where = f"{point.name} = {point.value}"
        return Failure(where, distribution, version, flaw.problem, flaw.hint, role, flaw.name)

    try:
        plugin = point.load()
    except _ANY_FAILURE as error:
        yield failure(Flaw(f"{point.value!r} cannot be imported: {_told(error)}"))
        return
    manager = pluggy.PluginManager(hooks.PROJECT)
    manager.add_hookspecs(hooks)
    try:
        manager.register(plugin)
    except _ANY_FAILURE as error:
        yield failure(Flaw(_told(error), "a hook takes no argument and returns {name: class}"))
        return
    unmarked = list(_unmarked(plugin, manager))
    yield from map(failure, unmarked)
    callers = manager.get_hookcallers(plugin) or []
    if not callers and not unmarked:
        remedy = f"define one of {', '.join(hooks.HOOKS)}, marked with @treekit.hooks.hookimpl"
        yield failure(Flaw(f"{point.value!r} has no hook", remedy))
    for caller in callers:
        role = hooks.HOOKS.get(caller.name)
        if role is None:
            near = did_you_mean(caller.name, hooks.HOOKS)
            yield failure(Flaw(f"unknown hook {caller.name!r}", near))
            continue
        for implementation in caller.get_hookimpls():
            for found in _asked(implementation.function, caller.name, role):
                if isinstance(found, Flaw):
                    yield failure(found, role)
                    continue
                name, strategy = found
                source = f"{strategy.__module__}:{strategy.__qualname__}"
                summary = _summary(strategy)
                yield Entry(role, name, strategy, distribution, version, summary, source)


def _asked(function: Any, hook: str, role: str) -> Iterator[tuple[str, type] | Flaw]:
    """What one hook of a plugin gives: names and classes, and flaws."""
    try:
        offer = function()
    except _ANY_FAILURE as error:
        yield Flaw(f"the hook {hook} raised {_told(error)}")
        return
    if not isinstance(offer, Mapping):
        problem = f"the hook {hook} returned {type(offer).__name__}, not a dict"
        yield Flaw(problem, "return {name: class}")
        return
    for name, strategy in offer.items():
        unwritable = flaw_of_name(name)
        unfit = flaw_of_class(role, strategy)
        if unwritable is not None:
            yield Flaw(f"the hook {hook}: {unwritable.problem}", unwritable.hint)
        elif unfit is not None:
            yield Flaw(f"the {role} {name!r} cannot be used: {unfit.problem}", unfit.hint, name)
        else:
            yield name, strategy


def _unmarked(plugin: Any, manager: pluggy.PluginManager) -> Iterator[Flaw]:
    """Functions that are called like hooks but are not marked as hooks."""
    for name in dir(plugin):
        if not name.startswith(f"{hooks.PROJECT}_"):
            continue
        is_marked = manager.parse_hookimpl_opts(plugin, name) is not None
        if is_marked or not inspect.isroutine(getattr(plugin, name, None)):
            continue
        if name in hooks.HOOKS:
            hint = "decorate it with @treekit.hooks.hookimpl"
            yield Flaw(f"{name} is not marked as a hook", hint)
        else:
            near = did_you_mean(name, hooks.HOOKS)
            yield Flaw(f"{name} is neither marked as a hook nor called like one", near)


def _who(point: EntryPoint) -> tuple[str, str]:
    """The distribution's name and version; the module's name if no distribution is known."""
    if point.dist is None:
        return point.value.partition(":")[0].partition(".")[0], ""
    return point.dist.name, point.dist.version


def _told(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _summary(strategy: type) -> str:
    # attrs writes no docstring, but a class without one would inherit object's.
    return (inspect.cleandoc(strategy.__doc__ or "").splitlines() or [""])[0]
