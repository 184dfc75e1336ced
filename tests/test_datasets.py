"""The built-in data sets: what they are called, what they hold, and how they are read."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from treekit.datasets import dataset_info, dataset_names, dataset_path, load_dataset
from treekit.errors import DataError

# name: rows, columns a tree may ask about, target, classes in order, rows of the test part
CONTENTS = {
    "spam": (6, 3, "class", ("spam", "ham"), 0),
    "vegetation": (7, 3, "vegetation", ("chaparral", "riparian", "conifer"), 0),
    "tennis": (14, 4, "play", ("yes", "no"), 0),
    "buys_computer": (14, 4, "buys_computer", ("no", "yes"), 0),
    "cheat": (10, 3, "cheat", ("Yes", "No"), 0),
    "attrib": (10, 3, "class", ("No", "Yes"), 5),
    "mammals": (10, 3, "mammal", ("yes", "no"), 10),
    "impurity8": (8, 2, "Y", ("-", "+"), 0),
    "parity3": (8, 3, "Y", ("0", "1"), 0),
    "guess_who": (4, 3, "name", ("Brian", "John", "Aphra", "Aoife"), 0),
}
WITH_TEST_ROWS = [name for name, (*_, test_rows) in CONTENTS.items() if test_rows]

every_dataset = pytest.mark.parametrize("name", CONTENTS)


def test_the_catalogue_lists_every_data_set() -> None:
    assert dataset_names() == tuple(CONTENTS)


@every_dataset
def test_a_data_set_holds_what_its_source_prints(name: str) -> None:
    rows, columns, target, classes, _ = CONTENTS[name]
    table = load_dataset(name)
    assert (table.n_rows, table.n_columns) == (rows, columns)
    assert (table.schema.target.name, table.schema.classes) == (target, classes)
    assert table.target_values is not None


@every_dataset
def test_no_level_is_declared_that_no_row_has(name: str) -> None:
    table = load_dataset(name)
    for column, values in zip(table.columns, table.cells, strict=True):
        if not column.is_numeric:
            assert np.unique(values).tolist() == list(range(len(column.levels))), column.name


@every_dataset
def test_a_data_set_is_described_without_being_encoded(name: str) -> None:
    rows, columns, target, _, test_rows = CONTENTS[name]
    info = dataset_info(name)
    assert (info.name, info.rows, info.columns, info.target) == (name, rows, columns, target)
    assert info.task == load_dataset(name).task
    assert info.parts == (("train", "test") if test_rows else ("train",))


@every_dataset
def test_a_data_set_says_in_one_line_what_it_is_and_where_it_comes_from(name: str) -> None:
    info = dataset_info(name)
    assert info.summary.endswith((".", "?"))
    assert "\n" not in info.summary + info.source
    assert "(slides)" in info.source


@pytest.mark.parametrize("name", WITH_TEST_ROWS)
def test_a_test_part_is_read_with_the_schema_of_the_training_part(name: str) -> None:
    table = load_dataset(name, part="test")
    assert table.n_rows == CONTENTS[name][-1]
    assert table.schema == load_dataset(name).schema
    assert not np.isnan(table.cells).any()


def test_test_rows_that_carry_a_label_keep_it() -> None:
    assert load_dataset("mammals", part="test").y.tolist() == [0, 1, 0, 1, 1, 1, 1, 0, 0, 1]


def test_test_rows_without_a_label_have_no_target_values() -> None:
    assert load_dataset("attrib", part="test").target_values is None


@pytest.mark.parametrize(
    ("name", "identifier"),
    [
        ("spam", "id"),
        ("vegetation", "id"),
        ("tennis", "day"),
        ("cheat", "tid"),
        ("attrib", "tid"),
        ("mammals", "name"),
        ("impurity8", "id"),
    ],
)
def test_a_row_identifier_is_in_the_file_but_not_in_the_table(name: str, identifier: str) -> None:
    with dataset_path(name).open(encoding="utf-8", newline="") as file:
        assert identifier in next(csv.reader(file))
    assert identifier not in [column.name for column in load_dataset(name).columns]


def test_a_row_identifier_becomes_a_column_when_its_kind_is_given() -> None:
    day = load_dataset("tennis", kinds={"day": "nominal"}).columns[0]
    assert (day.name, day.kind, len(day.levels)) == ("day", "nominal", 14)


def test_options_of_the_reader_reach_it() -> None:
    table = load_dataset("tennis", target="wind")
    assert table.schema.target.name == "wind"
    assert table.schema.classes == ("weak", "strong")


def test_incomes_are_numbers_in_thousands() -> None:
    table = load_dataset("cheat")
    income = [column.name for column in table.columns].index("taxable_income")
    assert table.columns[income].kind == "numeric"
    assert table.cells[income].tolist() == [125, 100, 70, 120, 95, 60, 220, 85, 75, 90]


def test_parity_is_true_parity_where_the_source_slipped() -> None:
    table = load_dataset("parity3")
    assert table.y.tolist() == (table.cells.sum(axis=0) % 2).tolist()


@pytest.mark.parametrize("ask", [load_dataset, dataset_info, dataset_path])
def test_an_unknown_name_is_answered_with_the_nearest_one(ask) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(DataError) as caught:
        ask("tenis")
    assert str(caught.value) == "there is no data set 'tenis'; did you mean 'tennis'?"


def test_a_name_like_none_is_answered_with_all_of_them() -> None:
    with pytest.raises(DataError) as caught:
        load_dataset("zzz")
    assert str(caught.value) == (
        "there is no data set 'zzz'; there is attrib, buys_computer, cheat, guess_who, impurity8,"
        " mammals, parity3, spam, tennis, vegetation"
    )


def test_a_part_that_is_not_there_is_answered_with_those_that_are() -> None:
    with pytest.raises(DataError) as caught:
        load_dataset("tennis", part="test")
    assert str(caught.value) == "the data set 'tennis' has no part 'test'; there is 'train'"
    with pytest.raises(DataError) as caught:
        load_dataset("mammals", part="validation")
    assert str(caught.value) == (
        "the data set 'mammals' has no part 'validation'; there is 'train' and 'test'"
    )
