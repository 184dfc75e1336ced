"""Every standard strategy keeps the laws of its role."""

from __future__ import annotations

from treekit_builtin import CostComplexity, Entropy, ErrorBased, MinRows, Subset, Threshold

from treekit.registry import installed
from treekit.testing import contract_tests_for

DIFFERENCES = "only its differences are deviances: what is the same in every split is left out"
SET_ASIDE = "levels that weigh next to nothing are set aside before the score (C4.5 Release 8)"

test_contract = contract_tests_for(
    "treekit_builtin",
    # What choices and defaults do not reach.
    CostComplexity(alpha=0.0),
    Entropy(base=10.0),
    ErrorBased(confidence=0.75),
    MinRows(split=5, branch=3),
    Subset(exhaustive=2),
    Threshold(margin=0.1, gap=0.1),
    waive={
        "impurity.variance(ddof=1)-scaling_weights_changes_nothing": (
            "the divisor n - 1 counts rows, so a weight is not a share"
        ),
        "splitter.threshold(description_length=True)-scores_are_the_criterions": (
            "a column is charged for the number of its cuts (Quinlan 1996)"
        ),
        "impurity.poisson-pure_nodes_are_zero": DIFFERENCES,
        "impurity.poisson-mixed_nodes_are_more_than_zero": DIFFERENCES,
        "impurity.poisson-is_never_negative_nor_nan": DIFFERENCES,
        "splitter.grouping-scores_are_the_criterions": SET_ASIDE,
        "splitter.grouping(by=gain)-scores_are_the_criterions": SET_ASIDE,
    },
)


def test_every_registered_strategy_of_treekit_is_held_to_its_contract() -> None:
    (parameters,) = [mark.args[1] for mark in test_contract.pytestmark]  # type: ignore[attr-defined]
    tested = {p.id.partition("-")[0].partition("(")[0] for p in parameters}
    offered = {f"{e.role}.{e.name}" for e in installed().entries if e.distribution == "treekit"}
    assert offered <= tested
