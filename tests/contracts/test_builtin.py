"""Every standard strategy keeps the laws of its role."""

from __future__ import annotations

from itertools import cycle

import pytest
from treekit_builtin import (
    Bins,
    ChiSquared,
    CostComplexity,
    Entropy,
    ErrorBased,
    FTest,
    GStatistic,
    Merging,
    MinRows,
    PermutationTest,
    PermutationTestNumber,
    RandomCuts,
    Subset,
    Threshold,
)

from treekit.engine import grow
from treekit.registry import installed
from treekit.testing import contract_tests_for

from ..growing import GROWING_ONCE

DIFFERENCES = "only its differences are deviances: what is the same in every split is left out"
DRAWN = "its tests are drawn anew each time; the same seed draws the same"
DRAWING = (
    "random_cuts",
    "random_cuts(draws=3,columns=sqrt)",
    "random_projections(draws=3)",
    "random_projections(draws=3,coefficients=signs)",
    "random_projections(draws=3,cuts=True)",
)
ASKED_AGAIN = ("is_deterministic", "nodes_are_asked_as_if_alone")
OWN_SCORE = "it scores by rpart's own sums, for the criterion `improvement` to compare"
SET_ASIDE = "levels that weigh next to nothing are set aside before the score (C4.5 Release 8)"

# Where growth is not what is tried, or is looked at but not compared with growth: the roles and the
# laws for which what grew for one of them may serve the others.
NOT_GROWING = ("label", "pruner")
LOOKING_ON = (
    "a_saved_model_answers_the_same",
    "grows_a_valid_tree",
    "members_answer_for_every_node",
    "plants_valid_trees",
    "scores_are_the_criterions",
    "tells_that_it_retargets",
)


@pytest.fixture(autouse=True)
def trees_in_common_are_grown_once(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = request.node.name.partition("[")[2].removesuffix("]")
    if case.partition(".")[0] in NOT_GROWING or case.endswith(LOOKING_ON):
        monkeypatch.setattr("treekit.fitting.grow", GROWING_ONCE)
        monkeypatch.setattr("treekit.testing.hosting.grow", GROWING_ONCE)
    elif case.endswith("grows_the_same_tree_twice"):
        # The first of the two may have been grown before, the second never.
        turns = cycle((GROWING_ONCE, grow))
        monkeypatch.setattr("treekit.testing.hosting.grow", lambda *given: next(turns)(*given))


test_contract = contract_tests_for(
    "treekit_builtin",
    # What choices and defaults do not reach.
    Bins(method="equal_frequency", when="dynamic"),
    Bins(method="k_means", bins=3, when="dynamic"),
    ChiSquared(value="p_value", bonferroni=True),
    CostComplexity(alpha=0.0),
    Entropy(base=10.0),
    ErrorBased(confidence=0.75),
    FTest(value="p_value", bonferroni=True),
    GStatistic(value="p_value", bonferroni=True),
    Merging(alpha=0.5, bins=4),
    MinRows(split=5, branch=3),
    PermutationTest(resamples=9),
    PermutationTestNumber(resamples=9),
    RandomCuts(draws=3, columns="sqrt"),
    Subset(exhaustive=2),
    Threshold(margin=0.1, gap=0.1),
    waive={
        "missing.typical(within=class)-grows_a_valid_tree": (
            "a query has no class, so it cannot be routed as a training row is"
        ),
        "missing.typical(within=class)-accepts_tables_without_unknown_values": (
            "a number to predict has no classes"
        ),
        "missing.surrogate(as_rpart=True)-grows_a_valid_tree": (
            "rpart counts weight in training and rows in queries"
        ),
        "impurity.variance(ddof=1)-scaling_weights_changes_nothing": (
            "the divisor n - 1 counts rows, so a weight is not a share"
        ),
        "splitter.threshold(description_length=True)-scores_are_the_criterions": (
            "a column is charged for the number of its cuts (Quinlan 1996)"
        ),
        "impurity.poisson-pure_nodes_are_zero": DIFFERENCES,
        "impurity.poisson-mixed_nodes_are_more_than_zero": DIFFERENCES,
        "impurity.poisson-is_never_negative_nor_nan": DIFFERENCES,
        "splitter.rpart_anova-scores_are_the_criterions": OWN_SCORE,
        "splitter.rpart_class-scores_are_the_criterions": OWN_SCORE,
        "splitter.rpart_class(split=information)-scores_are_the_criterions": OWN_SCORE,
        **{f"splitter.{drawing}-{law}": DRAWN for drawing in DRAWING for law in ASKED_AGAIN},
        "splitter.grouping-scores_are_the_criterions": SET_ASIDE,
        "splitter.grouping(by=gain)-scores_are_the_criterions": SET_ASIDE,
    },
)


def test_every_registered_strategy_of_treekit_is_held_to_its_contract() -> None:
    (parameters,) = [mark.args[1] for mark in test_contract.pytestmark]  # type: ignore[attr-defined]
    tested = {p.id.partition("-")[0].partition("(")[0] for p in parameters}
    offered = {f"{e.role}.{e.name}" for e in installed().entries if e.distribution == "treekit"}
    assert offered <= tested


def test_every_strategy_of_treekit_is_told_in_a_line_that_names_its_source() -> None:
    lines = [
        (e.strategy.__doc__ or "").splitlines()[0]
        for e in installed().entries
        if e.distribution == "treekit"
    ]
    assert [line for line in lines if not line.endswith((").", ")"))] == []
