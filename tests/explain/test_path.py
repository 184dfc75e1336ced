"""One row's way through a model: what it was asked, what it said, where it went."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import treekit
from treekit.errors import DataError
from treekit.explain import Asked, RowExplanation
from treekit.explain.path import row_path
from treekit.model import row_answers
from treekit.route import ends
from treekit.tree import CUTS, LEVELS, REFUSE, SPREAD, STAY, Surrogates

from ..model.any_model import models, tables
from ..model.by_hand import cut, groups, leaf, model_of, schema_of, table_of, weather

SCHEMA = schema_of("y: no yes", x="", colour="red green blue")


def asked_of(found: RowExplanation) -> list[tuple[Any, ...]]:
    """Node, column, value and branch of each question."""
    return [(a.node, a.test.column.name, a.value, a.branch) for a in found.paths[0].asked]


# --- laws ----------------------------------------------------------------------------------------


@settings(suppress_health_check=[HealthCheck.filter_too_much], deadline=None)
@given(st.data())
def test_a_path_ends_where_the_router_says(data: Any) -> None:
    model = data.draw(models())
    table = data.draw(tables(model.schema))
    assume(table.n_rows)
    row = data.draw(st.integers(0, table.n_rows - 1))
    alone = table.take(np.array([row]))
    try:
        answer = row_answers(model, alone)
    except DataError:
        assume(False)
    found = row_path(model, table, row, None)
    for tree, path in zip(model.trees, found.paths, strict=True):
        where = ends(tree, alone)
        assert [end.node for end in path.ends] == where.node.tolist()
        assert [end.share for end in path.ends] == pytest.approx(where.share.tolist())
    total = sum(path.weight * np.array(path.answer) for path in found.paths)
    assert total == pytest.approx(answer[0])


@pytest.mark.parametrize("recipe", ["id3", "cart"])
def test_the_answer_is_the_prediction(recipe: str) -> None:
    model = treekit.fit(recipe, "tennis", set=["tree.stop=[ 'pure', 'no_columns' ]"])
    said = [model.explain_row("tennis", row).label for row in range(14)]
    assert said == model.predict("tennis").tolist()


# --- a known value -------------------------------------------------------------------------------


def test_a_row_is_asked_from_the_root_to_a_leaf() -> None:
    found = treekit.fit("id3", "tennis").explain_row("tennis", 0)
    assert asked_of(found) == [(0, "outlook", 0, 0), (1, "humidity", 0, 0)]
    (end,) = found.paths[0].ends
    assert (end.node, end.share, end.answer) == (4, 1, (0, 1))
    assert end.why == "all target values are the same"
    assert (found.label, found.actual, found.answer) == ("no", "no", (0, 1))


def test_counts_are_told_at_each_node() -> None:
    found = treekit.fit("id3", "tennis").explain_row("tennis", 0)
    steps = found.paths[0].asked
    assert [step.here.counts for step in steps] == [(9, 5), (2, 3)]
    assert found.paths[0].ends[0].here.counts == (0, 3)


def test_the_query_of_the_textbook_ends_in_an_empty_branch() -> None:
    model = treekit.fit("id3", "vegetation")
    query = pd.DataFrame({"stream": ["true"], "slope": ["moderate"], "elevation": ["high"]})
    found = model.explain_row(query, 0)
    assert asked_of(found) == [(0, "elevation", 0, 0), (1, "slope", 1, 1)]
    assert (found.label, found.actual) == ("chaparral", "")
    assert found.paths[0].ends[0].why == "no rows reach it"


def test_a_number_is_answered() -> None:
    data = pd.DataFrame({"x": [1.0, 2, 3, 4], "y": [10.0, 12, 20, 22]})
    model = treekit.fit("regression", data, target="y", set=["tree.stop=pure"])
    found = model.explain_row(data, 2)
    assert (found.answer, found.label, found.actual) == ((20,), "20.0", "20.0")


# --- an unknown one ------------------------------------------------------------------------------

UNKNOWN = table_of(SCHEMA, (None, "red"), (None, None), (1, "blue"))


def colours(unknown: int) -> Any:
    below = groups("colour", {"red": leaf(3, 0), "green": leaf(0, 1)}, unknown=unknown)
    return model_of(SCHEMA, cut("x", 5, leaf(0, 4), below, unknown=unknown))


def test_a_row_may_be_shared_out() -> None:
    found = colours(SPREAD).explain_row(UNKNOWN, 0)
    (first, second) = found.paths[0].asked
    assert (first.value, first.branch, first.by) == (None, None, "unknown")
    assert first.sent == ((1, 0.5), (2, 0.5))
    assert (second.share, second.sent) == (0.5, ((3, 0.5),))
    assert [(end.node, end.share) for end in found.paths[0].ends] == [(1, 0.5), (3, 0.5)]
    assert found.answer == (0.5, 0.5)


def test_shares_multiply_on_the_way() -> None:
    path = colours(SPREAD).explain_row(UNKNOWN, 1).paths[0]
    assert [(end.node, end.share) for end in path.ends] == [(1, 0.5), (3, 0.375), (4, 0.125)]
    assert path.answer == (0.375, 0.625)


def test_a_row_may_follow_the_others() -> None:
    found = colours(1).explain_row(UNKNOWN, 0)
    first = found.paths[0].asked[0]
    assert (first.branch, first.by, first.sent) == (1, "unknown", ((2, 1.0),))


def test_a_row_may_go_no_further() -> None:
    path = colours(STAY).explain_row(UNKNOWN, 0).paths[0]
    assert (len(path.asked), path.asked[0].sent) == (1, ())
    assert [(end.node, end.why) for end in path.ends] == [(0, "")]
    assert path.answer == (3 / 8, 5 / 8)


def test_a_row_may_be_refused() -> None:
    with pytest.raises(DataError, match="no known value in column 'x'"):
        colours(REFUSE).explain_row(UNKNOWN, 0)


def test_a_level_never_taught_is_as_good_as_unknown() -> None:
    model = model_of(SCHEMA, groups("colour", {"red": leaf(3, 0), "green": leaf(0, 1)}, unknown=0))
    found = model.explain_row(UNKNOWN, 2)
    (step,) = found.paths[0].asked
    assert (step.value, step.branch, step.by) == (2, 0, "unknown")
    assert "a level never seen here; node 1: where unknown values go" in str(found)


# --- surrogates ----------------------------------------------------------------------------------

THREE = schema_of("y: no yes", x="", z="", colour="red green blue")


def with_surrogates() -> Any:
    """The root asks x; in its stead z (the other way round), then colour."""
    model = model_of(THREE, cut("x", 5, leaf(0, 4), leaf(3, 1), unknown=0))
    stand_ins = Surrogates(
        first=np.array([0, 2, 2, 2]),
        column=np.array([1, 2], np.int32),
        kind=np.array([CUTS, LEVELS], np.int8),
        start=np.array([0, 1, 4]),
        operands=np.array([7.0, 1.0, 0.0, -1.0]),
        flipped=np.array([True, False]),
        agreement=np.array([0.875, 0.75]),
        adjusted=np.array([0.75, 0.5]),
    )
    return attrs.evolve(model, trees=(attrs.evolve(model.trees[0], surrogates=stand_ins),))


@pytest.mark.parametrize(
    ("row", "by", "branch", "tried"),
    [
        ((9, 1, "red"), "value", 1, []),
        ((None, 1, "red"), "surrogate", 1, [("z", 1)]),
        ((None, 8, "red"), "surrogate", 0, [("z", 0)]),
        ((None, None, "red"), "surrogate", 1, [("z", None), ("colour", 1)]),
        ((None, None, "green"), "surrogate", 0, [("z", None), ("colour", 0)]),
        ((None, None, "blue"), "unknown", 0, [("z", None), ("colour", None)]),
        ((None, None, None), "unknown", 0, [("z", None), ("colour", None)]),
    ],
)
def test_the_first_surrogate_that_knows_decides(row: Any, by: str, branch: int, tried: Any) -> None:
    table = table_of(THREE, row)
    model = with_surrogates()
    found = model.explain_row(table, 0)
    (step,) = found.paths[0].asked
    assert (step.by, step.branch) == (by, branch)
    assert [(t.test.column.name, t.branch) for t in step.surrogates] == tried
    assert found.paths[0].ends[0].node == ends(model.trees[0], table).node[0]


def test_a_surrogate_is_named_with_what_was_asked_in_vain() -> None:
    found = with_surrogates().explain_row(table_of(THREE, (None, None, "red")), 0)
    assert (
        "node 2: by the surrogate colour = red, which agrees in 75.0% of cases (z: unknown too)"
        in str(found)
    )


# --- several trees -------------------------------------------------------------------------------


def forest() -> Any:
    roots = [cut("x", at, leaf(0, 4), leaf(3, 1)) for at in (1, 2, 3, 4)]
    return model_of(SCHEMA, *roots, tree_weights=(0.5, 1, 1.5, 2))


def test_each_tree_has_its_path_and_its_weight() -> None:
    found = forest().explain_row(table_of(SCHEMA, (2.5, "red")), 0, trees=None)
    assert [(path.tree, path.weight) for path in found.paths] == [
        (0, 0.5), (1, 1), (2, 1.5), (3, 2),
    ]  # fmt: skip
    assert [path.ends[0].node for path in found.paths] == [2, 2, 1, 1]
    assert found.label == "yes"
    assert found.answer == pytest.approx((1.5 * 0.75 / 5, (1.5 * 0.25 + 3.5) / 5))


def test_of_many_trees_the_first_are_told_and_the_rest_counted() -> None:
    found = forest().explain_row(table_of(SCHEMA, (2.5, "red")), 0)
    assert (len(found.paths), found.n_trees) == (3, 4)
    assert "3 of 4 trees are told here" in str(found)
    assert "Path through tree 2 of 4, weight 1\n" in str(found)


# --- the rest ------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", [-1, 14])
def test_a_row_that_is_not_there_is_an_error(row: int) -> None:
    with pytest.raises(DataError) as caught:
        treekit.fit("id3", "tennis").explain_row("tennis", row)
    assert str(caught.value).endswith(
        f"there is no row {row + 1}: the rows are counted from 1 to 14"
    )


def test_a_saved_model_explains_rows_as_the_fitted_one_does(tmp_path: Path) -> None:
    model = treekit.fit("id3", "tennis")
    model.save(tmp_path / "model.json")
    assert treekit.load(tmp_path / "model.json").explain_row("tennis", 3) == model.explain_row(
        "tennis", 3
    )


def test_a_path_reads_from_top_to_bottom() -> None:
    found = treekit.fit("id3", "tennis").explain_row(treekit.load_dataset("tennis"), 0)
    assert (
        str(found)
        == """\
