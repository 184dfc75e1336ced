"""A model as indented text."""

from __future__ import annotations

import math

import pytest
from rich.text import Text

from treekit.errors import ModelError
from treekit.report import FORMATS, coloured, render, text
from treekit.tree import REFUSE, STAY

from ..model.by_hand import (
    cut,
    grouped,
    groups,
    leaf,
    model_of,
    price,
    schema_of,
    weather,
)
from ..model.large import chain

WEATHER = """\
outlook = sunny
|   humidity <= 75: yes (2.0)
|   humidity > 75: no (4.0/1.0)
outlook = overcast: yes (4.0)
outlook = rain
|   wind = weak: yes (3.0)
|   wind = strong: no (2.0)
"""

PRICE = """\
size <= small: 105 (n 2.0, variance 1)
size > small
|   age <= 3.5: 130 (n 2.0, variance 0)
|   3.5 < age <= 10: 120 (n 1.0, variance 0)
|   age > 10: 90 (n 3.0, variance 2)
"""

GROUPED = """\
town in {york, hull}: no (6.0/1.0)
town = leeds
|   size <= s: no (1.0)
|   s < size <= l: yes (2.0)
|   size > l: no (3.0)
"""


@pytest.mark.parametrize(
    ("model", "said"), [(weather(), WEATHER), (price(), PRICE), (grouped(), GROUPED)]
)
def test_each_kind_of_tree_reads_like_its_conditions(model, said):
    assert text(model) == said
    assert str(model) == said.rstrip("\n")


def test_reasons_tell_why_each_leaf_stopped():
    assert (
        text(weather(), reasons=True)
        == """\
outlook = sunny
|   humidity <= 75: yes (2.0) [pure]
|   humidity > 75: no (4.0/1.0) [few rows]
outlook = overcast: yes (4.0) [pure]
outlook = rain
|   wind = weak: yes (3.0) [pure]
|   wind = strong: no (2.0) [pure]
"""
    )


def test_unknown_tells_where_unknown_values_go():
    assert (
        text(price(), unknown=True)
        == """\
size <= small: 105 (n 2.0, variance 1)
size > small
|   age <= 3.5 or unknown: 130 (n 2.0, variance 0)
|   3.5 < age <= 10: 120 (n 1.0, variance 0)
|   age > 10: 90 (n 3.0, variance 2)
An unknown value is shared out over all branches, by their weight at 1 of 2 tests.
"""
    )


SMALL = schema_of("y: no yes", x="", colour="red green blue", size="s < m < l")


@pytest.mark.parametrize(
    ("goes_to", "said"),
    [
        (STAY, "An unknown value goes no further: the node answers.\n"),
        (REFUSE, "An unknown value is refused.\n"),
    ],
)
def test_what_holds_for_all_tests_is_told_once(goes_to, said):
    model = model_of(SMALL, cut("x", 1, leaf(1, 0), leaf(0, 1), unknown=goes_to))
    assert text(model, unknown=True) == "x <= 1: no (1.0)\nx > 1: yes (1.0)\n" + said


def test_a_branch_of_their_own_for_unknown_values_is_always_told():
    cuts = cut("x", 1, leaf(1, 0), leaf(0, 1), leaf(2, 0), unknown=2)
    levels = groups("colour", {"red": leaf(0, 3), "green blue": cuts, "": leaf(4, 0)}, unknown=2)
    assert (
        text(model_of(SMALL, levels))
        == """\
colour = red: yes (3.0)
colour in {green, blue}
|   x <= 1: no (1.0)
|   x > 1: yes (1.0)
|   x is unknown: no (2.0)
colour is unknown: no (4.0)
"""
    )


def test_a_tree_of_one_leaf_is_its_answer():
    assert text(model_of(SMALL, leaf(3, 1))) == "no (4.0/1.0)\n"


def test_levels_of_an_ordinal_column_may_have_branches_of_their_own():
    branches = {"s": leaf(1, 0), "m": leaf(0, 1), "l": leaf(1, 0)}
    assert (
        text(model_of(SMALL, groups("size", branches)))
        == """\
size = s: no (1.0)
size = m: yes (1.0)
size = l: no (1.0)
"""
    )


def test_an_empty_leaf_weighs_nothing():
    model = model_of(SMALL, cut("x", 1, leaf(2, 1), leaf(0, 0, answer=(0, 1))))
    assert text(model) == "x <= 1: no (3.0/1.0)\nx > 1: yes (0.0)\n"


