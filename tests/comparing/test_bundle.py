"""A bundle holds all of a comparison, always in the same bytes, and bad files are told in words."""

from __future__ import annotations

import contextlib
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treekit.comparing import (
    Bootstrap,
    CrossValidation,
    FixedTest,
    HoldOut,
    LeaveOneOut,
    Plan,
    contenders_of,
    read_bundle,
    write_bundle,
)
from treekit.comparing.bundle import COMPARISON, RESULTS
from treekit.comparing.data import DataSet, data_sets
from treekit.comparing.packed_folds import MOST, packed, unpacked
from treekit.comparing.plan import folds_of, plan_of
from treekit.comparing.resampling import Fold
from treekit.comparing.running import run
from treekit.comparing.store import Outcome, opened
from treekit.comparing.zipped import LARGEST, array_bytes
from treekit.errors import TreekitError

RECIPES = ("id3", "sklearn:DecisionTreeClassifier")


def compared(
    data: tuple[Any, ...] = ("tennis", "sklearn:iris"),
    recipes: tuple[str, ...] = RECIPES,
    how: Any = None,
) -> tuple[Plan, list[Outcome]]:
    how = how or CrossValidation(3)
    sets = data_sets(data, isinstance(how, FixedTest))
    plan = plan_of(contenders_of(recipes), sets, how, 5)
    with opened(None) as kept:
        return plan, run(plan, kept)


@pytest.fixture(scope="module")
def small() -> tuple[Plan, list[Outcome]]:
    return compared(("tennis",))


@pytest.fixture
def path(small, tmp_path) -> Path:
    """A small bundle, with its data."""
    write_bundle(tmp_path / "b.zip", *small, with_data=True)
    return tmp_path / "b.zip"


def members_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def rewrite(path: Path, **changes: bytes | None) -> None:
    """The same bundle with other members; None: without it."""
    members: dict[str, Any] = members_of(path) | changes
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            if content is not None:
                file.writestr(name, content)


@pytest.mark.parametrize("with_data", [False, True])
def test_what_is_written_is_read(tmp_path, with_data):
    plan, outcomes = compared()
    write_bundle(tmp_path / "b.zip", plan, outcomes, with_data, title="mine")
    found = read_bundle(tmp_path / "b.zip")
    assert (found.title, found.seed, found.resampling) == ("mine", 5, CrossValidation(3))
    assert [(c.name, c.document) for c in found.contenders] == [
        (c.name, c.document) for c in plan.contenders
    ]
    assert [(d.name, d.digest, d.n_rows) for d in found.data] == [
        (d.name, d.digest, d.table.n_rows) for d in plan.data
    ]
    assert [d.origin for d in found.data] == [d.origin for d in plan.data]
    assert {"treekit", "numpy", "python", "scikit-learn", "numba"} <= set(found.versions)
    for now, then in zip(found.outcomes, outcomes, strict=True):
        assert str(now.metrics) == str(then.metrics)  # a NaN is not equal to itself
        assert (now.seed, now.contender, now.fold) == (then.seed, then.contender, then.fold)
    for now, then in zip(found.data, plan.data, strict=True):
        assert (now.table is not None) is with_data
        if now.table is not None:
            assert DataSet(now.name, now.table, now.n_test).digest == then.digest


def test_the_same_comparison_is_the_same_bytes(small, tmp_path):
    for name in "ab":
        write_bundle(tmp_path / name, *small, with_data=True)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_anybody_can_look_inside(path):
    held = np.load(path)
    assert held["folds/1"].shape == (1, 14)
    assert held["data/1/cells"].shape == (4, 14)


@pytest.mark.parametrize(
    "how",
    [
        CrossValidation(3, 2),
        HoldOut(0.3, 4),
        LeaveOneOut(),
        Bootstrap(5),
        FixedTest(),
    ],
    ids=lambda how: type(how).__name__,
)
def test_the_folds_of_every_resampling_are_kept(tmp_path, how):
    plan, outcomes = compared(("mammals",), ("id3",), how)
    write_bundle(tmp_path / "b.zip", plan, outcomes)
    found = read_bundle(tmp_path / "b.zip")
    assert found.resampling == how
    for now, then in zip(unpacked(found.data[0].folds), folds_of(plan, plan.data[0]), strict=True):
        assert (now.repeat, now.number, now.digest) == (then.repeat, then.number, then.digest)


def test_folds_may_leave_rows_out_of_both_sides():
    rows = np.arange(6)
    folds = [Fold(0, k, (rows % 3 == k) * 300, rows % 3 == (k + 1) % 3) for k in range(3)]
    kept = packed(folds)
    assert not kept.dealt
    assert [fold.digest for fold in unpacked(kept)] == [fold.digest for fold in folds]


def test_ten_times_ten_folds_of_many_rows_take_little_room():
    rng = np.random.default_rng(0)
    folds = []
    for repeat in range(10):
        dealt = rng.permutation(20_000) % 10
        folds += [Fold(repeat, k, (dealt != k).astype(np.int64), dealt == k) for k in range(10)]
    kept = packed(folds)
    assert (kept.dealt, kept.codes.nbytes) == (True, 200_000)
    assert [f.digest for f in unpacked(kept)] == [f.digest for f in folds]


def test_failures_are_kept_with_their_error(small, tmp_path):
    plan, outcomes = small
    lines = 'ValueError: no "luck",\ud800 today'
    first = outcomes[0]
    failed = Outcome("", first.data, first.contender, 0, first.fold, first.seed, {}, lines)
    write_bundle(tmp_path / "b.zip", plan, [failed, *outcomes[1:]])
    found = read_bundle(tmp_path / "b.zip").outcomes[0]
    assert (found.metrics, found.failure) == ({}, 'ValueError: no "luck",\\ud800 today')


def test_figures_of_all_sizes_are_kept_exactly(small, tmp_path):
    plan, outcomes = small
    figures = {"a": 0.1 + 0.2, "b": 5e-324, "c": float("inf"), "d": 1e300, "e": -0.0}
    first = outcomes[0]
    odd = Outcome("", first.data, first.contender, 0, first.fold, first.seed, figures)
    write_bundle(tmp_path / "b.zip", plan, [odd, *outcomes[1:]])
    found = read_bundle(tmp_path / "b.zip").outcomes
    assert found[0].metrics == figures
    assert str(found[0].metrics["e"]) == "-0.0"
    assert "a" not in found[1].metrics


class MyWay(HoldOut):
    pass


class Somebody:
    name, varied, document, versions = "somebody", {}, {}, {}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"resampling": MyWay()}, "MyWay is none of the resamplings"),
        ({"contenders": (Somebody(),)}, "'somebody' is neither a recipe nor an estimator"),
    ],
)
def test_what_cannot_be_written_is_told(small, tmp_path, change, said):
    plan, outcomes = small
    parts = {"contenders": plan.contenders, "resampling": plan.resampling} | change
    other = Plan(data=plan.data, seed=5, **parts)
    with pytest.raises(TreekitError, match=said):
        write_bundle(tmp_path / "b.zip", other, outcomes)
    assert not (tmp_path / "b.zip").exists()


def test_outcomes_that_are_not_all_of_the_plan_are_not_written(small, tmp_path):
    plan, outcomes = small
    with pytest.raises(TreekitError, match=r"results.csv: must have 6 rows.*has 5"):
        write_bundle(tmp_path / "b.zip", plan, outcomes[1:])
    with pytest.raises(TreekitError, match="row 1: must be that of tennis, id3"):
        write_bundle(tmp_path / "b.zip", plan, outcomes[::-1])


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
