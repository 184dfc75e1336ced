"""Saving and loading loses nothing, and no damage gets through."""

from __future__ import annotations

import contextlib
import copy
import json
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from treekit.errors import DataError, ModelError
from treekit.model import Model, parts_of
from treekit.model_file import document, parse
from treekit.report import FORMATS, render

from ..properties import examples
from .any_model import PLAIN, models, same, tables
from .by_hand import grouped, price, weather
from .with_extras import chances, lines, standing_in


def text_of(model: Model) -> str:
    return "".join(document(parts_of(model)))


def loaded(text: str) -> Model:
    return Model(**parse(text))


@examples(75)
@given(st.data())
def test_what_is_loaded_is_what_was_saved(data):
    model = data.draw(models())
    back = loaded(text_of(model))
    assert same(model, back)
    rows = data.draw(tables(model.schema))
    try:
        expected = model.predict(rows)
    except DataError:
        return
    np.testing.assert_array_equal(back.predict(rows), expected)


@examples(50)
@given(models())
def test_a_model_file_is_strict_json_in_ascii(model):
    def refuse(token: str) -> None:
        raise AssertionError(token)

    text = text_of(model)
    assert text.isascii()
    json.loads(text, parse_constant=refuse)


EXAMPLES = {
    model.__name__: text_of(model())
    for model in (weather, price, grouped, lines, chances, standing_in)
}
ODD = st.sampled_from(
    [None, True, -1, 0, 1, 2, 10**400, 2**63, 1.5, 1e308, "", "a", [], {}, [[]], -3, -4, 99]
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to everything in a document but the whole."""
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    return [found for key in keys for found in [(*path, key), *places(value[key], (*path, key))]]


@st.composite
def mutated(draw: Any, document: dict[str, Any]) -> dict[str, Any]:
    """The document with one thing in it replaced, removed, repeated or renamed."""
    changed = copy.deepcopy(document)
    *way, last = draw(st.sampled_from(places(document)))
    holder: Any = changed
    for key in way:
        holder = holder[key]
    change = draw(st.sampled_from(["replace", "remove", "repeat", "rename"]))
    if change == "replace":
        holder[last] = draw(ODD | PLAIN)
    elif change == "remove":
        del holder[last]
    elif isinstance(holder, list):
        holder.insert(last, holder[last])
    else:
        holder[draw(st.sampled_from(["x", "kind", "levels"]))] = holder.pop(last)
    return changed


@examples(150)
@given(st.data())
def test_one_changed_value_is_no_change_or_an_error(data):
    text = EXAMPLES[data.draw(st.sampled_from(sorted(EXAMPLES)))]
    try:
        found = loaded(json.dumps(data.draw(mutated(json.loads(text)))))
    except ModelError:
        return
    assert same(found, loaded(text))


@examples(150)
@given(st.data())
def test_one_changed_character_is_no_change_or_an_error(data):
    text = EXAMPLES[data.draw(st.sampled_from(sorted(EXAMPLES)))]
    at = data.draw(st.integers(0, len(text) - 1))
    until = data.draw(st.sampled_from([at, at + 1, len(text)]))
    put = data.draw(st.sampled_from(["", "0", "9", "-", "e", ",", "[", "}", '"', "x", "\\", " "]))
    try:
        found = loaded(text[:at] + put + text[until:])
    except ModelError:
        return
    assert same(found, loaded(text))


@examples(150)
@given(st.data())
def test_whatever_loads_without_a_checksum_can_be_used(data):
    """A hostile file carries no checksum, or a right one: the checks alone must keep it safe."""
    content = json.loads(EXAMPLES[data.draw(st.sampled_from(sorted(EXAMPLES)))])
    del content["checksum"]
    try:
        found = loaded(json.dumps(data.draw(mutated(content))))
    except ModelError:
        return
    for format_ in FORMATS:
        render(found, format_)
    assert same(found, loaded(text_of(found)))
    rows = data.draw(tables(found.schema))
    with np.errstate(all="ignore"), contextlib.suppress(DataError):
        found.predict(rows)