Row 1 of tennis
Answer: play = no (yes 0.0000, no 1.0000)
The data say: play = no

Path

node  rows  yes  no  asked     value  goes to
   0    14    9   5  outlook   sunny  node 1: outlook = sunny
   1     5    2   3  humidity  high   node 4: humidity = high
   4     3    0   3                   a leaf

It ends at node 4: yes 0.0000, no 1.0000.
Growth stopped there: all target values are the same."""
    )


def test_a_row_that_was_shared_out_reads_so() -> None:
    rows = table_of(weather().schema, (None, 70, "weak"))
    assert (
        str(weather().explain_row(rows, 0))
        == """\
Row 1 of rows.csv
Answer: play = yes (no 0.0000, yes 1.0000)

Path

node   share  rows  no  yes  asked     value    goes to
   0  1.0000    15   5   10  outlook   unknown  every branch by its weight: node 1 (0.4000), node 2 (0.2667), node 3 (0.3333)
   1  0.4000     6   3    3  humidity  70       node 4: humidity <= 75
   3  0.3333     5   2    3  wind      weak     node 6: wind = weak

Where it ends
node   share      no     yes  growth stopped there
   4  0.4000  0.0000  1.0000  pure
   2  0.2667  0.0000  1.0000  pure
   6  0.3333  0.0000  1.0000  pure

