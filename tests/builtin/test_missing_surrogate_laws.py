"""The search for surrogates, restated plainly (Breiman et al. 1984, section 5.3; rpart 4.1)."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin import MaxDepth, Pure, Surrogate

from treekit import CUTS, LEVELS, NOWHERE, STAY, Floats, Ints, Table, Tree, ends
from treekit.engine import growth, prepared
from treekit.testing.expecting import expect_same_tree

from ..properties import examples
from .unknowns import agreeing_tables, gappy_tables, one_test, parts


@frozen
class StandIn:
    """A surrogate: its column and operands, and where each value goes."""

    column: int
    operands: tuple[float, ...]
    flipped: bool
    agreeing: float
    both: tuple[float, float]

    def branch(self, levels: bool, value: float) -> int:
        if np.isnan(value):
            return NOWHERE
        taken = int(self.operands[int(value)]) if levels else int(value > self.operands[0])
        return taken if taken == NOWHERE or not self.flipped else 1 - taken


def asked(tree: Tree, node: int, value: float) -> int:
    """The branch of a node's own test."""
    operands = tree.test_operands(node)
    if np.isnan(value):
        return NOWHERE
    return int(value > operands[0]) if tree.kind[node] == CUTS else int(operands[int(value)])


def weight_of(table: Table, some: Any) -> float:
    return float(table.weights[some].sum())


def on_cuts(table: Table, column: int, sent: Ints, as_rpart: bool) -> StandIn | None:
    """The first best cut of a column, at least two rows on each side of it."""
    values = table.cells[column]
    here = ~np.isnan(values) & (sent != NOWHERE)
    all_values = np.unique(values[~np.isnan(values)])
    both = (weight_of(table, here & (sent == 0)), weight_of(table, here & (sent == 1)))
    best = None
    for low, _ in itertools.pairwise(np.unique(values[here])):
        below, above = here & (values <= low), here & (values > low)
        if below.sum() < 2 or above.sum() < 2:
            continue
        for flipped in (True, False):
            agrees = (below & (sent == int(flipped))) | (above & (sent == 1 - int(flipped)))
            weight = weight_of(table, agrees)
            if weight > max(both) and (best is None or weight > best.agreeing):
                following = all_values[all_values > low][0]
                cut = (low + following) / 2
                if as_rpart and table.columns[column].is_numeric:
                    cut = np.nextafter(cut, -np.inf)
                best = StandIn(column, (float(cut),), flipped, weight, both)
    return best


def on_levels(table: Table, column: int, sent: Ints, right: int, as_rpart: bool) -> StandIn | None:
    """Each level where most of its weight goes; in balance, where most of all goes."""
    values = table.cells[column]
    here = ~np.isnan(values) & (sent != NOWHERE)
    both = (weight_of(table, here & (sent == 0)), weight_of(table, here & (sent == 1)))
    most = right if both[0] == both[1] else int(both[1] > both[0])
    operands = []
    for level in range(len(table.columns[column].levels)):
        mine = here & (values == level)
        left, far = weight_of(table, mine & (sent == 0)), weight_of(table, mine & (sent == 1))
        operands.append(NOWHERE if not mine.any() else most if left == far else int(far > left))
    to = np.full(table.n_rows, NOWHERE)
    to[here] = [operands[int(value)] for value in values[here]]
    agrees = here & (to == sent)
    if as_rpart:
        allowed = agrees.sum() >= 2 and (here & ~agrees).sum() >= 2
    else:
        allowed = (to[here] == 0).sum() >= 2 and (to[here] == 1).sum() >= 2
    weight = weight_of(table, agrees)
    if not allowed or weight <= max(both):
        return None
    return StandIn(column, tuple(map(float, operands)), False, weight, both)


def right_branch(table: Table, sent: Ints) -> int:
    """Rpart's right: the greater mean of the target, or of class numbers; the first if equal."""
    means = [np.average(table.y[sent == b], weights=table.weights[sent == b]) for b in (0, 1)]
    return int(means[0] < means[1])


