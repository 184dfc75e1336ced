"""A law that cannot fail says nothing: for each there is a strategy that breaks it, and is told."""

from __future__ import annotations

import re
from typing import Any

import attrs
import numpy as np
import pytest

from treekit import REFUSE
from treekit.registry import installed
from treekit.roles import ROLES
from treekit.testing import laws_of
from treekit.testing.examples import examples_of

from . import toys
from .toys import criterion, impurity, label, missing, multiway, pruner, stop, stop_before, toy

Case = tuple[str, str, Any, str]

ANY_ROLE: list[Case] = [
    ("impurity", "fits_its_role", toys.Plain(), "the class Plain is not an attrs class"),
    ("impurity", "fits_its_role", impurity(toys.gini, kinds="numeric"), "Toy.kinds is 'numeric'"),
    ("impurity", "fits_its_role", toy(), "the class Toy lacks 'impurity'"),
    ("impurity", "is_frozen", toys.Changeable(), "its attributes can be assigned to"),
    ("impurity", "has_no_base_class", toys.Heir(), "it inherits from Base"),
    ("impurity", "is_summed_up_in_one_line", toy(__doc__=None), "it has no docstring"),
    ("impurity", "is_summed_up_in_one_line", toy(__doc__="a\nb"), "needs an empty line"),
    ("impurity", "is_summed_up_in_one_line", toy(__doc__="a" * 101), "is too long"),
    ("impurity", "documents_its_fields", toys.Undocumented(), "the field 'base' is not documented"),
    ("impurity", "is_equal_by_its_fields", toys.Unequal(), "are not equal"),
    ("impurity", "can_be_pickled", toys.local(), "it cannot be pickled"),
    ("impurity", "survives_a_recipe", toys.Doubling(), "reads back as another"),
    ("impurity", "refuses_values_out_of_range", toys.Anything(), "the field 'base' takes NaN"),
    ("impurity", "refuses_values_out_of_range", toys.AnyWord(), "'word' takes 'no such word'"),
    ("impurity", "refuses_values_out_of_range", toys.AnyCount(), "the field 'count' has no limit"),
]

IMPURITIES: list[Case] = [
    ("impurity", law, strategy, told)
    for law, strategy, told in (
        ("pure_nodes_are_zero", impurity(lambda s: toys.gini(s) + 0.1), "is not 0: 0.1"),
        ("empty_nodes_are_zero", impurity(lambda s: 1 - s[..., 1] / s[..., 0]), "is not 0: nan"),
        ("mixed_nodes_are_more_than_zero", impurity(lambda s: 0.0 * s[..., 0]), "more than 0: 0.0"),
        ("is_never_negative_nor_nan", impurity(lambda s: -toys.gini(s)), "is negative: -0."),
        ("is_never_negative_nor_nan", impurity(lambda s: np.log(s[..., 1])), "is not finite: -inf"),
        (
            "class_order_changes_nothing",
            impurity(lambda s: s[..., 1] / s[..., 0]),
            "the order of the classes changes the impurity",
        ),
        (
            "scaling_weights_changes_nothing",
            impurity(lambda s: s[..., 0] * toys.gini(s)),
            "three times the weight changes the impurity",
        ),
        (
            "leading_axes_change_nothing",
            impurity(lambda s: toys.gini(s.reshape(-1, s.shape[-1]))),
            "[S] gives the shape (1,)",
        ),
        (
            "leading_axes_change_nothing",
            impurity(lambda s: toys.gini(s) / max(np.ndim(s), 1)),
            "an array gives other values than its rows",
        ),
        ("leaves_its_input_alone", impurity(toys.written_over), "the statistics were written to"),
        (
            "is_strictly_concave_as_it_says",
            impurity(lambda s: 1 - s[..., 1:].max(-1) / s[..., 0], strictly_concave=True),
            "two nodes are no less impure apart than joined",
        ),
        ("compiled_and_interpreted_agree", toys.Overflowing(), "compiled, it gives another value"),
        ("fused_and_block_growth_agree", toys.Pretending(), "grow another tree in blocks"),
    )
]

