"""A damaged or hostile model file gets one clear message: the file, where in it, and what."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from treekit.errors import ModelError
from treekit.model import load

from .by_hand import grouped, oblique, price, weather
from .with_extras import among_rows, chances, lines, standing_in

EXAMPLES = {"weather": weather, "price": price, "grouped": grouped, "oblique": oblique,
            "lines": lines, "chances": chances, "among_rows": among_rows,
            "standing_in": standing_in}  # fmt: skip


def content_of(example: str, tmp_path: Any) -> dict[str, Any]:
    EXAMPLES[example]().save(tmp_path / "good.json")
    content: dict[str, Any] = json.loads((tmp_path / "good.json").read_text())
    del content["checksum"]
    return content


def complaint(tmp_path: Any, text: str | bytes) -> str:
    """What loading the text says, with the file's name for its path."""
    path = tmp_path / "m.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ModelError) as caught:
        load(path)
    assert caught.value.__cause__ is None
    assert len(caught.value.problems) == 1
    return str(caught.value).replace(str(path), "m.json")


MISSING = object()

# example, where, what is put there, what is said
CHANGES: list[tuple[str, str, Any, str]] = [
    ("weather", "recipes", {}, "unknown key \"recipes\"; did you mean 'recipe'?"),
    ("weather", "recipe", MISSING, 'the key "recipe" is missing'),
    ("weather", "recipe", [], "recipe: must be an object, got a list"),
    ("weather", "version", True, "version: must be an integer from 1, got true"),
    ("weather", "version", 0, "version: must be an integer from 1, got 0"),
    ("weather", "version", MISSING, "version: must be an integer from 1, got null"),
    ("weather", "versions.numpy", 2, "versions.numpy: must be a text, got 2"),
    ("weather", "checksum", 1, "checksum: must be a text, got 1"),
    (
        "weather",
        "checksum",
        "sha256 0",
        "checksum: does not match the model: the file was changed after it was written;"
        ' if the change was meant, delete the "checksum" line',
    ),
    ("weather", "trees", [], "trees: must hold at least one tree"),
    ("weather", "trees", {}, "trees: must be a list, got an object"),
    (
        "weather",
        "tree_weights",
        [],
        "tree_weights: must have 1 entries, one for each tree, has 0",
    ),
    (
        "weather",
        "tree_weights[0]",
        -1,
        "tree_weights[0]: must be finite and not negative, got -1",
    ),
    # the schema
    ("weather", "schema.columns", 3, "schema.columns: must be a list, got 3"),
    ("weather", "schema.columns[1].name", 3, "schema.columns[1].name: must be a text, got 3"),
    (
        "weather",
        "schema.columns[1].name",
        "outlook",
        "schema.columns[1].name: a second column is named 'outlook'",
    ),
    (
        "weather",
        "schema.columns[1].kind",
        "real",
        'schema.columns[1].kind: must be one of numeric, ordinal, nominal, got "real"',
    ),
    (
        "weather",
        "schema.columns[1].levels",
        ["a"],
        "schema.columns[1].levels: a numeric column has none",
    ),
    (
        "weather",
        "schema.columns[0].levels",
        MISSING,
        'schema.columns[0]: the key "levels" is missing',
    ),
    (
        "weather",
        "schema.columns[0].levels[2]",
        "sunny",
        "schema.columns[0].levels[2]: the level 'sunny' stands here again",
    ),
    (
        "weather",
        "schema.target.name",
        "wind",
        "schema.target.name: a column is named 'wind' too",
    ),
    ("weather", "schema.target.levels", [], "schema.target.levels: must name at least one class"),
    (
        "weather",
        "schema.target.name",
        "\ud800",
        'schema.target.name: must be Unicode text, got half a character in "\\ud800"',
    ),
    # lists of a tree
    ("weather", "trees[0]", 1, "trees[0]: must be an object, got 1"),
    ("weather", "trees[0].kind", MISSING, 'trees[0]: the key "kind" is missing'),
    ("weather", "trees[0].kind", "x" * 99, f'trees[0].kind: must be a list, got "{"x" * 36}...'),
    ("weather", "trees[0].kind[0]", True, "trees[0].kind[0]: must be an integer, got true"),
    ("weather", "trees[0].kind[1]", 1.0, "trees[0].kind[1]: must be an integer, got 1.0"),
    ("weather", "trees[0].kind[1]", None, "trees[0].kind[1]: must be an integer, got null"),
    (
        "weather",
        "trees[0].rows[3]",
        2**63,
        "trees[0].rows[3]: must be an integer of at most 64 bits, got 9223372036854775808",
    ),
    (
        "weather",
        "trees[0].stats[4]",
        10**400,
        f"trees[0].stats[4]: must be a finite number, got 1{'0' * 36}...",
    ),
    (
        "weather",
        "trees[0].answers[1]",
        "1",
        'trees[0].answers[1]: must be a finite number, got "1"',
    ),
    ("weather", "trees[0].centre", None, "trees[0].centre: must be a finite number, got null"),
    ("weather", "trees[0].reasons[0]", 1, "trees[0].reasons[0]: must be a text, got 1"),
    (
        "weather",
        "trees[0].score[2]",
        "a",
        'trees[0].score[2]: must be a finite number or null, got "a"',
    ),
    # the shape
    (
        "weather",
        "trees[0].children",
        [],
        "trees[0].children: must have 1 to 2147483647 entries, has 0",
    ),
    (
        "weather",
        "trees[0].children[0]",
        -3,
        "trees[0].children[0]: must be from 0 to 7, as there are 8 nodes, got -3",
    ),
    (
        "weather",
        "trees[0].children[0]",
        8,
        "trees[0].children[0]: must be from 0 to 7, as there are 8 nodes, got 8",
    ),
    (
        "weather",
        "trees[0].children",
        [1, 0, 2, 2, 2, 0, 0, 0],
        "trees[0].children: node 2 is no node's child",
    ),
    (
        "weather",
        "trees[0].children[7]",
        1,
        "trees[0].children: the nodes have 8 children between them,"
        " but there are 7 nodes beside the root",
    ),
    # what each node has
    (
        "weather",
        "trees[0].rows",
        [1],
        "trees[0].rows: must have 8 entries, one for each node, has 1",
    ),
    ("weather", "trees[0].rows[1]", -1, "trees[0].rows[1]: must not be negative, got -1"),
    (
        "weather",
        "trees[0].stats",
        [1, 2],
        "trees[0].stats: must have 24 entries, 3 for each of 8 nodes, has 2",
    ),
    (
        "weather",
        "trees[0].stats[3]",
        -1.5,
        "trees[0].stats[3]: the weight of node 1 must not be negative, got -1.5",
    ),
    (
        "price",
        "trees[0].answers",
        [],
        "trees[0].answers: must have 6 entries, 1 for each of 6 nodes, has 0",
    ),
    (
        "weather",
        "trees[0].answers[2]",
        -0.5,
        "trees[0].answers[2]: a class share must not be negative, got -0.5",
    ),
    (
        "weather",
        "trees[0].reason[1]",
        2,
        "trees[0].reason[1]: must be -1 or the number of one of the 2 reasons, got 2",
    ),
    (
        "weather",
        "trees[0].reason",
        [0],
        "trees[0].reason: must have 5 entries, one for each leaf, has 1",
    ),
    # the tests
    (
        "weather",
        "trees[0].unknown",
        [0],
        "trees[0].unknown: must have 3 entries, one for each inner node, has 1",
    ),
    (
        "weather",
        "trees[0].kind[1]",
        0,
        "trees[0].kind[1]: must be 1 (cuts) or 2 (levels) or 3 (a sum), got 0",
    ),
    (
        "weather",
        "trees[0].column[2]",
        3,
        "trees[0].column[2]: must be the number of one of the 3 columns, got 3",
    ),
    (
        "weather",
        "trees[0].column[2]",
        -1,
        "trees[0].column[2]: must be the number of one of the 3 columns, got -1",
    ),
    (
        "weather",
        "trees[0].kind[0]",
        1,
        "trees[0].kind[0]: a test of cuts cannot be asked of the nominal column 'outlook'",
    ),
    (
        "weather",
        "trees[0].kind[1]",
        2,
        "trees[0].kind[1]: a test of levels cannot be asked of the numeric column 'humidity'",
    ),
    (
        "weather",
        "trees[0].unknown[0]",
        3,
        "trees[0].unknown[0]: must be the number of a branch of the node, or -3 to -1, got 3",
    ),
    (
        "weather",
        "trees[0].unknown[0]",
        -4,
        "trees[0].unknown[0]: must be the number of a branch of the node, or -3 to -1, got -4",
    ),
    (
        "weather",
        "trees[0].stats[0]",
        0,
        "trees[0].unknown[0]: node 0 shares rows over its branches by weight,"
        " but has no weight itself",
    ),
    (
        "price",
        "trees[0].operand_count[1]",
        3,
        "trees[0].operand_count[1]: cuts must be fewer than the branches of the node, got 3",
    ),
    (
        "weather",
        "trees[0].operand_count[0]",
        2,
        "trees[0].operand_count[0]: must be 3, one for each level of column 'outlook', got 2",
    ),
    (
        "price",
        "trees[0].operand_count[1]",
        -1,
        "trees[0].operand_count[1]: cuts must be fewer than the branches of the node, got -1",
    ),
    (
        "price",
        "trees[0].operands",
        [0.5, 3.5],
        "trees[0].operands: must have 3 entries, as operand_count tells, has 2",
    ),
    (
        "price",
        "trees[0].operands[2]",
        3.5,
        "trees[0].operands[2]: the cuts of a test must ascend, got 3.5",
    ),
    (
        "grouped",
        "trees[0].operands[0]",
        2,
        "trees[0].operands[0]: must be the number of a branch of the node, or -1, got 2",
    ),
    (
        "grouped",
        "trees[0].operands[0]",
        0.5,
        "trees[0].operands[0]: must be the number of a branch of the node, or -1, got 0.5",
    ),
]


