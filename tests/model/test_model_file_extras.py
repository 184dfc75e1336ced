"""Damaged or hostile leaf models and surrogates get one clear message too."""

from __future__ import annotations

import attrs
import numpy as np
import pytest

from treekit.errors import ModelError
from treekit.tree import STAY

from .by_hand import cut, leaf, model_of
from .test_model_file_errors import MISSING, complaint_of_change, content_of
from .with_extras import among_rows, lines, standing_in

COEFFICIENTS = "must be 1 to 3, or of levels one for each level of the column"
OPERANDS = "must be 1 of cuts, of levels one for each level of the column"

# what is put at a place of trees[0].leaf_models, and what is said of it
LEAF_MODELS = [
    (
        "lines",
        "link",
        "softmax",
        '.link: must be "identity", got "softmax"; \'identity\' goes with regression',
    ),
    (
        "chances",
        "link",
        "identity",
        '.link: must be "softmax", got "identity"; \'softmax\' goes with classification',
    ),
    ("lines", "link", "log", '.link: must be "identity", got "log"'),
    ("lines", "link", MISSING, ': the key "link" is missing'),
    ("lines", "column", MISSING, ': the key "column" is missing'),
    ("lines", "constants", [], ": unknown key \"constants\"; did you mean 'constant'?"),
    ("lines", "constant", [1, 2], ".constant: must have 3 entries, 1 for each of 3, has 2"),
    ("chances", "constant", [1], ".constant: must have 2 entries, 2 for each of 1, has 1"),
    ("lines", "constant[0]", None, ".constant[0]: must be a finite number, got null"),
    ("lines", "term_count", [4], ".term_count: must have 3 entries, one for each node, has 1"),
    ("lines", "term_count[0]", -1, ".term_count[0]: must be from 0 to 4, got -1"),
    (
        "lines",
        "term_count[1]",
        2**62,
        ".term_count[1]: must be from 0 to 4, got 4611686018427387904",
    ),
    ("lines", "term_count[0]", 1, ".term_count: the nodes have 5 terms between them, there are 4"),
    ("lines", "column[0]", 3, ".column[0]: must be the number of one of the 3 columns, got 3"),
    ("lines", "column[0]", -1, ".column[0]: must be the number of one of the 3 columns, got -1"),
    ("lines", "kind", [1, 2, 1], ".kind: must have 4 entries, one for each term, has 3"),
    ("lines", "kind[0]", 0, ".kind[0]: must be 1 (powers) or 2 (levels), got 0"),
    (
        "lines",
        "kind[0]",
        2,
        ".kind[0]: a term of levels cannot be asked of the numeric column 'area'",
    ),
    (
        "lines",
        "kind[1]",
        1,
        ".kind[1]: a term of powers cannot be asked of the nominal column 'town'",
    ),
    ("lines", "centre", [], ".centre: must have 4 entries, one for each term, has 0"),
    ("lines", "coefficient_count[0]", 0, f".coefficient_count[0]: {COEFFICIENTS}, got 0"),
    (
        "lines",
        "coefficient_count[0]",
        2**62,
        f".coefficient_count[0]: {COEFFICIENTS}, got 4611686018427387904",
    ),
    ("lines", "coefficient_count[1]", 2, f".coefficient_count[1]: {COEFFICIENTS}, got 2"),
    (
        "lines",
        "coefficients",
        [1.0],
        ".coefficients: must have 10 entries, 1 for each of 10, has 1",
    ),
    (
        "chances",
        "coefficients",
        [1.0],
        ".coefficients: must have 8 entries, 2 for each of 4, has 1",
    ),
]

ENDS = "a node at which rows may end must have rows"
CELL = "must be null, a finite number, or the number of a level of the column"