CRITERIA: list[Case] = [
    ("criterion", law, strategy, told)
    for law, strategy, told in (
        (
            "is_finite_or_minus_infinity",
            criterion(lambda p, b, i, a: (b[..., 1] / b[..., 0]).sum(-1)),
            "the score is not a number: nan",
        ),
        (
            "useless_splits_score_no_better_than_perfect_ones",
            criterion(lambda *given: -toys.gain(*given)),
            "all rows in one branch scores better than a perfect split",
        ),
        (
            "branch_order_changes_nothing",
            criterion(lambda p, b, i, a: b[..., 0, 0]),
            "the order of the branches changes the score",
        ),
        (
            "leading_axes_change_nothing",
            criterion(lambda p, b, i, a: toys.gain(p, b, i, a) * b.ndim),
            "an array gives other values than its rows",
        ),
        ("leaves_its_input_alone", criterion(toys.branches_written_over), "was written to"),
        ("compiled_and_interpreted_agree", toys.Overflowing(), "compiled, it gives another value"),
        ("fused_and_block_growth_agree", toys.Pretending(), "grow another tree in blocks"),
        (
            "prefers_the_least_mean_impurity_as_it_says",
            criterion(lambda p, b, i, a: i - a.sum(axis=-1), by_mean_impurity=True),
            "the best score is not that of the least mean impurity",
        ),
        (
            "chooses_what_is_offered",
            toys.chooser(lambda offers: np.zeros(len(offers.score), np.int64)),
            "a column that offers nothing was chosen: 0",
        ),
        (
            "chooses_what_is_offered",
            toys.chooser(lambda offers: np.full(len(offers.score), 9)),
            "a choice among 5 columns is out of range: 9",
        ),
        (
            "chooses_what_is_offered",
            toys.chooser(lambda offers: np.zeros(3, np.int64)),
            "60 nodes were given (3,) choices",
        ),
        (
            "chooses_what_is_offered",
            toys.chooser(lambda offers: np.full(len(offers.score), -1.0)),
            "choices are float64, not whole numbers",
        ),
        (
            "chooses_for_each_node_alone",
            toys.chooser(lambda offers: offers.score.argmax(axis=1) * (len(offers.score) > 1)),
            "a node's choice depends on other nodes",
        ),
    )
]

SPLITTERS: list[Case] = [
    ("splitter", law, strategy, told)
    for law, strategy, told in (
        (
            "offers_are_well_formed",
            multiway(change=lambda o: attrs.evolve(o, score=o.score[:, :1])),
            "`score` has the shape (1, 1), not (1, 4)",
        ),
        (
            "offers_are_well_formed",
            multiway(
                change=lambda o: attrs.evolve(
                    o, tests=tuple(attrs.evolve(t, operands=t.operands + 1) for t in o.tests)
                )
            ),
            "levels go to branches [1. 2. 3. 4. 5. 6.], of 6",
        ),
        (
            "only_tests_that_separate_rows_are_offered",
            multiway(enough=lambda weight, rows: np.ones(len(rows), bool)),
            "the test of 'nominal2' sends [ 0 30  0  0] rows",
        ),
        (
            "two_branches_hold_the_branch_minimum",
            multiway(enough=toys.any_two),
            "two must hold 8 rows and weigh 0",
        ),
        (
            "scores_are_the_criterions",
            multiway(score=lambda value: value / 2),
            "at node 0 the score is not the criterion's",
        ),
        (
            "split_information_is_that_of_the_branches",
            multiway(weights=np.sqrt),
            "the split information is not that of the branches",
        ),
        (
            "is_deterministic",
            multiway(score=lambda value: value + toys.ever_more()),
            "asked again, it scores otherwise",
        ),
        (
            "nodes_are_asked_as_if_alone",
            multiway(score=lambda value: value * len(value)),
            "asked alone, it scores otherwise",
        ),
    )
]

