"""`treekit datasets`: the built-in data sets, listed and shown."""

from __future__ import annotations

import json

from treekit.datasets import dataset_names

from .conftest import Treekit


def test_data_sets_are_listed(treekit: Treekit) -> None:
    lines = treekit("datasets").lines
    assert lines[0].split() == ["name", "rows", "columns", "target", "parts", "summary"]
    assert [line.split()[0] for line in lines[1:]] == list(dataset_names())


def test_data_sets_are_listed_as_json(treekit: Treekit) -> None:
    listed = json.loads(treekit("datasets", "--json").out)
    assert [entry["name"] for entry in listed] == list(dataset_names())
    assert listed[2]["rows"] == 14


def test_a_data_set_is_shown_with_its_columns_and_rows(treekit: Treekit) -> None:
    answer = treekit("datasets", "show", "tennis")
    assert answer.code == 0
    assert answer.lines[0].startswith("tennis: ")
    assert answer.lines[1].startswith("from ")
    assert answer.lines[4].split()[:3] == ["outlook", "column", "nominal"]
    assert answer.lines[-14:][0] == "1,sunny,hot,high,weak,no"


def test_a_data_set_is_shown_as_json(treekit: Treekit) -> None:
    shown = json.loads(treekit("datasets", "show", "mammals:test", "--json").out)
    assert shown["target"] == "mammal"
    assert [c["name"] for c in shown["described"]][-1] == "mammal"
    assert len(shown["data"]) == 10


def test_a_misspelled_data_set_gets_the_nearest(treekit: Treekit) -> None:
    answer = treekit("datasets", "show", "tenis")
    assert (answer.code, answer.err) == (
        2,
        "error: there is no data set 'tenis'; did you mean 'tennis'?\n",
    )


def test_a_part_that_is_not_there_is_an_error(treekit: Treekit) -> None:
    answer = treekit("datasets", "show", "tennis:test")
    assert (answer.code, answer.err) == (
        2,
        "error: the data set 'tennis' has no part 'test'; there is 'train'\n",
    )
