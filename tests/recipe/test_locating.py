"""The line of every key in a TOML text."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treekit.recipe.locate import locate
from treekit.recipe.words import as_toml

TEXTS = {
    "a pair": ("a = 1", {"a": 1}),
    "after comments and blank lines": ("# a = 1\n\n  a = 1 # b = 2\n", {"a": 3}),
    "a table": ("[t]\na = 1\n", {"t": 1, "t.a": 2}),
    "a table with spaces": ("[ t . u ]\na = 1\n", {"t": 1, "t.u": 1, "t.u.a": 2}),
    "tables opened apart": (
        "[t.u]\na = 1\n[t]\nb = 2\n",
        {"t": 1, "t.u": 1, "t.u.a": 2, "t.b": 4},
    ),
    "a dotted key": ("a.b . c = 1\na.d = 2", {"a": 1, "a.b": 1, "a.b.c": 1, "a.d": 2}),
    "quoted keys": ("\"x y\".'z' = 1", {"x y": 1, "x y.z": 1}),
    "an escaped key": ('"\\u0061" = 1', {"a": 1}),
    "a key of digits": ("stop.0.rows = 1", {"stop": 1, "stop.0": 1, "stop.0.rows": 1}),
    "an inline table": ("a = { b = 1, c = { d = 2 } }", {"a": 1, "a.b": 1, "a.c": 1, "a.c.d": 1}),
    "a dotted key in an inline table": ("a = { b.c = 1 }", {"a": 1, "a.b": 1, "a.b.c": 1}),
    "an empty inline table": ("a = {}\nb = 1", {"a": 1, "b": 2}),
    "an array over lines": (
        "a = [ # one\n  1,\n\n  { b = 2 }, # ]\n]\nc = 3",
        {"a": 1, "a.0": 2, "a.1": 4, "a.1.b": 4, "c": 6},
    ),
    "an array of arrays": ("a = [[1, 2],\n[3]]", {"a": 1, "a.0": 1, "a.0.0": 1, "a.0.1": 1,
                                                 "a.1": 2, "a.1.0": 2}),
    "an empty array": ("a = [\n]\nb = 1", {"a": 1, "b": 3}),
    "a string with a comment sign": ('a = "# [x] = {"\nb = 1', {"a": 1, "b": 2}),
    "a string with an escaped quote": ('a = "\\"\\\\" # "\nb = 1', {"a": 1, "b": 2}),
    "a literal string": ("a = '\\'\nb = 1", {"a": 1, "b": 2}),
    "a string over lines": ('a = """\nb = 2\n\\""" """\nc = 1', {"a": 1, "c": 4}),
    "a literal string over lines": ("a = '''\nb = 2\n'''\nc = 1", {"a": 1, "c": 4}),
    "a string that ends in quotes": ('a = """x"""""\nb = 1', {"a": 1, "b": 2}),
    "an empty string": ('a = ""\nb = 1', {"a": 1, "b": 2}),
    "strings in an array": ('a = ["],", \'}\',\n"x"]', {"a": 1, "a.0": 1, "a.1": 1, "a.2": 2}),
    "a date with a space": ("a = 1979-05-27 07:32:00\nb = 1", {"a": 1, "b": 2}),
    "an array of tables": (
        "[[t.s]]\na = 1\n[[t.s]]\na = 2\n[t.s.u]\nb = 3\n",
        {"t": 1, "t.s": 1, "t.s.0": 1, "t.s.0.a": 2, "t.s.1": 3, "t.s.1.a": 4, "t.s.1.u": 5,
         "t.s.1.u.b": 6},
    ),
    "nothing": ("", {}),
    "only a comment": ("# nothing", {}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "lines"), TEXTS.values(), ids=TEXTS)
def test_every_key_has_its_line(text: str, lines: dict[str, int]) -> None:
    tomllib.loads(text)
    assert {".".join(path): line for path, line in locate(text).items()} == lines


def paths(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    items = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in items:
        yield (*path, str(key))
        if isinstance(value, dict | list):
            yield from paths(value, (*path, str(key)))


text = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=6)
scalars = st.booleans() | st.integers(-99, 99) | st.floats(allow_nan=False) | text
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(text, values, max_size=4))
def test_what_tomllib_reads_is_located_path_by_path(document: dict[str, Any]) -> None:
    lines = [f"{as_toml({key: value})[2:-2]}  # [{i}]" for i, (key, value) in
             enumerate(document.items())]  # fmt: skip
    written = "\n".join(lines)
    assert tomllib.loads(written) == document
    located = locate(written)
    assert set(located) == set(paths(document))
    assert [located[(key,)] for key in document] == list(range(1, len(document) + 1))
