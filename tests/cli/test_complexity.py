"""`treekit complexity` and `complexity_table`: the subtrees that a pruner has to choose from."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import treekit
from treekit.errors import DataError, RecipeError

from .conftest import Treekit


@pytest.fixture(autouse=True)
def steps(folder: Path) -> Path:
    """Forty rows whose class is told by x but for a few, in `steps.csv`."""
    rng = np.random.default_rng(4)
    lines = ["x,z,y"]
    for i in range(40):
        y = "low" if (i < 20) != (i in (3, 29, 33)) else "high"
        lines.append(f"{i},{rng.integers(9)},{y}")
    path = folder / "steps.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


GROWN = ("--set", "tree.pruner.alpha=0", "--set", 'tree.stop=["pure", "min_gain"]')
SAID = ("complexity", "cart", "steps.csv", "--target", "y", "--quiet", *GROWN)


def test_the_rows_are_printed_and_the_chosen_ones_marked(treekit: Treekit) -> None:
    answer = treekit(*SAID, "--fixed-folds")
    header, first, *_ = answer.lines
    assert header.split("  ")[0] == "alpha"
    assert [w.strip() for w in header.split("  ") if w][1:] == [
        "splits", "error", "cross error", "standard error", "chosen by",
    ]  # fmt: skip
    assert first.split()[1:3] == ["0", "1"]
    marked = [line for line in answer.lines if "SE" in line]
    assert "1-SE" in answer.out
    assert "0-SE" in answer.out
    assert len(marked) in (1, 2)


def test_json_has_the_columns_and_the_chosen_rows(treekit: Treekit) -> None:
    facts = json.loads(treekit(*SAID, "--fixed-folds", "--json").out)
    assert list(facts) == [
        "alpha", "splits", "error", "cross_error", "standard_error", "0-SE", "1-SE",
    ]  # fmt: skip
    assert facts["splits"][0] == 0
    assert facts["error"][0] == 1.0
    assert 0 < facts["1-SE"] <= facts["0-SE"] < len(facts["alpha"])


def test_python_gives_the_same_table(treekit: Treekit) -> None:
    facts = json.loads(treekit(*SAID, "--folds", "5", "--seed", "3", "--json").out)
    import treekit as package

    table = package.complexity_table(
        "cart",
        "steps.csv",
        target="y",
        folds=5,
        seed=3,
        set={"tree.pruner.alpha": 0.0, "tree.stop": ["pure", "min_gain"]},
    )
    assert table.cross_error is not None
    assert table.cross_error.tolist() == facts["cross_error"]


def test_without_folds_nothing_is_cross_validated(treekit: Treekit) -> None:
    answer = treekit(*SAID, "--folds", "0")
    assert answer.lines[0].split() == ["alpha", "splits", "error"]


def test_random_folds_are_the_seeds(treekit: Treekit) -> None:
    one, other, third = (treekit(*SAID, "--seed", seed).out for seed in ("1", "1", "2"))
    assert one == other != third


def test_fixed_folds_need_no_seed(treekit: Treekit) -> None:
    one, other = (treekit(*SAID, "--fixed-folds", "--seed", seed).out for seed in ("1", "2"))
    assert one == other


def test_a_pruner_without_a_table_is_told(treekit: Treekit) -> None:
    answer = treekit("complexity", "c45", "tennis")
    assert answer.code == 2
    assert answer.err.endswith(
        "tree.pruner: the pruner 'error_based' of recipe 'c45' has no complexity table;"
        " take a pruner that chooses by cost and complexity\n"
    )


def test_too_many_folds_are_told(treekit: Treekit) -> None:
    answer = treekit(*SAID, "--folds", "50")
    assert (answer.code, answer.err) == (
        2,
        "error: 40 rows cannot be dealt out into 50 folds; ask for 2 to 40 folds\n",
    )


def test_python_refuses_the_same() -> None:
    with pytest.raises(RecipeError, match="has no complexity table"):
        treekit.complexity_table("c45", "tennis")
    with pytest.raises(DataError, match="cannot be dealt out into 1 folds"):
        treekit.complexity_table("cart", "steps.csv", target="y", folds=1)
