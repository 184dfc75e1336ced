"""The data of a bundle are found again, wherever they are, and never taken for others."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from attrs import evolve

import treekit
from treekit.comparing import CrossValidation, FixedTest, compare, read_bundle, verify
from treekit.comparing.data import Origin, data_sets
from treekit.errors import TreekitError

SHOP = "age,size,bought\n" + "".join(
    f"{20 + i},{'SML'[i % 3]},{'yes' if i % 4 else 'no'}\n" for i in range(24)
)
OTHER = SHOP.replace("20,", "19,")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("shop.csv").write_text(SHOP)
    Path("other.csv").write_text(OTHER)
    return tmp_path


def bundled(data: Any, how: Any = None, **more: Any) -> str:
    compare(["cart"], data, resampling=how or CrossValidation(3), bundle="b.zip", **more)
    return "b.zip"


def moved(*names: str) -> Path:
    """These files in another folder."""
    Path("moved").mkdir(exist_ok=True)
    for name in names:
        shutil.move(name, Path("moved") / name)
    return Path("moved")


def test_data_that_are_missing_are_named_all_at_once():
    bundled(["shop.csv", "other.csv"], target="bought")
    moved("shop.csv", "other.csv")
    with pytest.raises(TreekitError) as caught:
        verify("b.zip")
    assert [str(p) for p in caught.value.problems] == [
        f"{name}: the data cannot be found: there is no {name}.csv any more; give the file with"
        " --data"
        for name in ("shop", "other")
    ]


@pytest.mark.parametrize(
    "given",
    [["moved"], ["moved/*.csv"], ["moved/shop.csv", "moved/other.csv"], [Path("moved")]],
)
def test_data_are_found_where_it_is_said(given):
    bundled(["shop.csv", "other.csv"], target="bought")
    moved("shop.csv", "other.csv")
    verdict = verify("b.zip", given)
    assert verdict.holds
    assert verdict.where == {"shop": "moved/shop.csv", "other": "moved/other.csv"}


def test_data_are_found_under_another_name():
    bundled(["shop.csv", "other.csv"], target="bought")
    Path("shop.csv").rename("a.csv")
    Path("other.csv").rename("b.csv")
    assert verify("b.zip", ["b.csv", "a.csv"]).where == {"shop": "a.csv", "other": "b.csv"}


def test_what_is_given_under_a_name_must_be_the_same():
    bundled("shop.csv", target="bought", bundle_data=True)
    assert verify("b.zip").where == {"shop": "the bundle"}
    assert verify("b.zip", ["shop.csv"]).where == {"shop": "shop.csv"}
    Path("shop.csv").write_text(OTHER)
    assert verify("b.zip").where == {"shop": "the bundle"}
    with pytest.raises(TreekitError, match=r"shop: shop.csv does not hold the data of the compar"):
        verify("b.zip", ["shop.csv"])


def test_a_bundle_with_its_data_holds_in_another_folder(folder, monkeypatch):
    bundled(["shop.csv", "other.csv"], target="bought", bundle_data=True)
    place = moved("b.zip")
    for name in ("shop.csv", "other.csv"):
        Path(name).unlink()
    monkeypatch.chdir(place)
    verdict = verify("b.zip")
    assert verdict.holds
    assert set(verdict.where.values()) == {"the bundle"}


def test_tables_and_frames_are_in_the_bundle_or_given():
    table = treekit.load_dataset("tennis")
    frame = pd.read_csv("shop.csv")
    bundled(table, bundle_data=True)
    assert verify("b.zip").holds
    bundled(table)
    with pytest.raises(TreekitError, match="they were given as a table, and the bundle does not"):
        verify("b.zip")
    assert verify("b.zip", [table]).holds
    assert verify("b.zip", ["tennis"]).holds
    bundled(frame, target="bought")
    assert verify("b.zip", [frame]).where == {"frame": "table 1"}
    assert verify("b.zip", ["shop.csv"]).where == {"frame": "shop.csv"}


def test_two_data_sets_of_one_name_are_told_apart():
    Path("a").mkdir()
    Path("a/shop.csv").write_text(OTHER)
    bundled(["shop.csv", "a/shop.csv"], target="bought")
    assert verify("b.zip").where == {"shop": "shop.csv", "shop'": "a/shop.csv"}
    assert verify("b.zip", ["a/shop.csv", "shop.csv"]).holds


def test_data_are_read_as_they_were():
    rows = [line.split(",") for line in SHOP.splitlines()[1:]]
    lines = ["id;age;size;w;bought".replace(";", ",")]
    lines += [
        f"{i},{'n/k' if i == 3 else age},{size},{1 + i % 2},{'n/k' if i == 5 else bought}"
        for i, (age, size, bought) in enumerate(rows)
    ]
    Path("odd.csv").write_text("\n".join(lines).replace("S", "Sé"), encoding="latin-1")
    options: dict[str, Any] = {
        "target": "bought",
        "kinds": {"id": "ignore", "age": "numeric"},
        "missing": ["n/k"],
        "weights": "w",
        "encoding": "latin-1",
        "drop_missing_target": True,
    }
    bundled("odd.csv", **options)
    assert verify("b.zip").holds
    assert verify("b.zip", [moved("odd.csv")]).holds


def test_schemas_and_test_files_are_as_they_were():
    Path("w.csv").write_text("x,w,y\n" + "1,1,u\n2,3,v\n" * 6)
    Path("w.test.csv").write_text("x,w,y\n1,1,u\n2,9,v\n")
    Path("w.schema.toml").write_text('target = "y"\nweights = "w"\nothers = "infer"\n')
    bundled("w.csv", FixedTest())
    assert verify("b.zip").holds
    Path("w.schema.toml").unlink()
    assert verify("b.zip", [moved("w.csv", "w.test.csv")]).holds
    Path("moved/w.test.csv").write_text("x,w,y\n1,1,v\n2,9,v\n")
    with pytest.raises(TreekitError, match=r"w: moved/w.csv does not hold the data"):
        verify("b.zip", ["moved"])


def test_a_test_part_that_is_built_in_is_found():
    assert verify(bundled("mammals", FixedTest())).where == {"mammals": "mammals"}


@pytest.mark.parametrize("word", ["/dev/zero", "moved", "*.csv", "sklearn:nothing", "b.zip", ""])
def test_a_bundle_cannot_name_what_is_no_data_file(word):
    moved()
    bundle = read_bundle(bundled("shop.csv", target="bought"))
    (data,) = bundle.data
    foreign = evolve(bundle, data=(evolve(data, origin=Origin(word)),))
    with pytest.raises(TreekitError, match=r"^shop: "):
        verify(foreign)


def test_data_that_do_not_exist_are_told():
    bundled("shop.csv", target="bought")
    with pytest.raises(TreekitError, match="there is no data file in this folder"):
        verify("b.zip", [moved()])
    with pytest.raises(TreekitError, match=r"shop: none/shop.csv does not hold .* no such file"):
        verify("b.zip", ["none/shop.csv"])


def test_where_data_come_from_is_no_part_of_their_digest():
    (there,), (moved_,) = (
        data_sets(["shop.csv"], target="bought"),
        data_sets([moved("shop.csv") / "shop.csv"], target="bought"),
    )
    assert there.digest == moved_.digest
    assert there.origin != moved_.origin
