"""Rows for validation that are given, with `treekit fit --validation` and `fit(validation=)`."""

from __future__ import annotations

from pathlib import Path

import pytest

import treekit
from treekit.errors import DataError, RecipeError

from .conftest import Treekit

PRUNED = {"tree.pruner": "reduced_error"}
TRAINING = "x,y\n" + "".join(f"{i},{'a' if i < 6 else 'b'}\n" for i in range(12))
# To these the value of x tells nothing, so that a leaf does no worse.
CONTRARY = "x,y\n" + "".join(f"{i},{'b' if i < 6 else 'a'}\n" for i in range(12))


@pytest.fixture(autouse=True)
def files(folder: Path) -> None:
    (folder / "train.csv").write_text(TRAINING)
    (folder / "contrary.csv").write_text(CONTRARY)


def fit(validation: object, recipe: str = "c45", **more: object) -> treekit.Model:
    settings = {**PRUNED, "tree.stop": ["pure", "min_gain"]}
    return treekit.fit(recipe, "train.csv", target="y", set=settings, validation=validation, **more)  # type: ignore[arg-type]


def test_growth_sees_all_the_training_rows() -> None:
    assert fit("train.csv").trees[0].rows[0] == 12
    assert fit(None).trees[0].rows[0] == 8


def test_the_given_rows_judge() -> None:
    assert fit("train.csv").n_leaves == 2
    assert fit("contrary.csv").n_leaves == 1


def test_a_table_or_a_frame_will_do() -> None:
    import pandas as pd

    table = treekit.read_table("contrary.csv", target="y")
    assert fit(table).n_leaves == 1
    assert fit(pd.read_csv("contrary.csv")).n_leaves == 1


def test_a_pruner_that_keeps_no_rows_has_no_use_for_them() -> None:
    with pytest.raises(RecipeError) as caught:
        treekit.fit("cart", "train.csv", target="y", validation="contrary.csv")
    assert str(caught.value).endswith(
        "tree.pruner: rows for validation are given, but the pruner 'cost_complexity' of recipe"
        " 'cart' looks at training rows only; leave them out, or take a pruner that keeps rows for"
        " validation"
    )


@pytest.mark.parametrize(
    ("recipe", "target"), [("gradient_boosting", "bought"), ("gradient_boosting_regression", "age")]
)
def test_trees_of_residuals_are_not_judged_by_rows_of_the_target(recipe: str, target: str) -> None:
    settings = {**PRUNED, "ensemble.rounds": 3}
    table = treekit.read_table("shop.csv", target=target)
    with pytest.raises(RecipeError) as caught:
        treekit.fit(recipe, table, set=settings, validation=table)
    assert str(caught.value).endswith(
        "ensemble: rows for validation are given, but the trees of the ensemble"
        " 'gradient_boosting' predict another target than theirs; leave them out: the pruner then"
        " keeps some of the rows that each tree is grown on"
    )
    assert len(treekit.fit(recipe, table, set=settings).trees) == 3


def test_other_columns_are_told() -> None:
    other = treekit.read_table("shop.csv", target="bought")
    with pytest.raises(DataError, match="have other columns, levels or classes than the training"):
        fit(other)


def test_rows_without_a_class_cannot_judge(folder: Path) -> None:
    (folder / "bare.csv").write_text("x\n1\n2\n")
    with pytest.raises(DataError, match="rows without a value of the target 'y'"):
        fit("bare.csv")


def test_no_rows_cannot_judge(folder: Path) -> None:
    (folder / "none.csv").write_text("x,y\n")
    with pytest.raises(DataError, match="there are no rows for validation"):
        fit("none.csv")


def test_the_command_takes_a_file(treekit: Treekit) -> None:
    said = ("fit", "c45", "train.csv", "--target", "y", "--quiet", "--set",
            "tree.pruner=reduced_error")  # fmt: skip
    assert (
        treekit(*said, "--validation", "train.csv").lines[0] == "size: 3 nodes, 2 leaves, depth 1"
    )
    assert treekit(*said, "--validation", "contrary.csv").lines[0].startswith("size: 1 node")


def test_the_command_refuses_them_before_it_reads_the_data(treekit: Treekit) -> None:
    answer = treekit("fit", "cart", "nowhere.csv", "--validation", "contrary.csv")
    assert answer.code == 2
    assert "looks at training rows only" in answer.err


def test_both_files_are_read_alike(treekit: Treekit, folder: Path) -> None:
    (folder / "marked.csv").write_text(CONTRARY + "unknown,a\n")
    answer = treekit(
        "fit", "c45", "train.csv", "--target", "y", "--quiet", "--missing", "unknown",
        "--set", "tree.pruner=reduced_error", "--validation", "marked.csv",
    )  # fmt: skip
    assert answer.code == 0