def complaint_of_change(example: str, where: str, value: Any, tmp_path: Any) -> str:
    """What loading says when a value is put, or MISSING, at a place of an example's file."""
    content = content_of(example, tmp_path)
    *way, last = [int(w) if w.isdigit() else w for w in re.findall(r"\w+", where)]
    holder: Any = content
    for key in way:
        holder = holder[key]
    if value is MISSING:
        del holder[last]
    else:
        holder[last] = value
    return complaint(tmp_path, json.dumps(content))


@pytest.mark.parametrize(("example", "where", "value", "said"), CHANGES)
def test_a_wrong_value_is_named_with_its_place(example, where, value, said, tmp_path):
    assert complaint_of_change(example, where, value, tmp_path) == f"m.json: {said}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "",
            "line 1, column 1: not JSON: Expecting value;"
            " the file is damaged or is no treekit model",
        ),
        (
            '{"format": "treekit model",\n "version": 1,\n "trees": [',
            "line 3, column 12: not JSON: Expecting value;"
            " the file is damaged or is no treekit model",
        ),
        ("[" * 200_000, "is nested too deeply to be a model"),
        ('{"a":' * 200_000, "is nested too deeply to be a model"),
        ('{"a": NaN}', "NaN is not a JSON number"),
        ('{"a": [-Infinity]}', "-Infinity is not a JSON number"),
        ('{"a": 1, "b": 2, "a": 1}', 'the key "a" stands twice in one object'),
        ("9" * 5000, "holds an integer of thousands of digits"),
        (b"\x80\x04\x95model", "byte 0 is not UTF-8 text; a treekit model is a JSON file"),
        ("[]", 'is not a treekit model: it has no "format": "treekit model"'),
        ('{"root": {}}', 'is not a treekit model: it has no "format": "treekit model"'),
        (
            '{"format": "treekit model", "version": 7, "versions": {"treekit": "3.1"}, "new": 0}',
            "version: format 7, written by treekit 3.1, is newer than this treekit,"
            " which reads up to format 3; update treekit",
        ),
        (
            '{"format": "treekit model", "version": 7}',
            "version: format 7, written by a newer treekit, is newer than this treekit,"
            " which reads up to format 3; update treekit",
        ),
    ],
)
def test_what_is_no_model_at_all_is_told_so(text, said, tmp_path):
    assert complaint(tmp_path, text) == f"m.json: {said}"