# the same of trees[0].neighbours
NEIGHBOURS = [
    ("among_rows", "k", 0, ".k: must be a whole number from 1 on, got 0"),
    ("among_rows", "k", 2.0, ".k: must be an integer, got 2.0"),
    ("among_rows", "k", True, ".k: must be an integer, got true"),
    ("among_rows", "k", MISSING, ': the key "k" is missing'),
    (
        "among_rows",
        "p",
        0.5,
        '.p: must be a number from 1 on, or "inf", got 0.5; below 1 it is no norm',
    ),
    ("among_rows", "p", "two", '.p: must be a finite number, got "two"'),
    ("among_rows", "p", None, ".p: must be a finite number, got null"),
    ("among_rows", "kk", 1, ": unknown key \"kk\"; did you mean 'k'?"),
    ("among_rows", "centre", [0, 0], ".centre: must have 3 entries, one for each column, has 2"),
    ("among_rows", "scale", [], ".scale: must have 3 entries, one for each column, has 0"),
    ("among_rows", "scale[1]", 0, ".scale[1]: must be more than 0, got 0"),
    ("among_rows", "centre[1]", None, ".centre[1]: must be a finite number, got null"),
    (
        "among_rows",
        "cells",
        [1, 2],
        ".cells: must have 21 entries, one for each of 7 rows in each of 3 columns, has 2",
    ),
    ("among_rows", "cells[0]", "x", '.cells[0]: must be a finite number or null, got "x"'),
    ("among_rows", "cells[7]", 3, f".cells[7]: {CELL}, got 3"),
    ("among_rows", "cells[7]", 0.5, f".cells[7]: {CELL}, got 0.5"),
    ("among_rows", "cells[20]", -1, f".cells[20]: {CELL}, got -1"),
    ("among_rows", "target[0]", 2, ".target[0]: must be the number of a class, got 2"),
    ("among_rows", "target[0]", None, ".target[0]: must be a finite number, got null"),
    (
        "among_rows",
        "target",
        [0],
        ".cells: must have 3 entries, one for each of 1 rows in each of 3 columns, has 21",
    ),
    (
        "among_rows",
        "row_count",
        [7],
        ".row_count: must have 3 entries, one for each node, has 1",
    ),
    ("among_rows", "row_count[1]", -1, ".row_count[1]: must be from 0 to 7, got -1"),
    (
        "among_rows",
        "row_count[1]",
        3,
        ".row_count: the nodes have 6 rows between them, there are 7",
    ),
    ("among_rows", "row_count", [0, 7, 0], f".row_count[2]: {ENDS}, got 0"),
    ("among_rows", "row[3]", 7, ".row[3]: must be the number of one of the 7 rows, got 7"),
    ("among_rows", "row[3]", -1, ".row[3]: must be the number of one of the 7 rows, got -1"),
    ("among_rows", "weight[0]", 0, ".weight[0]: must be more than 0, got 0"),
    ("among_rows", "weight[0]", -1, ".weight[0]: must be more than 0, got -1"),
    (
        "among_rows",
        "weight",
        [1],
        ".weight: must have 7 entries, one for each row of a node, has 1",
    ),
]

# the same of trees[0].surrogates
SURROGATES = [
    ("standing_in", "count", [3], ".count: must have 2 entries, one for each inner node, has 1"),
    ("standing_in", "count[0]", -1, ".count[0]: must be from 0 to 3, got -1"),
    ("standing_in", "count[0]", 1, ".count: the nodes have 2 surrogates between them, there are 3"),
    (
        "standing_in",
        "column[0]",
        3,
        ".column[0]: must be the number of one of the 3 columns, got 3",
    ),
    ("standing_in", "kind[0]", 3, ".kind[0]: must be 1 (cuts) or 2 (levels), got 3"),
    (
        "standing_in",
        "kind[1]",
        1,
        ".kind[1]: a test of cuts cannot be asked of the nominal column 'outlook'",
    ),
    ("standing_in", "operand_count[0]", 2, f".operand_count[0]: {OPERANDS}, got 2"),
    ("standing_in", "operand_count[1]", 1, f".operand_count[1]: {OPERANDS}, got 1"),
    (
        "standing_in",
        "operands",
        [1],
        ".operands: must have 5 entries, as operand_count tells, has 1",
    ),
    ("standing_in", "operands[1]", 2, ".operands[1]: must be 0, 1 or -1, got 2"),
    ("standing_in", "operands[1]", 0.5, ".operands[1]: must be 0, 1 or -1, got 0.5"),
    ("standing_in", "flipped[1]", 2, ".flipped[1]: must be 0 or 1, got 2"),
    ("standing_in", "flipped[1]", True, ".flipped[1]: must be an integer, got true"),
    ("standing_in", "agreement[0]", 1.5, ".agreement[0]: must be from 0 to 1, got 1.5"),
    ("standing_in", "use", "often", ".use: must be one of asked, shown"),
    ("standing_in", "adjusted[0]", 1.5, ".adjusted[0]: must be at most 1, got 1.5"),
    (
        "standing_in",
        "adjusted",
        [],
        ".adjusted: must have 3 entries, one for each surrogate, has 0",
    ),
]