STOPS: list[Case] = [
    ("stop", law, strategy, told)
    for law, strategy, told in (
        ("says_why_in_words", stop(reason=" "), "the reason ' ' is not a line of text"),
        ("says_why_in_words", stop(reason=3), "the reason is int, not text"),
        ("marks_each_node", stop_before(lambda n: n.pure[:1]), "`before` gives (1,) for 60 nodes"),
        ("marks_each_node", stop_before(lambda n: n.impurity), "`before` gives float64"),
        (
            "is_deterministic",
            stop_before(lambda n: np.full(len(n), toys.ever_more() % 2 == 0)),
            "`before` answers otherwise when asked again",
        ),
        (
            "nodes_are_asked_as_if_alone",
            stop(after=lambda self, nodes, found: found.score >= found.score.max()),
            "`after` of a node depends on other nodes",
        ),
        ("leaves_its_input_alone", stop_before(toys.rows_written_over), "`rows` was written to"),
        (
            "what_is_told_beforehand_is_what_before_says",
            stop(before=lambda self, nodes: nodes.rows < 2, node_rows=9),
            "a node that its bounds make a leaf is none",
        ),
        ("limits_are_numbers", toys.branch_minimum(-1.0), "`branch_rows` is -1.0, not a"),
    )
]

MISSING: list[Case] = [
    ("missing", law, strategy, told)
    for law, strategy, told in (
        (
            "accepts_tables_without_unknown_values",
            missing(check=toys.refuse_all),
            "a table without unknown values is refused: never",
        ),
        (
            "refuses_only_with_a_data_error",
            missing(check=toys.refuse(ValueError("no"))),
            "`check` raises ValueError, not a DataError: no",
        ),
        (
            "discount_is_between_zero_and_one",
            missing(discount=lambda self, known, total: total / np.maximum(known, 0.1)),
            "a discount is not between 0 and 1",
        ),
        (
            "discount_is_between_zero_and_one",
            missing(discount=lambda self, known, total: 0.5 * known / total),
            "the discount is not 1 where all is known: 0.5",
        ),
        (
            "destination_exists",
            missing(destination=lambda self, owner, weight, n: np.full(n, 7)),
            "a destination is no branch of its node: 7",
        ),
        (
            "destination_exists",
            missing(destination=lambda self, owner, weight, n: np.zeros(n)),
            "destinations are float64, not whole numbers",
        ),
        (
            "destination_of_a_node_is_its_own",
            missing(destination=lambda self, owner, weight, n: np.arange(n) % 2),
            "a node's destination depends on other nodes",
        ),
    )
]

LABELS: list[Case] = [
    ("label", law, strategy, told)
    for law, strategy, told in (
        (
            "answers_for_every_node",
            label(lambda tree: tree.stats[:, 1:] / tree.stats[:, :1]),
            "an answer is not finite: [nan nan nan]",
        ),
        (
            "answers_for_every_node",
            label(lambda tree: toys.shares(tree)[:, :1]),
            "the answers have the shape",
        ),
        ("shares_sum_to_one", label(lambda t: toys.shares(t) / 2), "shares do not sum to 1: 0.5"),
        ("shares_sum_to_one", label(lambda t: -toys.shares(t)), "a share is negative"),
        (
            "is_deterministic",
            label(lambda tree: toys.shares(tree) * toys.ever_more()),
            "asked again, it answers otherwise",
        ),
        ("leaves_the_tree_alone", label(toys.stats_written_over), "statistics were written to"),
        ("models_answer_every_row", toys.constants(lambda: np.nan), "answer is not finite: [nan"),
        ("models_give_shares", toys.constants(lambda: 1.0, "identity"), "do not sum to 1: 3.0"),
        ("models_give_shares", toys.constants(lambda: -1.0, "identity"), "share is negative"),
        (
            "models_need_no_plugin",
            toys.constants(lambda: 1.0, "identity"),
            'link: must be "softmax", got "identity"',
        ),
        (
            "models_are_deterministic",
            toys.constants(lambda: float(toys.ever_more())),
            "asked again, it gives other models, in `constant`",
        ),
    )
]

