"""Merging drafts: key by key, but a slot whose `use` changes is replaced whole.

`stop` is a list of slots. A list, or a slot with another `use`, replaces it; `stop.0`, `stop.1`
and so on reach its items, and the number after the last one adds an item; parameters without `use`
reach the item of a list of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from treekit.errors import Problem
from treekit.recipe.draft import Draft, Leaf, Patch, Slot, Stops
from treekit.recipe.source import Keys
from treekit.recipe.terms import merged_leaves


def merged(under: Draft, over: Draft) -> tuple[Draft, list[Problem]]:
    """`over` laid upon `under`, and what it could not reach."""
    slots = dict(under.slots)
    for path, slot in over.slots.items():
        slots[path] = _merged_slot(slots[path], slot) if path in slots else slot
    stops, problems = _merged_stops(under.stops, over.stops)
    classes = merged_leaves(under.classes, over.classes)
    return Draft({**under.facts, **over.facts}, slots, stops, classes), problems


def _merged_slot(under: Slot, over: Slot) -> Slot:
    if over.used is not None and over.used != under.used:
        return over
    parameters = dict(under.parameters)
    for key, leaf in over.parameters.items():
        held = parameters.get(key)
        parameters[key] = leaf if held is None else _merged_leaf(held, leaf)
    return Slot(over.origin, over.use or under.use, parameters)


def _merged_leaf(under: Leaf, over: Leaf) -> Leaf:
    return evolve(over, value=_merged_value(under.value, over.value))


def _merged_value(under: Any, over: Any) -> Any:
    if not (isinstance(under, Mapping) and isinstance(over, Mapping)):
        return over
    both = {key: _merged_value(under[key], over[key]) for key in over if key in under}
    return {**under, **over, **both}


def _merged_stops(
    under: Stops | Patch | None, over: Stops | Patch | None
) -> tuple[Stops | Patch | None, list[Problem]]:
    if over is None:
        return under, []
    held = list(under.items) if isinstance(under, Stops) else []
    if isinstance(over, Stops):
        if not over.is_list and len(held) == 1:
            over = Stops((_merged_slot(held[0], over.items[0]),), is_list=False)
        return over, []
    problems = []
    for position, slot in over.items.items():
        i = position
        if i is None and len(held) == 1:
            i = 0
        if i is not None and i < len(held):
            held[i] = _merged_slot(held[i], slot)
        elif i == len(held) and slot.use is not None:
            held.append(slot)
        else:
            problems.append(_unreached(position, slot, held))
    return Stops(tuple(held), is_list=True), problems


def _unreached(position: int | None, slot: Slot, held: list[Slot]) -> Problem:
    rules = ", ".join(f"{i} = {rule.used}" for i, rule in enumerate(held))
    if position is None:
        path: Keys = ("tree", "stop")
        what = "these parameters do not say which stop rule they are for"
        example = f"tree.stop.N.{next(iter(slot.parameters), 'use')}"
    else:
        path = ("tree", "stop", str(position))
        what = f"there is no stop rule {position} to change"
        example = f'tree.stop.{len(held)} = {{ use = "..." }} adds one'
    if not held:
        remedy = 'none is inherited; say which to use, as in stop = { use = "..." }'
    elif position is None:
        remedy = f"the rules are {rules}; write {example}, N being its number"
    else:
        remedy = f"the rules are {rules}; {example}"
    return Problem(what, slot.origin.where(path), remedy)
