"""How the trees' answers become one stands in the model file, checked like the rest of it."""

from __future__ import annotations

import json
from typing import Any

import attrs
import pytest

from treekit.errors import ModelError
from treekit.model import Model, load

from .by_hand import WEATHER, grown, leaf, price, weather


def scored() -> Model:
    """Two trees of numbers, each added to the score of a class."""
    tree, answers = grown(attrs.evolve(WEATHER, target=price().schema.target), leaf(2, 1, 1))
    return attrs.evolve(
        weather(),
        trees=(tree, tree),
        answers=(answers, answers),
        tree_weights=(0.1, 0.1),
        leaf_models=(None, None),
        rule="softmax",
        base=(0.0, 0.25),
        outputs=(1, 0),
        facts={"rounds": 2.0},
    )


@pytest.mark.parametrize(
    "model",
    [
        scored(),
        attrs.evolve(weather(), rule="vote", base=(0.5, 0.5)),
        attrs.evolve(price(), rule="weighted_median"),
        attrs.evolve(price(), base=(3.5,), facts={"out_of_bag_error": 0.25}),
    ],
    ids=["softmax", "vote", "median", "sum"],
)
def test_what_is_saved_is_loaded(model, tmp_path):
    model.save(tmp_path / "m.json")
    found = load(tmp_path / "m.json")
    assert attrs.asdict(found.combination) == attrs.asdict(model.combination)
    assert found.facts == model.facts


def test_a_file_of_an_older_version_adds_its_trees_up(tmp_path):
    content = content_of(weather(), tmp_path)
    del content["combination"], content["facts"]
    (tmp_path / "m.json").write_text(json.dumps(content | {"version": 2}))
    found = load(tmp_path / "m.json")
    assert (found.rule, found.base, found.outputs, found.facts) == ("sum", (), (), {})


def test_the_checksum_covers_the_combination(tmp_path):
    scored().save(tmp_path / "m.json")
    text = (tmp_path / "m.json").read_text().replace('"base": [0.0, 0.25]', '"base": [0.0, 0.5]')
    (tmp_path / "m.json").write_text(text)
    with pytest.raises(ModelError, match="does not match the model"):
        load(tmp_path / "m.json")


@pytest.mark.parametrize(
    ("model", "change", "said"),
    [
        (scored, {"rule": "mean"}, "combination.rule: must be one of sum, vote"),
        (scored, {"rule": 3}, "combination.rule: must be a text, got 3"),
        (scored, {"base": [0.0]}, "combination.base: must be empty or have 2 entries, has 1"),
        (scored, {"outputs": [0]}, "combination.outputs: must have 2 entries, has 1"),
        (scored, {"outputs": [0, 2]}, "combination.outputs[1]: must be the number of one of 2"),
        (scored, {"outputs": [0, 0.5]}, "combination.outputs[1]: must be an integer"),
        (weather, {"outputs": [0]}, "combination.outputs: must have 0 entries, has 1"),
        (weather, {"rule": "weighted_median"}, "does not go with classification"),
        (price, {"rule": "vote"}, "combination.rule: 'vote' does not go with regression"),
        (price, {"rule": "softmax"}, "does not go with regression"),
    ],
)
def test_a_wrong_combination_is_refused(model, change, said, tmp_path):
    content = content_of(model(), tmp_path)
    content["combination"] |= change
    (tmp_path / "m.json").write_text(json.dumps(content))
    with pytest.raises(ModelError) as caught:
        load(tmp_path / "m.json")
    assert said in str(caught.value)


def test_facts_are_numbers(tmp_path):
    content = content_of(weather(), tmp_path) | {"facts": {"error": "small"}}
    (tmp_path / "m.json").write_text(json.dumps(content))
    with pytest.raises(ModelError, match=r"facts.error: must be a finite number, got .small"):
        load(tmp_path / "m.json")


def content_of(model: Model, tmp_path: Any) -> dict[str, Any]:
    model.save(tmp_path / "good.json")
    content: dict[str, Any] = json.loads((tmp_path / "good.json").read_text())
    del content["checksum"]
    return content
