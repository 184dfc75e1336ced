"""A model answers for rows: the weighted sum of its trees, by name or by number."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

from treekit.errors import DataError, ModelError
from treekit.model import versions_used
from treekit.table.record import Column, Schema, Table

from .by_hand import WEATHER, cut, grouped, leaf, model_of, price, schema_of, table_of, weather

ROWS = table_of(
    WEATHER,
    ("sunny", 70, "weak"),
    ("sunny", 80, "weak"),
    ("overcast", 80, "weak"),
    ("rain", 80, "strong"),
)


def test_classes_are_predicted_by_name():
    predicted = weather().predict(ROWS)
    assert predicted.dtype == object
    assert predicted.tolist() == ["yes", "no", "yes", "no"]


def test_probabilities_are_the_leaf_s_shares():
    expected = [[0, 1], [0.75, 0.25], [0, 1], [1, 0]]
    assert weather().predict_proba(ROWS).tolist() == expected


def test_a_row_that_is_spread_gets_shares_of_many_leaves():
    rows = table_of(WEATHER, (None, 80, "weak"))
    no, yes = weather().predict_proba(rows)[0]
    assert no == pytest.approx(6 / 15 * 0.75)
    assert yes == pytest.approx(6 / 15 * 0.25 + 4 / 15 + 5 / 15)


def test_numbers_are_predicted_as_floats():
    model = price()
    rows = table_of(model.schema, ("small", 1), ("large", 3.5), ("medium", 4), ("large", 11))
    predicted = model.predict(rows)
    assert predicted.dtype == np.float64
    assert predicted.tolist() == [105, 130, 120, 90]


def test_a_level_that_was_never_taught_goes_where_unknown_values_go():
    model = grouped()
    assert model.predict(table_of(model.schema, ("bath", "xl"), (None, None))).tolist() == [
        "no",
        "no",
    ]


def test_regression_has_no_probabilities():
    model = price()
    with pytest.raises(ModelError) as caught:
        model.predict_proba(table_of(model.schema, ("small", 1)))
    assert str(caught.value) == (
        "the model predicts a number, 'price', and has no class probabilities; ask for predict"
    )


STUMPS = schema_of("y: a b c", x="")


def votes(*answers: tuple[float, float, float], weights: tuple[float, ...]) -> tuple[str, list]:
    model = model_of(
        STUMPS, *(leaf(1, 1, 1, answer=answer) for answer in answers), tree_weights=weights
    )
    row = table_of(STUMPS, (0,))
    return model.predict(row)[0], model.predict_proba(row)[0].tolist()


def test_trees_are_summed_by_weight():
    label, shares = votes((1, 0, 0), (0, 1, 0), (0, 1, 0), weights=(3, 1, 1))
    assert (label, shares) == ("a", [0.6, 0.4, 0])


def test_the_first_class_wins_a_tie():
    assert votes((0, 0.5, 0.5), weights=(1,))[0] == "b"


def test_rounding_in_the_last_bit_decides_nothing():
    assert 0.1 + 0.2 > 0.3
    assert votes((0, 0.3, 0.1), (0, 0, 0.2), weights=(1, 1))[0] == "b"


def test_answers_without_weight_say_nothing():
    assert votes((0, 0, 0), weights=(1,)) == ("a", [1 / 3] * 3)


def test_the_columns_of_another_table_are_found_by_name():
    schema = schema_of(
        "play: yes no", wind="strong weak gale", extra="", humidity="", outlook="rain sunny snow"
    )
    rows = table_of(schema, ("strong", 1, 80, "rain"), ("weak", 1, 60, "sunny"))
    assert weather().predict(rows).tolist() == ["no", "yes"]


def test_a_level_the_model_never_saw_is_unknown_to_it():
    schema = schema_of("play: yes no", wind="gale weak", humidity="", outlook="rain")
    rows = table_of(schema, ("gale", 80, "rain"), ("weak", 80, "rain"))
    expected = table_of(WEATHER, ("rain", 80, None), ("rain", 80, "weak"))
    np.testing.assert_array_equal(weather().predict_proba(rows), weather().predict_proba(expected))


def test_a_missing_column_is_an_error():
    schema = schema_of("play: yes no", wind="weak strong", humidty="", outlook="rain sunny")
    with pytest.raises(DataError) as caught:
        weather().predict(table_of(schema, ("weak", 80, "rain")))
    assert str(caught.value) == (
        "rows.csv: there is no column 'humidity', which the model was grown on;"
        " did you mean 'humidty'?"
    )


def test_a_column_of_another_kind_is_an_error():
    schema = schema_of("play: yes no", wind="weak strong", humidity="low high", outlook="rain")
    with pytest.raises(DataError) as caught:
        weather().predict(table_of(schema, ("weak", "low", "rain")))
    assert str(caught.value) == (
        "rows.csv: column 'humidity' is nominal, but the model was grown on numeric values"
    )


def test_a_data_frame_or_a_file_is_read_by_the_model_s_schema(tmp_path):
    frame = pandas.DataFrame(
        {"outlook": ["rain", "sunny"], "wind": ["strong", "weak"], "humidity": [80, 70.0]}
    )
    frame.to_csv(tmp_path / "new.csv", index=False)
    assert weather().predict(frame).tolist() == ["no", "yes"]
    assert weather().predict(tmp_path / "new.csv").tolist() == ["no", "yes"]


def test_no_rows_give_no_answers():
    empty = Table(WEATHER, np.empty((3, 0)))
    assert weather().predict(empty).tolist() == []
    assert weather().predict_proba(empty).shape == (0, 2)


def test_a_model_tells_its_size_over_all_trees():
    two = model_of(STUMPS, leaf(1, 1, 0), cut("x", 1, leaf(1, 0, 0), leaf(0, 1, 0)))
    assert (two.n_nodes, two.n_leaves, two.depth) == (4, 3, 1)
    assert two.classes == ("a", "b", "c")
    assert two.columns == (Column("x", "numeric"),)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (
            weather(),
            "<Model: 1 tree, 8 nodes, 5 leaves, depth 2;"
            " predicts 'play', one of 2 classes, from 3 columns>",
        ),
        (
            price(),
            "<Model: 1 tree, 6 nodes, 4 leaves, depth 2;"
            " predicts 'price', a number, from 2 columns>",
        ),
        (
            model_of(STUMPS, leaf(1, 2, 3)),
            "<Model: 1 tree, 1 node, 1 leaf, depth 0;"
            " predicts 'y', one of 3 classes, from 1 column>",
        ),
    ],
)
def test_the_repr_is_one_line(model, said):
    assert repr(model) == said


def test_the_str_is_the_text_tree():
    tree = model_of(Schema((Column("x", "numeric"),), STUMPS.target), leaf(3, 1, 0))
    assert str(tree) == "a (4.0/1.0)"


def test_the_versions_are_those_of_treekit_python_numpy_and_the_plugins():
    versions = versions_used(["pytest", "no-such-distribution"])
    assert set(versions) == {"treekit", "python", "numpy", "pytest", "no-such-distribution"}
    assert versions["pytest"] == pytest.__version__
    assert versions["no-such-distribution"] == "not installed"
