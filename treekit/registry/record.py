"""The Registry: an immutable record of what plugins offer, and of what failed."""

from __future__ import annotations

import re
from functools import cached_property

from attrs import frozen

from treekit.errors import PluginError, Problem, did_you_mean
from treekit.roles import ROLES

NOUNS: dict[str, str] = {
    "impurity": "an impurity",
    "criterion": "a criterion",
    "splitter": "a splitter",
    "stop": "a stop rule",
    "missing": "a missing-value handler",
    "label": "a leaf labeler",
    "pruner": "a pruner",
    "grower": "a grower",
    "ensemble": "an ensemble",
}
"""What a strategy of each role is called in messages."""


@frozen
class Entry:
    """A strategy class that a distribution offers under a name.

    `summary` is the first line of the class's docstring, `source` is "module:Class".
    """

    role: str
    name: str
    strategy: type
    distribution: str
    version: str
    summary: str
    source: str

    @property
    def full_name(self) -> str:
        """The name that no other distribution can share."""
        return f"{self.distribution}:{self.name}"


@frozen
class Failure:
    """Something that a plugin got wrong. `role` and `name` are what it concerns; empty: any."""

    entry_point: str
    distribution: str
    version: str
    problem: str
    hint: str = ""
    role: str = ""
    name: str = ""

    def __str__(self) -> str:
        return f"{self.short}; {self.hint}" if self.hint else self.short

    @property
    def short(self) -> str:
        """Who failed and how, without the hint for the plugin's author."""
        return f"the plugin {titled(self.distribution, self.version)} failed: {self.problem}"

    def might_have_had(self, role: str, name: str) -> bool:
        """Could the strategy have been there, had this not failed?"""
        return self.role in ("", role) and self.name in ("", name)


@frozen
class Registry:
    """What is registered, by whom, and what failed."""

    entries: tuple[Entry, ...] = ()
    failures: tuple[Failure, ...] = ()

    @cached_property
    def distributions(self) -> dict[type, tuple[str, ...]]:
        """Those that offer each strategy class."""
        found: dict[type, tuple[str, ...]] = {}
        for entry in self.entries:
            found[entry.strategy] = (*found.get(entry.strategy, ()), entry.distribution)
        return found

    def of(self, role: str) -> tuple[Entry, ...]:
        """The entries of a role, by name."""
        return tuple(sorted((e for e in self.entries if e.role == role), key=lambda e: e.name))

    def names(self, role: str) -> tuple[str, ...]:
        """The names that a recipe may write for a role, each once."""
        return tuple(dict.fromkeys(entry.name for entry in self.of(role)))

    def get(self, role: str, name: str, where: str = "") -> type:
        """The strategy class of this name, or of "distribution:name"; PluginError if none."""
        return self.entry(role, name, where).strategy

    def entry(self, role: str, name: str, where: str = "") -> Entry:
        """Like `get`, with who offers it."""
        if role not in ROLES:
            raise PluginError(
                Problem(f"there is no role {role!r}", where, did_you_mean(role, ROLES))
            )
        found = [entry for entry in self.entries if entry.role == role and _matches(entry, name)]
        if len(found) == 1:
            return found[0]
        problem = _ambiguous(role, name, found) if found else self._unknown(role, name)
        raise PluginError(Problem(problem.what, where, problem.instead))

    def name_of(self, role: str, strategy: type) -> str:
        """How a recipe writes this class: its shortest clear name, or its own if unregistered."""
        mine = [entry for entry in self.of(role) if entry.strategy is strategy]
        for name in [*(e.name for e in mine), *(e.full_name for e in mine)]:
            if sum(entry.role == role and _matches(entry, name) for entry in self.entries) == 1:
                return name
        return strategy.__name__

    def _unknown(self, role: str, name: str) -> Problem:
        bare = name.rpartition(":")[2]
        elsewhere = [e.role for e in self.entries if e.role != role and _matches(e, name)]
        if elsewhere:
            roles = " and ".join(NOUNS[other] for other in dict.fromkeys(elsewhere))
            what = f"{name!r} is {roles}, not {NOUNS[role]}"
        else:
            what = f"there is no {role} {name!r}"
        known = self.names(role)
        if ":" in name and bare in known:
            full = [entry.full_name for entry in self.of(role) if entry.name == bare]
            remedy = f"{bare!r} is offered as {' and '.join(map(repr, full))}"
        else:
            remedy = did_you_mean(bare, known)
        failed = [f.short for f in self.failures if f.might_have_had(role, bare)]
        return Problem(what, instead="; ".join([remedy, *failed]))


def _ambiguous(role: str, name: str, found: list[Entry]) -> Problem:
    who = " and ".join(f"{titled(e.distribution, e.version)} ({e.source})" for e in found)
    full = list(dict.fromkeys(entry.full_name for entry in found))
    if len(full) == 1:
        remedy = "the plugin must give each a name of its own"
    else:
        remedy = f"say which: {' or '.join(map(repr, full))}"
    return Problem(f"the {role} {name!r} is offered twice, by {who}", instead=remedy)


def titled(distribution: str, version: str) -> str:
    return f"{distribution} {version}".strip()


def _matches(entry: Entry, name: str) -> bool:
    distribution, _, bare = name.rpartition(":")
    if entry.name != bare:
        return False
    return not distribution or _normal(distribution) == _normal(entry.distribution)


def _normal(distribution: str) -> str:
    """Distribution names are equal up to case and runs of `-`, `_` and `.` (PyPA name rules)."""
    return re.sub(r"[-_.]+", "-", distribution).lower()