def stand_ins(missing: Surrogate, table: Table, tree: Tree) -> list[tuple[StandIn, float, float]]:
    """The surrogates of the first test, each with its agreement and adjusted agreement."""
    own = int(tree.column[0])
    sent = np.array([asked(tree, 0, v) for v in table.cells[own]])
    rated = []
    for column in range(table.n_columns):
        if column == own:
            continue
        if table.columns[column].kind == "nominal":
            right = right_branch(table, sent)
            found = on_levels(table, column, sent, right, missing.as_rpart)
        else:
            found = on_cuts(table, column, sent, missing.as_rpart)
        if found is None:
            continue
        sides = found.both
        if missing.share_of == "all":
            sides = (weight_of(table, sent == 0), weight_of(table, sent == 1))
        agreement, greater = found.agreeing / sum(sides), max(sides) / sum(sides)
        adjusted = (agreement - greater) / (1 - greater)
        if adjusted > 1e-10:
            rated.append((found, agreement, adjusted))
    return sorted(rated, key=lambda entry: -entry[1])[: missing.keep]


SETTINGS = [
    Surrogate(keep=keep, share_of=share_of, as_rpart=as_rpart)  # type: ignore[arg-type]
    for keep in (1, 5)
    for share_of in ("all", "both")
    for as_rpart in (False, True)
]


ANY_TABLE = st.one_of(agreeing_tables(), gappy_tables(gaps=0.2))


@examples(250)
@given(table=ANY_TABLE, missing=st.sampled_from(SETTINGS))
def test_surrogates_are_those_of_the_restatement(table: Table, missing: Surrogate) -> None:
    if missing.as_rpart and np.isnan(table.cells).all():
        return
    tree = one_test(missing, table)
    if tree.n_nodes == 1:
        assert tree.surrogates is None
        return
    seen = prepared(table, parts(missing, table.task))
    wanted = stand_ins(missing, seen, tree)
    found = tree.surrogates
    assert found is not None
    assert found.column.tolist() == [s.column for s, _, _ in wanted]
    assert found.first.tolist() == [0] + [len(wanted)] * tree.n_nodes
    kinds = [LEVELS if table.columns[s.column].kind == "nominal" else CUTS for s, _, _ in wanted]
    assert found.kind.tolist() == kinds
    assert found.operands.tolist() == [x for s, _, _ in wanted for x in s.operands]
    assert found.flipped.tolist() == [s.flipped for s, _, _ in wanted]
    np.testing.assert_allclose(found.agreement, [agreement for _, agreement, _ in wanted])
    np.testing.assert_allclose(found.adjusted, [adjusted for _, _, adjusted in wanted])
    check_routes(missing, seen, tree, [s for s, _, _ in wanted])


def check_routes(missing: Surrogate, table: Table, tree: Tree, wanted: list[StandIn]) -> None:
    """Every training row is where its own value, a surrogate or the greater branch sends it."""
    own = int(tree.column[0])
    sent = np.array([asked(tree, 0, v) for v in table.cells[own]])
    left, right = weight_of(table, sent == 0), weight_of(table, sent == 1)
    greater = int(right > left)
    if missing.as_rpart and left == right:
        greater = STAY
    to = sent.copy()
    for row in np.flatnonzero(sent == NOWHERE):
        for s in wanted:
            nominal = table.columns[s.column].kind == "nominal"
            to[row] = s.branch(nominal, table.cells[s.column, row])
            if to[row] != NOWHERE:
                break
        else:
            to[row] = greater
    assert tree.rows[1:].tolist() == [(to == 0).sum(), (to == 1).sum()]
    np.testing.assert_allclose(tree.weight[1:], [weight_of(table, to == b) for b in (0, 1)])
    reached = ends(tree, table).node
    if not missing.as_rpart:
        assert reached.tolist() == (to + 1).tolist()


def weight_sums(tree: Tree) -> Floats:
    return np.asarray(tree.sum_over_children(tree.weight))


@examples(40)
@given(table=ANY_TABLE, missing=st.sampled_from(SETTINGS))
def test_compiled_and_interpreted_search_find_the_same_surrogates(
    table: Table, missing: Surrogate
) -> None:
    if missing.as_rpart and np.isnan(table.cells).all():
        return
    deep = {"stop": (Pure(), MaxDepth(4))}
    interpreted = one_test(missing, table, **deep)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growth, "SMALL", -1)
        expect_same_tree(one_test(missing, table, **deep), interpreted, "compiled")


@examples(40)
@given(table=ANY_TABLE)
def test_no_row_is_lost_below_a_test_with_surrogates(table: Table) -> None:
    tree = one_test(Surrogate(), table, stop=(Pure(), MaxDepth(4)))
    inner = ~tree.is_leaf
    np.testing.assert_allclose(weight_sums(tree)[inner], tree.weight[inner])