Together, by share: no 0.0000, yes 1.0000."""  # noqa: E501
    )


def test_leaf_models_answer_for_their_row() -> None:
    data = pd.DataFrame({"x": np.arange(12.0), "y": np.arange(12.0) * 2})
    model = treekit.fit(
        "regression",
        data,
        target="y",
        set=["tree.label=linear", "tree.stop=pure", "tree.pruner=none"],
    )
    for row in (0, 7):
        found = model.explain_row(data, row)
        assert found.answer[0] == pytest.approx(float(model.predict(data)[row]))
        assert found.paths[0].ends[0].answer == pytest.approx(found.answer)


def test_records_are_plain_data() -> None:
    step = treekit.fit("id3", "tennis").explain_row("tennis", 0).paths[0].asked[0]
    assert isinstance(step, Asked)
    assert attrs.asdict(step)["test"]["column"]["name"] == "outlook"


def test_the_neighbours_that_answered_are_told_with_their_distances() -> None:
    found = treekit.fit("knn", "tennis").explain_row("tennis", 13)
    (end,) = found.paths[0].ends
    # Row 14 itself, two rows that differ in one column, and five that differ in two.
    assert [near.row for near in end.nearest] == [13, 3, 11, 1, 5, 7, 9, 10]
    assert [near.distance for near in end.nearest] == pytest.approx([0, 1, 1, *[2**0.5] * 5])
    assert [near.weight for near in end.nearest] == pytest.approx([1, 1, 1, *[0.4] * 5])
    assert [near.target for near in end.nearest] == [1, 0, 0, 1, 1, 1, 0, 0]
    assert end.answer == pytest.approx((2.8 / 5, 2.2 / 5))
    assert "  4    1.0000  1.0000  yes" in str(found)


def test_of_many_neighbours_the_nearest_are_told() -> None:
    data = pd.DataFrame({"x": [0.0] * 30, "y": np.arange(30.0)})
    found = treekit.fit("knn_regression", data, target="y").explain_row(data, 0)
    assert len(found.paths[0].ends[0].nearest) == 30
    assert str(found).count("  0.0000  0.1667  ") == 20
    assert "Of the 30 training rows that answer at node 0" in str(found)


def test_a_leaf_without_neighbours_tells_none() -> None:
    assert treekit.fit("id3", "tennis").explain_row("tennis", 0).paths[0].ends[0].nearest == ()
