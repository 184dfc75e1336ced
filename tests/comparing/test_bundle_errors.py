"""What is wrong with a bundle is told in words, with its place, and nothing is run."""

from __future__ import annotations

import contextlib
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treekit.comparing import (
    read_bundle,
)
from treekit.comparing.bundle import COMPARISON, RESULTS
from treekit.comparing.bundle_contenders import contender_entry, contender_in, document_digest
from treekit.comparing.packed_folds import MOST
from treekit.comparing.zipped import LARGEST, array_bytes
from treekit.errors import ModelError, TreekitError
from treekit.model_file.values import Place

from .bundles import RECIPES, members_of, rewrite


def refused(path: Path, said: str) -> None:
    with pytest.raises(TreekitError, match=said):
        read_bundle(path)


def test_a_file_that_is_cut_off_anywhere_is_refused(path):
    content = path.read_bytes()
    for length in range(0, len(content), 97):
        path.write_bytes(content[:length])
        refused(path, "b.zip: ")


def test_a_file_with_a_damaged_byte_is_refused_or_as_it_was(path):
    content, good = path.read_bytes(), str(read_bundle(path))
    for i in range(0, len(content), 53):
        path.write_bytes(content[:i] + bytes([content[i] ^ 0x55]) + content[i + 1 :])
        with contextlib.suppress(TreekitError):
            assert str(read_bundle(path)) == good


def test_a_foreign_file_is_refused(tmp_path):
    foreign = tmp_path / "x.zip"
    foreign.write_bytes(b"something else entirely")
    refused(foreign, "x.zip: is no zip file")
    with zipfile.ZipFile(foreign, "w") as file:
        file.writestr("../../evil.txt", "x")
    refused(foreign, "is no bundle of treekit: it holds no comparison.json")
    refused(tmp_path, "cannot be read")
    refused(tmp_path / "none.zip", "cannot be read: No such file")


def test_what_the_comparison_does_not_tell_of_is_refused(path):
    rewrite(path, **{"../evil.txt": b"x"})
    refused(path, r'holds "../evil.txt", which the comparison does not tell of')


def test_a_bomb_is_not_unpacked(path):
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as file:
        file.writestr("bomb", b"\0" * 1000)
    content = path.read_bytes()
    size = (1000).to_bytes(4, "little")
    assert content.count(size) >= 2
    path.write_bytes(content.replace(size, (LARGEST + 1).to_bytes(4, "little")))
    refused(path, "it unpacks to more than")


def test_unusual_compression_and_members_twice_are_refused(path):
    with zipfile.ZipFile(path, "a", zipfile.ZIP_LZMA) as file:
        file.writestr("more", "x")
    refused(path, '"more" is compressed in an unusual way')
    rewrite(path, more=None)
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(path, "a") as file:
        file.writestr(RESULTS, "x")
    refused(path, "two members of the same name")