PRUNERS: list[Case] = [
    ("pruner", law, strategy, told)
    for law, strategy, told in (
        (
            "gives_a_valid_tree",
            pruner(lambda tree, data: attrs.evolve(tree, rows=tree.rows + 1)),
            "node 0 keeps 31 rows, 30 reach it",
        ),
        ("makes_no_tree_larger", pruner(toys.grown_on_noise), "after pruning"),
        (
            "leaves_trees_that_predict",
            pruner(lambda tree, data: attrs.evolve(tree, unknown=tree.unknown * 0 + REFUSE)),
            "a row is not answered after pruning",
        ),
        (
            "is_deterministic",
            pruner(lambda tree, data: attrs.evolve(tree, score=tree.score + toys.ever_more())),
            "pruned again with the same seed, it differs, in `score`",
        ),
        (
            "leaves_its_input_alone",
            pruner(toys.tree_written_over),
            "the grown tree was written to, in `stats`",
        ),
        (
            "keeps_a_single_leaf",
            pruner(lambda tree, data: attrs.evolve(tree, reasons=("pruned",))),
            "a single leaf is changed, in `reasons`: ('pruned',), ('alone',)",
        ),
        (
            "reserves_some_rows_and_leaves_others",
            pruner(None, reserve=lambda self, table, rng: np.ones(table.n_rows, bool)),
            "no row is left for growth",
        ),
        (
            "reserves_some_rows_and_leaves_others",
            pruner(None, reserve=lambda self, table, rng: np.zeros(table.n_rows, bool)),
            "no row is reserved",
        ),
        (
            "reserves_some_rows_and_leaves_others",
            pruner(None, reserve=lambda self, table, rng: table.y == 0),
            "a class has no row left for growth",
        ),
    )
]

WHOLES: list[Case] = [
    (
        "grower",
        "grows_a_valid_tree",
        toy(tasks=("classification",), grow=toys.split_once),
        "the tree is not valid: there are 1 nodes, but",
    ),
    (
        "stop",
        "grows_the_same_tree_twice",
        stop_before(toys.at_random),
        "the same seed grows another tree",
    ),
    ("ensemble", "plants_valid_trees", toys.ensemble(lambda: ()), "there is no tree"),
    (
        "ensemble",
        "plants_valid_trees",
        toys.ensemble(lambda: (np.nan,)),
        "a weight is not a number",
    ),
    ("ensemble", "plants_valid_trees", toys.ensemble(lambda: (-1.0,)), "a weight is not a number"),
    (
        "ensemble",
        "members_answer_for_every_node",
        toys.ensemble(lambda: (1.0,), answers=lambda said: said[:, :1]),
        "answers have the shape",
    ),
    (
        "ensemble",
        "tells_that_it_retargets",
        toys.ensemble(lambda: (1.0,), sample=toys.aimed_elsewhere),
        "a tree has another target",
    ),
    (
        "ensemble",
        "plants_the_same_trees_twice",
        toys.ensemble(lambda: (toys.ever_more(),)),
        "other weights the second time",
    ),
    (
        "ensemble",
        "threads_change_nothing",
        toys.ensemble(lambda: (toys.ever_more(),)),
        "other weights in threads",
    ),
    (
        "ensemble",
        "a_saved_model_answers_the_same",
        toys.ensemble(lambda: (toys.Backward(1.0),)),
        "a loaded model differs",
    ),
]

CASES = [
    *ANY_ROLE, *IMPURITIES, *CRITERIA, *SPLITTERS, *STOPS, *MISSING, *LABELS, *PRUNERS, *WHOLES,
]  # fmt: skip


@pytest.mark.parametrize(
    ("role", "name", "strategy", "told"), CASES, ids=[f"{role}-{name}" for role, name, *_ in CASES]
)
def test_a_broken_law_is_told(role: str, name: str, strategy: Any, told: str) -> None:
    (law,) = [law for law in laws_of(role, strategy) if law.name == name]
    with pytest.raises(AssertionError, match=re.escape(told)):
        law.check()


@pytest.mark.parametrize("role", ROLES)
def test_every_law_of_the_role_is_seen_to_fail(role: str) -> None:
    asked = {
        law.name
        for entry in installed().of(role)
        for example in examples_of(entry.strategy)
        for law in laws_of(role, example)
    }
    shared = {case[1] for case in ANY_ROLE + WHOLES}
    assert asked <= shared | {case[1] for case in CASES if case[0] == role}


@pytest.mark.parametrize("role", ROLES)
def test_every_law_is_stated_in_a_sentence(role: str) -> None:
    for entry in installed().of(role):
        for law in laws_of(role, examples_of(entry.strategy)[0]):
            assert re.fullmatch(r"[`\[A-Z].*\.", law.text.splitlines()[0])
