"""Effects of single paths are told apart, and shares of the variance are those of an ANOVA."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

from tests.statistics.making import of_means
from treekit.comparing import Comparison, Variant, contenders_of
from treekit.errors import TreekitError
from treekit.statistics import ablated, as_plain, lines_of, varied_of
from treekit.statistics.ablation import UNCHANGED, bootstrap_interval

WORDS = {"tree.impurity": ("entropy", "gini", "twoing"), "tree.pruner": ("none", "mdl")}
GRID = {
    "/".join(chosen): dict(zip(WORDS, chosen, strict=True))
    for chosen in itertools.product(*WORDS.values())
}


def table(noise=0.0, n_data=12, interaction=0.0):
    """With gini 0.02 less than entropy, twoing 0.03 less; mdl 0.1 more than none."""
    rng = np.random.default_rng(0)
    impurity = {"entropy": 0.0, "gini": -0.02, "twoing": -0.03}
    pruner = {"none": 0.0, "mdl": 0.1}
    means = np.array([impurity[i] + pruner[p] for i, p in itertools.product(*WORDS.values())])
    means = means + interaction * np.array([1, -1, -1, 1, 0, 0])
    return 0.5 + rng.normal(0, 0.1, (n_data, 1)) + means + rng.normal(0, noise, (n_data, 6))


def found(values, varied=GRID, **options):
    return ablated(of_means(values, list(GRID)), varied, ["accuracy"], **options)


def effect(ablation, path, first, second):
    every = {(e.path, e.first, e.second): e for e in ablation.effects}
    return every[path, first, second]


def test_effects_are_paired_differences_with_all_else_alike():
    ablation = found(table())
    told = {(e.first, e.second): e.difference for e in ablation.effects}
    assert told == pytest.approx(
        {
            ("entropy", "gini"): 0.02,
            ("entropy", "twoing"): 0.03,
            ("gini", "twoing"): 0.01,
            ("none", "mdl"): -0.1,
        }
    )
    assert effect(ablation, "tree.impurity", "entropy", "gini").n_pairs == 2
    assert effect(ablation, "tree.pruner", "none", "mdl").n_pairs == 3


def test_the_interval_is_a_bootstrap_over_data_sets():
    values = table(noise=0.02)
    one = effect(found(values), "tree.pruner", "none", "mdl")
    apart = (values[:, [0, 2, 4]] - values[:, [1, 3, 5]]).mean(axis=1)
    error = apart.std(ddof=1) / np.sqrt(12)
    assert one.low < apart.mean() < one.high
    assert one.high - one.low == pytest.approx(2 * 1.96 * error, rel=0.2)
    assert one == effect(found(values), "tree.pruner", "none", "mdl")
    assert one != effect(found(values, seed=1), "tree.pruner", "none", "mdl")


def test_intervals_of_one_value_and_of_equal_values():
    assert bootstrap_interval(np.array([0.1]), 0.05, 0, 99) == (None, None)
    assert bootstrap_interval(np.full(3, 0.1), 0.05, 0, 99) == (0.1, 0.1)


def test_shares_are_those_of_an_analysis_of_variance():
    import pandas as pd
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    values = table(noise=0.03, interaction=0.01)
    rows = [
        (d, *chosen.values(), values[d, c])
        for d in range(len(values))
        for c, chosen in enumerate(GRID.values())
    ]
    frame = pd.DataFrame(rows, columns=["data", "impurity", "pruner", "value"])
    formula = "value ~ C(data) + C(impurity) * C(pruner) + C(data):C(impurity) + C(data):C(pruner)"
    squares = anova_lm(ols(formula, frame).fit())["sum_sq"]
    total = squares.sum() - squares["C(data)"]
    shares = found(values).explained["accuracy"]
    for path, name in zip(WORDS, ("impurity", "pruner"), strict=True):
        assert shares.always[path] == pytest.approx(squares[f"C({name})"] / total)
        assert shares.by_data[path] == pytest.approx(squares[f"C(data):C({name})"] / total)
    rest = squares["C(impurity):C(pruner)"] + squares["Residual"]
    assert shares.rest == pytest.approx(rest / total)


def test_without_interactions_the_main_effects_are_all():
    shares = found(table()).explained["accuracy"]
    assert sum(shares.always.values()) == pytest.approx(1)
    assert shares.rest == pytest.approx(0, abs=1e-9)
    assert shares.always["tree.pruner"] > 0.9


def test_one_path_at_a_time_has_effects_but_no_shares():
    varied = {
        "entropy/none": {},
        "gini/none": {"tree.impurity": "gini"},
        "entropy/mdl": {"tree.pruner": "mdl"},
    }
    ablation = found(table(), varied)
    assert [(e.first, e.second, e.n_pairs) for e in ablation.effects] == [
        (UNCHANGED, "mdl", 1),
        (UNCHANGED, "gini", 1),
    ]
    assert [e.difference for e in ablation.effects] == pytest.approx([-0.1, 0.02])
    assert ablation.explained == {}
    assert any("no full grid" in caution for caution in ablation.cautions)


def test_few_data_sets_are_told():
    few, enough = (found(table(0.01, n)) for n in (4, 12))
    words = "bootstrap intervals are too narrow"
    assert any(words in caution for caution in few.cautions)
    assert not any(words in caution for caution in enough.cautions)
    (one, *_) = found(table(0.01, 1)).effects
    assert (one.low, one.high) == (None, None)


def test_nothing_varied_and_variants_that_do_not_differ_are_told():
    with pytest.raises(TreekitError, match="nothing is varied"):
        found(table(), {"entropy/none": {}, "gini/none": {}})
    with pytest.raises(TreekitError, match="do not differ by what is varied"):
        found(table(), {n: {"tree.pruner": w["tree.pruner"]} for n, w in GRID.items()})
    with pytest.raises(TreekitError, match="'x' takes no part"):
        found(table(), {"x": {}})


def test_where_nothing_differs_there_is_nothing_to_share_out():
    ablation = found(np.full((3, 6), 0.5))
    assert {e.difference for e in ablation.effects} == {0.0}
    assert ablation.explained == {}


def test_what_is_varied_is_had_of_the_contenders():
    vary = {"tree.impurity": ["entropy", "gini"]}
    assert varied_of(contenders_of(["c45", "sklearn:DecisionTreeClassifier"], vary)) == {
        "c45 [entropy]": {"tree.impurity": "entropy"},
        "c45 [gini]": {"tree.impurity": "gini"},
    }
    assert varied_of(contenders_of(["c45", "cart"], vary))["cart [gini]"] == {
        "recipe": "cart",
        "tree.impurity": "gini",
    }


def test_a_named_variant_differs_from_its_recipe_by_what_it_changes():
    variants = (
        Variant("entropy", {"tree.impurity": "entropy"}),
        Variant("ratio", {"tree.impurity": "entropy", "tree.criterion": "gain_ratio"}),
    )
    assert varied_of(Comparison(recipes=("cart",), variants=variants).contenders) == {
        "cart": {"tree.impurity": "gini", "tree.criterion": "gain"},
        "entropy": {"tree.impurity": "entropy", "tree.criterion": "gain"},
        "ratio": {"tree.impurity": "entropy", "tree.criterion": "gain_ratio"},
    }


def test_lines_and_plain_data():
    ablation = found(table(noise=0.02))
    lines = [line.split() for line in lines_of(ablation)]
    assert ["path", "first", "-", "second", "difference", "95%", "interval", "pairs"] in lines
    assert any(line[:4] == ["tree.pruner", "none", "-", "mdl"] for line in lines)
    assert any(line[:3] == ["rest:", "interactions", "of"] for line in lines)
    plain = as_plain(ablation)
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["paths"]["tree.pruner"] == ["none", "mdl"]
