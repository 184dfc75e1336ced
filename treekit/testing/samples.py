"""Made-up statistics, tables and nodes from fixed seeds, for the laws to try a strategy on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from attrs import evolve

from treekit.offers import Nodes, Offers, Tests
from treekit.table.record import KINDS, Column, Floats, Ints, Kind, Schema, Table, Task
from treekit.tree import CUTS

CLASSES = 3


def random_stats(task: str, n: int = 200, seed: int = 0) -> Floats:
    """[n, S]: statistics of nodes, some of one row, of whole and of fractional weights."""
    rng = np.random.default_rng(seed)
    if task == "classification":
        counts = rng.integers(0, 30, (n, CLASSES)).astype(np.float64)
        counts *= rng.random((n, CLASSES)) < 0.7
        counts[::2] *= rng.random((len(counts[::2]), CLASSES))
        counts[counts.sum(axis=1) == 0.0, 0] = 1.0
        return np.asarray(np.column_stack([counts.sum(axis=1), counts]))
    members = rng.integers(1, 9, n)
    inside = np.arange(8) < members[:, None]
    weight = inside * np.where(np.arange(n)[:, None] % 2, 1.0, rng.uniform(0.1, 2.0, (n, 8)))
    y = rng.normal(size=(n, 8)) * 10.0 ** rng.integers(-2, 3, (n, 1))
    return np.asarray(np.stack([weight, weight * y, weight * y * y], axis=-1).sum(axis=1))


def pure_stats(task: str, n: int = 60, seed: int = 0) -> Floats:
    """[n, S]: statistics of nodes whose target values are all the same."""
    rng = np.random.default_rng(seed)
    weight = np.where(np.arange(n) % 2, rng.integers(1, 50, n), rng.uniform(0.01, 50.0, n))
    if task == "classification":
        return np.column_stack([weight, weight[:, None] * np.eye(CLASSES)[np.arange(n) % CLASSES]])
    y = rng.normal(size=n)
    return np.column_stack([weight, weight * y, weight * y * y])


def random_branches(task: str, k: int, n: int = 100, seed: int = 0) -> Floats:
    """[n, k, S]: the branches of splits, some of them empty, never all."""
    rng = np.random.default_rng(seed)
    branches = random_stats(task, n * k, seed).reshape(n, k, -1)
    empty = rng.random((n, k)) < 0.25
    empty[np.arange(n), rng.integers(0, k, n)] = False
    return np.where(empty[..., None], 0.0, branches)


def random_offers(seed: int = 0, n: int = 60) -> Offers:
    """Offers of five columns to n nodes, many of them none; the first node is offered nothing."""
    rng = np.random.default_rng(seed)
    score = rng.uniform(0.0, 1.0, (n, 5))
    score[rng.random(score.shape) < 0.3] = -np.inf
    score[0] = -np.inf
    information = np.where(rng.random(score.shape) < 0.1, 0.0, rng.uniform(0.1, 2.0, score.shape))
    tests = tuple(Tests(CUTS, np.zeros((n, 1)), np.full(n, 2, np.int64)) for _ in range(5))
    n_levels = np.array([0, 3, 0, 40, 2], np.int64)
    tries = np.ones(score.shape, np.int64)
    return Offers(np.arange(5), score, information, tests, tries, n_levels, 100)


def offers_to(offers: Offers, node: int) -> Offers:
    """The offers to one of the nodes alone."""
    one = slice(node, node + 1)
    tests = [
        evolve(t, operands=t.operands[one], n_branches=t.n_branches[one]) for t in offers.tests
    ]
    return evolve(
        offers, score=offers.score[one], split_info=offers.split_info[one], tests=tuple(tests)
    )


def random_nodes(task: str, n: int = 60, seed: int = 0) -> Nodes:
    """A batch of open nodes of all sizes and depths, some of them pure."""
    rng = np.random.default_rng(seed)
    stats = np.concatenate([random_stats(task, n - n // 3, seed), pure_stats(task, n // 3, seed)])
    pure = np.arange(n) >= n - n // 3
    return Nodes(
        stats=stats,
        rows=np.ceil(stats[:, 0]).astype(np.int64),
        depth=rng.integers(0, 12, n),
        impurity=np.where(pure, 0.0, rng.uniform(0.01, 1.0, n)),
        pure=pure,
        columns_left=rng.integers(0, 4, n),
        sample=stats.sum(axis=0),
    )


# --- tables --------------------------------------------------------------------------------------


def sample_table(
    task: str,
    kinds: Sequence[Kind] = KINDS,
    *,
    rows: int = 30,
    unknown: bool = False,
    weighted: bool = False,
    classes: int = CLASSES,
    seed: int = 0,
) -> Table:
    """A noisy table with four columns of each kind, the third constant.

    With `unknown`, some values are not known, and of the fourth column none is.
    """
    rng = np.random.default_rng(seed)
    columns: list[Column] = []
    cells: list[Floats] = []
    for kind in kinds:
        for number, levels in enumerate((6, 3, 4, 2)):
            name = f"{kind}{number}"
            if kind == "numeric":
                columns.append(Column(name, kind))
                values = rng.normal(size=rows) if number != 1 else rng.integers(0, 5, rows)
            else:
                columns.append(Column(name, kind, tuple("abcdef"[:levels])))
                values = rng.integers(0, levels, rows)
            cells.append(np.asarray(values if number != 2 else np.ones(rows), dtype=np.float64))
    table = np.array(cells)
    signal = sum((values - values.mean()) / (values.std() or 1.0) for values in table[::4])
    signal = np.asarray(signal) + rng.normal(scale=0.3, size=rows)
    if unknown:
        table[rng.random(table.shape) < 0.15] = np.nan
        table[3::4] = np.nan
    target, y = _target(task, signal, classes)
    weights = rng.choice([0.5, 1.0, 2.0], rows) if weighted else None
    return Table(Schema(tuple(columns), target), table, y, weights, "a sample table")


def _target(task: str, signal: Floats, classes: int) -> tuple[Column, Floats]:
    if task == "regression":
        return Column("y", "numeric"), np.round(signal + 3.0, 2)
    edges = np.quantile(signal, np.arange(1, classes) / classes)
    levels = tuple(f"class {i}" for i in range(classes))
    return Column("y", "nominal", levels), np.searchsorted(edges, signal).astype(np.float64)


def sample_tables(task: Task | str, kinds: Sequence[Kind] = KINDS) -> Iterator[Table]:
    """Tables with and without unknown values and weights, of two and of three classes."""
    yield sample_table(task, kinds, seed=1)
    yield sample_table(task, kinds, unknown=True, classes=2, seed=2)
    yield sample_table(task, kinds, unknown=True, weighted=True, seed=3)


def random_family(n: int = 40, seed: int = 0) -> tuple[Ints, Floats]:
    """Branches end to end, two to four of each of n nodes: their owner and known weight."""
    rng = np.random.default_rng(seed)
    owner = np.repeat(np.arange(n), rng.integers(2, 5, n))
    weight = rng.choice([0.0, 0.5, 1.0, 3.0], len(owner))
    weight[np.searchsorted(owner, np.arange(n)) + 1] = 2.0
    return owner, weight
