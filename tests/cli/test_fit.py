"""`treekit fit`: what it prints, what it writes, and every option."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import treekit as package
from treekit.cli.measures import in_words

from .conftest import SHOP, Treekit

TENNIS = """\
outlook = sunny
|   humidity = high: no (3.0)
|   humidity = normal: yes (2.0)
outlook = overcast: yes (4.0)
outlook = rain
|   wind = weak: yes (3.0)
|   wind = strong: no (2.0)

size: 8 nodes, 5 leaves, depth 2
training: 0 of 14 rows wrong (0.0 %)
"""


def test_a_built_in_data_set_knows_its_target(treekit: Treekit) -> None:
    answer = treekit("fit", "id3", "tennis")
    assert (answer.code, answer.out) == (0, TENNIS)


def test_the_kinds_that_were_found_are_told_apart_from_the_answer(treekit: Treekit) -> None:
    assert treekit("fit", "id3", "shop.csv", "--target", "bought").notes == [
        "8 rows; target bought: classes no, yes",
        "numeric: age, price",
        "nominal: income (2 levels), size (3 levels), member (2 levels)",
    ]


def test_many_columns_are_named_in_part(treekit: Treekit) -> None:
    names = [f"x{i}" for i in range(20)]
    rows = "".join(f"{','.join(str(i + j) for j in range(20))},{'ab'[i % 2]}\n" for i in range(6))
    Path("wide.csv").write_text(",".join([*names, "y"]) + "\n" + rows)
    notes = treekit("fit", "id3", "wide.csv", "--target", "y").notes
    assert notes[1] == f"numeric: {', '.join(names[:12])} and 8 more"


def test_quiet_leaves_the_figures_only(treekit: Treekit) -> None:
    answer = treekit("fit", "id3", "tennis", "--quiet")
    assert (answer.out, answer.err) == ("".join(TENNIS.splitlines(keepends=True)[-2:]), "")


def test_a_kind_can_be_said(treekit: Treekit) -> None:
    answer = treekit("fit", "id3", "shop.csv", "--target", "bought", "--kind", "age=nominal")
    assert "nominal: age (8 levels), " in answer.err
    assert "numeric: price\n" in answer.err


def test_a_schema_file_says_the_kinds_and_the_target(treekit: Treekit) -> None:
    Path("shop.toml").write_text(
        'target = "bought"\nothers = "infer"\n\n[columns]\n'
        'size = { kind = "ordinal", levels = ["S", "M", "L"] }\n'
    )
    answer = treekit("fit", "id3", "shop.csv", "--schema", "shop.toml")
    assert answer.code == 0, answer.err
    assert "note: ordinal: size (3 levels)\n" in answer.err


def test_marks_of_unknown_values_can_be_said(treekit: Treekit) -> None:
    Path("shop.csv").write_text(SHOP.replace("23,low", "none,low"))
    words = ["fit", "c45", "shop.csv", "--target", "bought"]
    assert "numeric: price\n" in treekit(*words).err
    assert "numeric: age, price\n" in treekit(*words, "--missing", "none").err


def test_a_column_can_weigh_the_rows(treekit: Treekit) -> None:
    answer = treekit(
        "fit", "id3", "shop.csv", "--target", "bought", "--weights", "price", "--quiet"
    )
    assert answer.lines[-1] == "training: 0 of 21.5 weight wrong (0.0 %)"


def test_an_encoding_can_be_said(treekit: Treekit) -> None:
    Path("shop.csv").write_text(SHOP.replace("income", "größe"), encoding="latin-1")
    answer = treekit("fit", "id3", "shop.csv", "--target", "bought", "--encoding", "latin-1")
    assert "größe (2 levels)" in answer.err


def test_rows_without_a_target_can_be_left_out(treekit: Treekit) -> None:
    Path("shop.csv").write_text(SHOP + "70,low,S,no,1.0,?\n")
    words = ["fit", "id3", "shop.csv", "--target", "bought", "--quiet"]
    assert treekit(*words).code == 2
    answer = treekit(*words, "--drop-missing-target")
    assert answer.lines[-1] == "training: 0 of 8 rows wrong (0.0 %)"


def test_the_recipe_can_be_changed(treekit: Treekit) -> None:
    answer = treekit(
        "fit", "id3", "tennis", "--quiet",
        "--set", 'tree.stop=["pure", { use = "max_depth", depth = 1 }]',
        "--set", "tree.impurity=gini",
    )  # fmt: skip
    assert answer.lines[0] == "size: 4 nodes, 3 leaves, depth 1"


def test_a_recipe_can_be_a_file(treekit: Treekit) -> None:
    Path("mine.toml").write_text('extends = "id3"\n[tree]\nimpurity = "gini"\n')
    assert treekit("fit", "mine.toml", "tennis").out == TENNIS


def test_a_test_file_is_measured_with_a_confusion_table(treekit: Treekit) -> None:
    answer = treekit("fit", "id3", "mammals", "--test", "mammals:test", "--quiet")
    assert answer.out == (
        "size: 5 nodes, 3 leaves, depth 2\n"
        "training: 0 of 10 rows wrong (0.0 %)\n"
        "test: 2 of 10 rows wrong (20.0 %)\n"
        "\n"
        "actual  yes  no   <- answered\n"
        "yes       2   2\n"
        "no        0   6\n"
    )


def test_numbers_are_measured_by_their_distance(treekit: Treekit) -> None:
    Path("line.csv").write_text("x,y\n" + "".join(f"{i},{2 * (i >= 20)}\n" for i in range(40)))
    answer = treekit("fit", "regression", "line.csv", "--target", "y", "--test", "line.csv", "-q")
    assert answer.out == (
        "size: 3 nodes, 2 leaves, depth 1\n"
        "training: mean squared error 0, mean absolute error 0, R squared 1 (40 rows)\n"
        "test: mean squared error 0, mean absolute error 0, R squared 1 (40 rows)\n"
    )


def test_what_rounding_leaves_of_a_zero_is_shown_as_zero() -> None:
    facts = {"rows": 2, "mean_squared_error": 1.0, "mean_absolute_error": 1.0, "r_squared": -2e-16}
    assert in_words(facts) == "mean squared error 1, mean absolute error 1, R squared 0 (2 rows)"


def test_data_may_come_from_standard_input(treekit: Treekit) -> None:
    answer = treekit("fit", "id3", "-", "--target", "bought", stdin=SHOP)
    file = treekit("fit", "id3", "shop.csv", "--target", "bought")
    assert answer == file


@pytest.mark.parametrize(
    ("words", "stdin", "message"),
    [
        (
            ["--target", "bougth"],
            SHOP,
            "stdin: --target: there is no column 'bougth'; did you mean 'bought'?",
        ),
        (
            ["--target", "y"],
            "x,y\n1,a\n?,b\n3,a\n",
            "stdin: column 'x' has 1 unknown value (first in row 2, counted from 1), and this"
            " recipe refuses them; fill them in, leave the column out (--kind COL=ignore),"
            " or --set tree.missing=fractional",
        ),
        (
            ["--schema", "shop.toml"],
            SHOP.replace("age", "years"),
            "shop.toml: the schema's column 'age' is not in stdin; there is bought, income, member,"
            " price, size, years",
        ),
    ],
    ids=["while reading", "while fitting", "in the schema"],
)
def test_what_is_wrong_in_standard_input_is_told_of_it(
    treekit: Treekit, words: list[str], stdin: str, message: str
) -> None:
    Path("shop.toml").write_text(
        'target = "bought"\nothers = "infer"\n[columns]\nage = "numeric"\n'
    )
    answer = treekit("fit", "id3", "-", *words, "--quiet", stdin=stdin)
    assert (answer.code, answer.out, answer.err) == (2, "", f"error: {message}\n")


def test_standard_input_is_the_source_that_json_names(treekit: Treekit) -> None:
    answer = treekit("fit", "id3", "-", "--target", "bought", "--json", stdin=SHOP)
    assert json.loads(answer.out)["data"] == "stdin"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["cart", "tennis"], "fewer than 20 rows (tree.stop.1, min_rows)"),
        (
            ["id3", "tennis", "--set", 'tree.stop={ use = "max_depth", depth = 0 }'],
            "the greatest depth, 0, is reached (tree.stop.0, max_depth)",
        ),
    ],
)
@pytest.mark.parametrize("command", ["fit", "show"])
def test_a_single_leaf_says_why_it_is_one(
    treekit: Treekit, command: str, words: list[str], reason: str
) -> None:
    answer = treekit(command, *words)
    assert (answer.code, answer.notes[-1]) == (0, f"the tree is a single leaf: {reason}")


def test_a_tree_that_was_pruned_to_a_leaf_says_so(treekit: Treekit) -> None:
    answer = treekit(
        "fit", "cart", "tennis", "--set", "tree.stop=pure", "--set", "tree.pruner.alpha=1"
    )
    assert answer.notes[-1] == ("the tree is a single leaf: pruned: its complexity is at most 1")


def test_one_of_a_thing_is_told_in_the_singular(treekit: Treekit) -> None:
    Path("one.csv").write_text("x,z,y\n1,b,a\n")
    answer = treekit("fit", "c45", "one.csv", "--target", "y")
    assert answer.notes[:3] == ["1 row; target y: classes a", "numeric: x", "nominal: z (1 level)"]
    assert answer.lines[-2:] == [
        "size: 1 node, 1 leaf, depth 0",
        "training: 0 of 1 row wrong (0.0 %)",
    ]


def test_the_same_seed_gives_the_same_model(treekit: Treekit) -> None:
    for name in ("a.json", "b.json"):
        treekit(
            "fit", "id3", "tennis", "--set", "tree.pruner=reduced_error", "--seed", "3", "-o", name
        )
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()


def test_the_model_is_written_and_said_to_be(treekit: Treekit) -> None:
    answer = treekit("fit", "id3", "tennis", "-o", "model.json")
    assert answer.notes[-1] == "wrote model.json"
    assert str(package.load("model.json")) == TENNIS.partition("\n\n")[0]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("words", [["fit", "id3", "tennis"], ["predict", "model.json", "tennis"]])
def test_what_is_no_regular_file_is_written_to_and_not_replaced(
    treekit: Treekit, folder: Path, words: list[str]
) -> None:
    treekit("fit", "id3", "tennis", "-o", "model.json")
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    # Opened first and without waiting, so that a failure cannot leave either side waiting.
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        answer = treekit(*words, "-o", str(pipe))
        assert answer.code == 0, answer.err
        assert os.read(reading, 1)
    finally:
        os.close(reading)
    assert pipe.is_fifo()


def test_facts_that_the_grower_tells_are_shown(treekit: Treekit) -> None:
    shown = treekit("fit", "optimal", "parity3", "--quiet")
    lines = ["training error: 0", "lower bound: 0", "gap: 0", "proven: 1"]
    assert shown.out.splitlines()[-4:] == lines
    told = json.loads(treekit("fit", "optimal", "parity3", "--json", "--quiet").out)["facts"]
    assert told == {"training_error": 0.0, "lower_bound": 0.0, "gap": 0.0, "proven": 1.0}


def test_json_holds_every_figure_and_the_tree(treekit: Treekit) -> None:
    answer = treekit("fit", "id3", "mammals", "--test", "mammals:test", "--json", "--quiet")
    facts = json.loads(answer.out)
    assert list(facts) == ["recipe", "data", "seed", "size", "training", "test", "model"]
    assert facts["size"] == {"trees": 1, "nodes": 5, "leaves": 3, "depth": 2}
    assert facts["training"] == {
        "rows": 10, "weight": 10.0, "wrong": 0.0, "error": 0.0,
        "confusion": facts["training"]["confusion"],
    }  # fmt: skip
    assert facts["test"]["confusion"] == [[2, 2], [0, 6]]
    assert facts["model"]["target"] == "mammal"
    assert facts["model"]["root"]["test"]["column"] == "four_legs"