@pytest.mark.parametrize(
    ("extra", "example", "where", "value", "said"),
    [("leaf_models", *case) for case in LEAF_MODELS]
    + [("neighbours", *case) for case in NEIGHBOURS]
    + [("surrogates", *case) for case in SURROGATES],
)
def test_a_wrong_extra_is_named_with_its_place(extra, example, where, value, said, tmp_path):
    found = complaint_of_change(example, f"trees[0].{extra}.{where}", value, tmp_path)
    assert found == f"m.json: trees[0].{extra}{said}"


def test_only_a_node_of_two_branches_has_surrogates(tmp_path, monkeypatch):
    """The root gets a third branch, which no surrogate can send a row to."""
    monkeypatch.chdir(tmp_path)
    model = standing_in()
    three = model_of(
        model.schema, cut("humidity", [70, 75], leaf(1, 1), leaf(1, 0), leaf(0, 1), unknown=0)
    )
    first = attrs.evolve(model.trees[0].surrogates, first=np.array([0, 3, 3, 3, 3]))
    broken = attrs.evolve(three, trees=(attrs.evolve(three.trees[0], surrogates=first),))
    with pytest.raises(ModelError) as caught:
        broken.save("m.json")
    assert str(caught.value) == (
        "m.json: trees[0].surrogates.count[0]: only a node of 2 branches has surrogates, got 3"
    )


def test_a_leaf_model_that_could_not_be_loaded_is_not_saved(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (models,) = lines().leaf_models
    broken = attrs.evolve(models, centre=np.full(4, np.nan))
    with pytest.raises(ModelError) as caught:
        attrs.evolve(lines(), leaf_models=(broken,)).save("m.json")
    assert str(caught.value) == (
        "m.json: trees[0].leaf_models.centre[0]: must be a finite number, got NaN"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_leaf_has_one_kind_of_model(tmp_path):
    sums = content_of("lines", tmp_path)["trees"][0]["leaf_models"]
    found = complaint_of_change("among_rows", "trees[0].leaf_models", sums, tmp_path)
    assert (
        found == 'm.json: trees[0]: there must be one of "leaf_models" and "neighbours", not both'
    )


def test_a_test_that_unknown_values_stay_at_needs_rows_too(tmp_path):
    found = complaint_of_change("among_rows", "trees[0].unknown[0]", STAY, tmp_path)
    assert found == f"m.json: trees[0].neighbours.row_count[0]: {ENDS}, got 0"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"p": np.nan}, '.p: must be a number from 1 on, or "inf", got NaN; below 1 it is no norm'),
        ({"k": 0}, ".k: must be a whole number from 1 on, got 0"),
        ({"scale": np.full(3, np.inf)}, ".scale[0]: must be a finite number, got Infinity"),
        ({"cells": np.full((3, 7), np.inf)}, f".cells[0]: {CELL}, got Infinity"),
    ],
)
def test_neighbours_that_could_not_be_loaded_are_not_saved(change, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (models,) = among_rows().leaf_models
    broken = attrs.evolve(models, **change)
    with pytest.raises(ModelError) as caught:
        attrs.evolve(among_rows(), leaf_models=(broken,)).save("m.json")
    assert str(caught.value) == f"m.json: trees[0].neighbours{said}"
    assert list(tmp_path.iterdir()) == []
