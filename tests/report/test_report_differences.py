"""How the trees of several recipes differ."""

from __future__ import annotations

import pytest

from treekit.errors import ModelError
from treekit.report import differences

from ..model.by_hand import (
    WEATHER,
    cut,
    groups,
    leaf,
    model_of,
    price,
    schema_of,
    table_of,
    weather,
)

ROWS = [
    ("sunny", 70, "weak"),
    ("sunny", 80, "weak"),
    ("overcast", 80, "weak"),
    ("rain", 80, "strong"),
]
PLAYED = ["yes", "no", "yes", "yes"]
STUMP = model_of(WEATHER, cut("humidity", 72.5, leaf(0, 2), leaf(3, 2)))
LEAF = model_of(WEATHER, leaf(1, 3))


def test_models_are_told_apart_by_size_columns_root_and_errors():
    table = table_of(WEATHER, *ROWS, target=PLAYED)
    found = differences({"c45": weather(), "cart": STUMP, "root": LEAF}, table)
    assert (
        str(found)
        == """\
play, 4 rows
model  nodes  leaves  depth  errors  columns                  root test
c45        8       5      2       1  outlook, humidity, wind  outlook: sunny | overcast | rain
cart       3       2      1       2  humidity                 humidity: <= 72.5 | > 72.5
root       1       1      0       1  -                        none, a leaf: yes

predicted differently
c45 and cart: 1 of 4 rows (25.0%)
c45 and root: 2 of 4 rows (50.0%)
cart and root: 3 of 4 rows (75.0%)
"""
    )


def test_the_record_holds_what_the_text_says():
    found = differences({"c45": weather(), "cart": STUMP}, table_of(WEATHER, *ROWS, target=PLAYED))
    assert [m.errors for m in found.models] == [1, 2]
    assert found.models[0].columns == ("outlook", "humidity", "wind")
    assert [(p.first, p.second, p.rows) for p in found.pairs] == [("c45", "cart", 1)]


def test_rows_of_unknown_target_are_neither_right_nor_wrong():
    table = table_of(WEATHER, *ROWS, target=["yes", None, None, "yes"])
    assert differences({"c45": weather()}, table).models[0].errors == 1


def test_without_a_target_there_are_no_errors_to_count():
    found = differences({"c45": weather()}, table_of(WEATHER, *ROWS))
    assert (
        str(found)
        == """\
play, 4 rows
model  nodes  leaves  depth  columns                  root test
c45        8       5      2  outlook, humidity, wind  outlook: sunny | overcast | rain
"""
    )


def test_numbers_have_a_root_mean_squared_error():
    schema = price().schema
    mean = model_of(schema, leaf(8, 60, 2558), leaf(8, 60, 2558), centre=100.0)
    table = table_of(schema, ("small", 1), ("large", 1), target=[105, 134])
    assert (
        str(differences({"tree": price(), "mean": mean}, table))
        == """\
price, 2 rows
model  trees  nodes  leaves  depth     rmse  columns    root test
tree       1      6       4      2  2.82843  size, age  size: <= small | > small
mean       2      2       2      0  18.8215  -          none, a leaf: 107.5

predicted differently
tree and mean: 2 of 2 rows (100.0%)
"""
    )


def test_the_root_s_groups_are_told():
    root = groups("outlook", {"sunny rain": leaf(1, 0), "overcast": leaf(0, 1)})
    found = differences({"subset": model_of(WEATHER, root)}, table_of(WEATHER, *ROWS))
    assert found.models[0].root == "outlook: sunny, rain | overcast"


@pytest.mark.parametrize(
    ("models", "targets"),
    [
        ({"a": weather(), "b": model_of(schema_of("y: a b"), leaf(1, 1))}, "'play', 'y'"),
        ({}, "none"),
    ],
)
def test_models_of_different_targets_cannot_be_compared(models, targets):
    with pytest.raises(ModelError) as caught:
        differences(models, table_of(WEATHER, *ROWS))
    assert str(caught.value) == (
        f"models can be compared only if they predict the same target, got {targets};"
        " grow them on the same table"
    )