def document(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(members_of(path)[COMPARISON])
    return found


def change(part: dict[str, Any] | list[Any], where: tuple[Any, ...], value: Any) -> None:
    target: Any = part
    for key in where[:-1]:
        target = target[key]
    target[where[-1]] = value


FIRST = ("data", 0)


def test_a_recipe_that_is_nested_too_deeply_is_told(path):
    deep: Any = 1
    for _ in range(600):
        deep = {"a": deep}
    told = document(path)
    told["contenders"][0] |= {"document": deep, "digest": document_digest(deep)}
    rewrite(path, **{COMPARISON: json.dumps(told).encode()})
    refused(path, "comparison.json: is nested too deeply")


CURVE = {
    "name": "id3, 0.5 of the rows", "kind": "partly", "varied": {"learned share": "0.5"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ""),
        ({"name": "id3"}, "is that of 'id3, 0.5 of the rows'"),
        ({"varied": {}}, "with what is varied in it"),
        ({"learns from": 2}, r"document.learns from: must lie above 0 and up to 1, got 2"),
        ({"learns from": "x"}, "learns from: must be a finite number"),
        ({"whole": {}}, 'document.whole: the key "name" is missing'),
        ({"kind of whole": "partly"}, "whole.kind: must be one of recipe, estimator"),
    ],
)
def test_what_is_wrong_with_a_learning_curve_is_told(path, changes, said):
    whole = document(path)["contenders"][0]
    whole |= {"kind": changes.get("kind of whole", whole["kind"])}
    told = {"learns from": 0.5, "whole": whole}
    told |= {key: value for key, value in changes.items() if key in told}
    entry = CURVE | {"document": told, "digest": document_digest(told)}
    entry |= {key: value for key, value in changes.items() if key in CURVE}
    place = Place("b.zip")
    if said:
        with pytest.raises(ModelError, match=said):
            contender_in(entry, place)
    else:
        assert contender_entry(contender_in(entry, place), place) == entry


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        (("format",), "zip", r'comparison.json: is no comparison: it has no "format"'),
        (("version",), 2, "format 2 is newer than this treekit"),
        (("version",), "1", "version: must be an integer from 1"),
        (("more",), 1, 'unknown key "more"'),
        (("title",), 1, "title: must be a text"),
        (("seed",), -1, "seed: must be a whole number from 0"),
        (("versions", "numpy"), 2, "versions.numpy: must be a text"),
        (("resampling", "way"), "Fold", "resampling.way: must be one of CrossValidation"),
        (("resampling", "way"), {}, "resampling.way: must be one of"),
        (("resampling", "repeats"), 10**30, "ids: CrossValidation draws 30+ folds, here are 3"),
        (("resampling",), {"way": "LeaveOneOut"}, "LeaveOneOut draws 14 folds, here are 3"),
        (("resampling", "folds"), 1, "resampling: cannot be done"),
        (("resampling", "folds"), True, "resampling.folds: must be an integer"),
        (("resampling", "share"), 0.5, 'unknown key "share"'),
        (("contenders",), [], "contenders: must hold at least one"),
        (("contenders", 0, "kind"), "code", r"contenders\[0\].kind: must be one of recipe"),
        (("contenders", 0, "name"), RECIPES[1], r"contenders\[1\].name: .* stands here again"),
        (("contenders", 0, "document", "task"), "x", "does not match the document"),
        ((*FIRST, "rows"), 15, r"folds.1.npy: must be .u1 .* of shape \(1, 15\)"),
        ((*FIRST, "rows"), MOST, "are too much"),
        ((*FIRST, "rows"), 0, r"data\[0\].rows: must be an integer from 1"),
        ((*FIRST, "test_rows"), 99, "must be at most 14"),
        ((*FIRST, "held"), ["cells"], "held: must be empty, or cells and target"),
        ((*FIRST, "held"), ["cells", "target", "learned"], "held: must be empty, or cells and"),
        ((*FIRST, "held"), ["cells", "learned", "target"], "holds no data/1/learned.npy"),
        ((*FIRST, "held"), [], "which the comparison does not tell of"),
        ((*FIRST, "held"), ["cells", "target", "weights"], "holds no data/1/weights.npy"),
        ((*FIRST, "folds", "dealt"), 1, "dealt: must be true or false"),
        ((*FIRST, "folds", "ids"), [[0, 0], [0, 0]], "must name every fold once"),
        ((*FIRST, "folds", "ids"), [[0, 0], [0, -1]], "must not be negative"),
        ((*FIRST, "folds", "ids"), [[0, 0], [0, 9]], "fold 9 of repeat 0 tests no row"),
        ((*FIRST, "origin"), {"word": "x"}, 'the key "reading" is missing'),
        ((*FIRST, "origin", "reading"), {"missing": "x"}, "reading.missing: must be a list"),
        ((*FIRST, "origin", "reading"), {"target": "x"}, 'unknown key "target"'),
        ((*FIRST, "schema", "columns"), [], r"data.1.cells.npy: must be"),
        ((*FIRST, "schema", "target", "levels"), ["no"], "the target holds what is no class"),
    ],
)
def test_what_is_wrong_in_the_comparison_is_told_with_its_place(path, where, value, said):
    content = document(path)
    change(content, where, value)
    rewrite(path, **{COMPARISON: json.dumps(content).encode()})
    refused(path, said)


@pytest.mark.parametrize(
    ("member", "content", "said"),
    [
        (COMPARISON, b"{", "comparison.json: line 1, column 2: not JSON"),
        (COMPARISON, b"\xff", "byte 0 is not UTF-8"),
        (COMPARISON, b"[" * 100_000, "nested too deeply"),
        (COMPARISON, b'{"seed": NaN}', "NaN is not a JSON number"),
        (COMPARISON, None, "it holds no comparison.json"),
        (RESULTS, None, "it holds no results.csv"),
        (RESULTS, b"", "results.csv: must have the columns"),
        (RESULTS, b'data,"', "results.csv: is no CSV"),
        ("folds/1.npy", None, "holds no folds/1.npy"),
        ("folds/1.npy", b"x", "folds/1.npy: is no array of NumPy"),
        ("folds/1.npy", array_bytes(np.zeros((1, 14), "u1")), "tests no row"),
        ("folds/1.npy", array_bytes(np.zeros((1, 14), "u1"))[:-1], "is cut off"),
        ("folds/1.npy", array_bytes(np.zeros((1, 14))), "must be .u1 or .* got <f8"),
        ("data/1/target.npy", array_bytes(np.full(14, np.nan)), "the target holds"),
        ("data/1/cells.npy", array_bytes(np.full((4, 14), 0.5)), "holds what is no level"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_member_is_told_with_its_name(path, member, content, said):
    rewrite(path, **{member: content})
    refused(path, said)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("tennis,id3,0,0", "tennis,id3,0,1", "row 1: must be that of tennis, id3, repeat 0"),
        ("data,contender", "contender,data", "must have the columns"),
        ("accuracy", "error", "each once"),
        ("tennis,id3,0,0,", "tennis,id3,0,0,-", "row 1.seed: must be a whole number"),
    ],
)
def test_what_is_wrong_in_the_results_is_told_with_its_row(path, old, new, said):
    text = members_of(path)[RESULTS].decode()
    rewrite(path, **{RESULTS: text.replace(old, new, 1).encode()})
    refused(path, said)


def test_a_figure_that_is_no_number_is_told(path):
    header, first, *rest = members_of(path)[RESULTS].decode().splitlines()
    cells = first.split(",")
    cells[5] = "high"
    rewrite(path, **{RESULTS: "\n".join([header, ",".join(cells), *rest]).encode()})
    refused(path, 'row 1.accuracy: must be a number, got "high"')
    cells[5:] = [""] * len(cells[5:])
    rewrite(path, **{RESULTS: "\n".join([header, ",".join(cells), *rest]).encode()})
    refused(path, "row 1: must have either metrics or a failure")