def test_a_number_beyond_floating_point_is_not_read_as_infinity(tmp_path):
    content = content_of("weather", tmp_path)
    content["trees"][0]["operands"][3] = 12345678
    text = json.dumps(content).replace("12345678", "1e999")
    assert complaint(tmp_path, text) == (
        "m.json: trees[0].operands[3]: must be a finite number, got Infinity"
    )


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(ModelError) as caught:
        load(tmp_path / "none.json")
    assert str(caught.value) == (
        f"{tmp_path / 'none.json'}: cannot be read: No such file or directory"
    )


def test_a_folder_is_no_model(tmp_path):
    with pytest.raises(ModelError) as caught:
        load(tmp_path)
    assert str(caught.value) == f"{tmp_path}: cannot be read: Is a directory"


def test_a_name_that_no_file_can_have_is_an_error():
    with pytest.raises(ModelError) as caught:
        load("a\0b")
    assert str(caught.value) == "a\0b: cannot be read: embedded null byte"


def test_a_change_that_was_meant_needs_the_checksum_taken_out(tmp_path):
    content = content_of("weather", tmp_path)
    content["trees"][0]["operands"][3] = 85
    (tmp_path / "m.json").write_text(json.dumps(content, indent=2))
    assert "humidity <= 85" in str(load(tmp_path / "m.json"))