def test_an_answer_that_is_not_the_mean_is_told_beside_it():
    schema = schema_of("y: numeric", x="")
    assert text(model_of(schema, leaf(4, 10, 30, answer=(2,)))) == (
        "2 (mean 2.5, n 4.0, variance 1.25)\n"
    )


def test_small_weights_keep_their_digits():
    model = model_of(SMALL, cut("x", 1, leaf(0.0625, 0.03125), leaf(0, 0.5)))
    assert text(model) == "x <= 1: no (0.0938/0.0312)\nx > 1: yes (0.5)\n"


@pytest.mark.parametrize(
    ("cuts", "shown"),
    [
        ([2.45], "2.45"),
        ([0.1 + 0.2], "0.3"),
        ([1 / 3], "0.333333"),
        ([20231115.5], "20231115.5"),
        ([1234567 + 1 / 3], "1234567.3"),
        ([1.00000001, 1.00000002], "1.00000001 1.00000002"),
        ([1 / 3, 1 / 3 + 1e-11], "0.333333333333 0.333333333343"),
        ([math.nextafter(1, 0), math.nextafter(1, 2)], "0.99999999999999989 1.0000000000000002"),
        ([1e-9, 1e300], "1e-09 1e+300"),
        ([-0.0], "0"),
    ],
)
def test_a_cut_has_ten_digits_if_they_are_exact_else_six_or_as_many_as_tell_it_apart(cuts, shown):
    leaves = [leaf(1, 0)] * (len(cuts) + 1)
    first, *_, last = text(model_of(SMALL, cut("x", cuts, *leaves))).splitlines()
    assert first == f"x <= {shown.split()[0]}: no (1.0)"
    assert last == f"x > {shown.split()[-1]}: no (1.0)"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("New York", "New York"),
        ("<50", "<50"),
        ("naïve", "naïve"),
        ("日本", "日本"),
        ("", '""'),
        (" a", '" a"'),
        ("a: b", '"a: b"'),
        ("a, b", '"a, b"'),
        ('say "hi"', r'"say \"hi\""'),
        ("two\nlines", r'"two\nlines"'),
        ("bell\x07", r'"bell\u0007"'),
        ("right\u202eleft", r'"right\u202eleft"'),
    ],
)
def test_a_name_is_quoted_where_it_would_blur(name, shown):
    schema = schema_of("y: no yes", **{name: ""})
    model = model_of(schema, cut(name, 1, leaf(1, 0), leaf(0, 1)))
    assert text(model) == f"{shown} <= 1: no (1.0)\n{shown} > 1: yes (1.0)\n"


def test_the_trees_of_an_ensemble_are_numbered():
    model = model_of(
        SMALL,
        leaf(3, 1),
        cut("x", 1, leaf(1, 0), leaf(0, 1)),
        tree_weights=(0.25, 2),
    )
    assert (
        text(model)
        == """\
Tree 1 of 2, weight 0.25
no (4.0/1.0)

Tree 2 of 2, weight 2
x <= 1: no (1.0)
x > 1: yes (1.0)
"""
    )


def test_colours_are_for_those_who_ask():
    said = coloured(weather())
    assert isinstance(said, Text)
    assert said.plain == WEATHER
    styles = {str(span.style) for span in said.spans}
    assert styles == {"dim", "bold green", "cyan"}


def test_indentation_stops_where_the_depth_is_told_instead():
    lines = text(chain(30)).splitlines()
    bars = "|   " * 24
    assert lines[2 * 24].startswith((bars + "a ", bars + "b ", bars + "c "))
    assert lines[2 * 25].startswith(bars + "[25] ")
    assert lines[2 * 29].startswith(bars + "[29] ")


def test_a_format_is_picked_by_name():
    assert list(FORMATS) == ["text", "json", "dot", "mermaid", "rules"]
    assert render(weather(), "text") == WEATHER
    assert render(weather()) == WEATHER


def test_a_format_that_is_not_there_is_an_error():
    with pytest.raises(ModelError) as caught:
        render(weather(), "jsn")
    assert str(caught.value) == "there is no report format 'jsn'; did you mean 'json'?"


@pytest.mark.slow
@pytest.mark.parametrize("name", list(FORMATS))
def test_a_tree_of_20_000_levels_is_written_in_every_format(name):
    said = render(chain(20_000), name)
    assert 200_000 < len(said) < 8_000_000
