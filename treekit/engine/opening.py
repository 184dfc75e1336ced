"""How nodes are opened: the children of split nodes get the cases that are sent to them."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from attrs import evolve, frozen

from treekit.engine.batch import Batch
from treekit.engine.cases import Cases
from treekit.engine.choosing import Choosing
from treekit.engine.chosen import SPLIT
from treekit.engine.division import divided, with_surrogates
from treekit.engine.drawing import Keys, child_keys
from treekit.engine.sample import Sample, is_pure
from treekit.engine.sending import Splits, carry, settle, take_branches
from treekit.offers import Nodes
from treekit.table.record import Bools, Floats, Ints
from treekit.tree import Int32s, Surrogates


@frozen(eq=False)
class Opening:
    """A recipe's strategies, and the sample that nodes are opened of."""

    choosing: Choosing
    sample: Sample

    @cached_property
    def once(self) -> Bools:
        """Which columns may not be asked about again below a node that did."""
        columns = self.sample.table.columns
        once = np.zeros(len(columns), dtype=bool)
        for splitter, served in self.choosing.groups:
            if hasattr(splitter, "asked_once"):
                once[served] = [splitter.asked_once(columns[c]) for c in served]
        return once

    def nodes(
        self, stats: Floats, rows: Ints, depth: Ints, used: Bools, keys: Keys, cases: Cases
    ) -> Batch:
        """New nodes without numbers, and which of them are leaves at once."""
        nodes = Nodes(
            stats=stats,
            rows=rows,
            depth=depth,
            impurity=self.choosing.scoring.impurity_of(stats, cases.compiled),
            pure=is_pure(stats, rows, self.sample, cases.compiled),
            columns_left=(~used).sum(axis=1),
            sample=self.sample.stats,
        )
        none = np.zeros(len(rows), np.int64)
        return Batch(none - 1, nodes, self.choosing.stopped_before(nodes), none, used, keys, cases)

    def children(self, batch: Batch, split: Ints) -> tuple[Batch, Int32s, Surrogates | None]:
        """Send the cases of the split nodes to their children, which are not numbered yet.

        Answers with them where unknown values go in queries, and the tests that stand in for the
        nodes' own.
        """
        nodes, chosen, missing = batch.nodes, batch.choice, self.choosing.parts.missing
        n_children = chosen.n_branches[split]
        splits = Splits(
            start=batch.start[split],
            stop=batch.stop[split],
            kind=chosen.kind[split],
            column=chosen.column[split],
            operands=chosen.operands,
            operand_start=np.append(chosen.operand_start[split], len(chosen.operands)),
            first_child=np.cumsum(n_children) - n_children,
            n_children=n_children,
        )
        taken = take_branches(batch.cases, splits)
        owner = splits.owner
        surrogates = None
        if hasattr(missing, "surrogates"):
            division = divided(nodes.only(split), batch.cases, splits, taken)
            surrogates = with_surrogates(missing, division, splits, taken)
        unknown = np.asarray(missing.destination(owner, taken.known_weight, len(split)), np.int32)
        toward = chosen.toward[split]
        destination = np.where(toward >= 0, toward, unknown[:, None]).astype(np.int32)
        settled = settle(batch.cases, splits, taken, destination)
        used = batch.used[split]
        used[np.arange(len(split)), splits.column] |= self.once[splits.column]
        branch = np.arange(len(owner)) - splits.first_child[owner]
        below = self.nodes(
            settled.stats,
            settled.count,
            nodes.depth[split][owner] + 1,
            used[owner],
            child_keys(batch.keys[split], owner, branch, batch.cases.compiled),
            batch.cases,
        )
        cases, start = carry(batch.cases, splits, taken, settled, below.reason == SPLIT)
        below = evolve(below, cases=cases, start=start)
        if hasattr(missing, "query_destination"):
            asked = missing.query_destination(owner, taken.known_weight, settled.count, len(split))
            return below, np.asarray(asked, np.int32), surrogates
        return below, destination[:, 0], surrogates
