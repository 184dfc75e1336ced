"""A model file is written whole or not at all."""

from __future__ import annotations

import json
import math
import stat
import sys
from pathlib import Path

import attrs
import numpy as np
import pytest

from treekit import model_file
from treekit.errors import ModelError
from treekit.model import Model, load
from treekit.model_file import leaf_models, neighbours, surrogates
from treekit.model_file.extras import EXTRAS

from .any_model import same
from .by_hand import price, weather
from .large import bushy, chain
from .with_extras import among_rows, chances, lines, standing_in


def test_saving_leaves_the_file_and_nothing_else(tmp_path):
    weather().save(tmp_path / "m.json")
    assert [path.name for path in tmp_path.iterdir()] == ["m.json"]


def test_a_model_saved_by_a_text_path_is_loaded_by_one(tmp_path):
    model = price()
    model.save(str(tmp_path / "m.json"))
    assert same(load(str(tmp_path / "m.json")), model)


def test_the_same_model_gives_the_same_bytes(tmp_path):
    weather().save(tmp_path / "a.json")
    weather().save(tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_a_model_file_may_be_formatted_anew(tmp_path):
    weather().save(tmp_path / "m.json")
    content = json.loads((tmp_path / "m.json").read_text())
    text = json.dumps(dict(reversed(content.items())), indent=2)
    (tmp_path / "m.json").write_text("\ufeff" + text, encoding="utf-8")
    assert same(load(tmp_path / "m.json"), weather())


@pytest.mark.parametrize(
    "model", [lines(), chances(), among_rows(), among_rows(math.inf), standing_in()]
)
def test_leaf_models_and_surrogates_are_saved_too(tmp_path, model):
    model.save(tmp_path / "m.json")
    assert same(load(tmp_path / "m.json"), model)


def test_a_file_of_format_1_is_read(tmp_path):
    """What was written before there were leaf models; its checksum holds."""
    weather().save(tmp_path / "m.json")
    text = (tmp_path / "m.json").read_text().replace('"version": 2', '"version": 1')
    (tmp_path / "m.json").write_text(text)
    assert same(load(tmp_path / "m.json"), weather())


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, MemoryError])
def test_an_interrupted_save_leaves_the_old_model(tmp_path, monkeypatch, interruption):
    weather().save(tmp_path / "m.json")

    def interrupted(*_: object) -> None:
        raise interruption

    monkeypatch.setattr("treekit.model_file.writing.checksum", interrupted)
    with pytest.raises(interruption):
        price().save(tmp_path / "m.json")
    assert [path.name for path in tmp_path.iterdir()] == ["m.json"]
    monkeypatch.undo()
    assert same(load(tmp_path / "m.json"), weather())


@pytest.mark.skipif(sys.platform == "win32", reason="file modes are POSIX's")
def test_a_model_file_is_as_readable_as_other_files(tmp_path):
    (tmp_path / "other").write_text("")
    weather().save(tmp_path / "m.json")
    mode = stat.S_IMODE((tmp_path / "m.json").stat().st_mode)
    assert mode == stat.S_IMODE((tmp_path / "other").stat().st_mode)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_link_keeps_leading_to_the_model(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "m.json").symlink_to(tmp_path / "real" / "m.json")
    weather().save(tmp_path / "m.json")
    assert (tmp_path / "m.json").is_symlink()
    assert same(load(tmp_path / "real" / "m.json"), weather())


def test_a_place_that_cannot_be_written_is_an_error(tmp_path):
    path = tmp_path / "none" / "m.json"
    with pytest.raises(ModelError) as caught:
        weather().save(path)
    assert str(caught.value) == f"{path}: cannot be written: No such file or directory"


def test_a_folder_is_not_replaced_by_a_model(tmp_path):
    (tmp_path / "m.json").mkdir()
    with pytest.raises(ModelError) as caught:
        weather().save(tmp_path / "m.json")
    assert str(caught.value) == f"{tmp_path / 'm.json'}: cannot be written: Is a directory"
    assert [path.name for path in tmp_path.iterdir()] == ["m.json"]


def changed(**arrays: object) -> Model:
    model = weather()
    tree = attrs.evolve(model.trees[0], **arrays)
    return attrs.evolve(model, trees=(tree,))


UNSOUND = [
    (
        changed(stats=np.full((8, 3), np.inf)),
        "m.json: trees[0].stats[0]: must be a finite number, got Infinity",
    ),
    (
        changed(first_child=np.full(8, 1, np.int32)),
        "m.json: trees[0]: the nodes are not in level order",
    ),
    (
        attrs.evolve(weather(), recipe={"tree": {"seed": {1, 2}}}),
        "m.json: recipe.tree.seed: must be plain data that JSON can hold, got set",
    ),
    (
        attrs.evolve(weather(), tree_weights=(math.nan,)),
        "m.json: tree_weights[0]: must be finite and not negative, got NaN",
    ),
]


@pytest.mark.parametrize(("model", "said"), UNSOUND)
def test_a_model_that_could_not_be_loaded_is_not_saved(tmp_path, monkeypatch, model, said):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError) as caught:
        model.save("m.json")
    assert str(caught.value) == said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", [math.inf, -math.inf])
def test_a_recipe_may_hold_an_infinite_parameter(tmp_path, value):
    model = attrs.evolve(weather(), recipe={"max_depth": [value, {"a": value}]})
    model.save(tmp_path / "m.json")
    assert load(tmp_path / "m.json").recipe == {"max_depth": [value, {"a": value}]}


def test_loading_needs_no_module_beyond_treekit(tmp_path):
    """A model of somebody's plugin is loaded where the plugin is not installed."""
    model = attrs.evolve(
        weather(),
        recipe={"tree": {"criterion": {"use": "nobodys"}}},
        versions={"treekit": "0.1.0", "treekit-nobodys": "9.9"},
    )
    model.save(tmp_path / "m.json")
    before = set(sys.modules)
    assert same(load(tmp_path / "m.json"), model)
    assert set(sys.modules) == before


@pytest.mark.slow
def test_a_million_nodes_are_saved_and_loaded(tmp_path):
    model = bushy(1_000_001)
    model.save(tmp_path / "m.json")
    assert same(load(tmp_path / "m.json"), model)


def test_a_tree_of_100_000_levels_is_saved_and_loaded(tmp_path):
    model = chain(100_000)
    model.save(tmp_path / "m.json")
    back = load(tmp_path / "m.json")
    assert same(back, model)
    assert back.depth == 100_000


def test_the_layout_is_told_in_the_module():
    said = model_file.__doc__ or ""
    names = ("children", "stats", "operand_count", "operands", "checksum", *EXTRAS)
    for name in (*names, *leaf_models.LISTS, *neighbours.LISTS, *surrogates.LISTS):
        assert name in said


def test_extras_stand_below_the_lists(tmp_path):
    standing_in().save(tmp_path / "m.json")
    lines = Path(tmp_path / "m.json").read_text().splitlines()
    at = lines.index('"surrogates": {')
    assert lines[at + 1 : at + 3] == ['"use": "asked",', '"count": [2,1],']
    assert lines[at - 1] == '"operands": [75,0,0,1],'


def test_each_list_stands_on_a_line_of_its_own(tmp_path):
    weather().save(tmp_path / "m.json")
    lines = Path(tmp_path / "m.json").read_text().splitlines()
    assert '"children": [3,2,0,2,0,0,0,0],' in lines
    assert '"operands": [0,1,2,75,0,1]}],' in lines
