"""Criteria that measure classes and branches in bits. They need no impurity."""

from __future__ import annotations

import math
from typing import ClassVar

from attrs import frozen

from treekit import Floats, row_form


@frozen
class NormalisedGain:
    """Gain in bits per bit of class and branch together (Lopez de Mantaras 1991).

    It is 1 minus the normalised distance between the partition into classes and that into
    branches: 0 where they are independent, 1 where they are the same. The entropies belong to
    the definition, whatever the recipe's impurity.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    @row_form
    @staticmethod
    def score(parent: Floats, branches: Floats, before: float, after: Floats) -> float:
        # With f(n) = n log n, W times an entropy is f(W) less the sum of f over its parts.
        weight: float = parent[0]
        if weight <= 0.0:
            return 0.0
        of_classes: float = 0.0
        for c in range(1, parent.shape[0]):
            if parent[c] > 0.0:
                of_classes += parent[c] * math.log2(parent[c])
        of_branches: float = 0.0
        of_both: float = 0.0
        for k in range(branches.shape[0]):
            if branches[k, 0] > 0.0:
                of_branches += branches[k, 0] * math.log2(branches[k, 0])
            for c in range(1, parent.shape[0]):
                if branches[k, c] > 0.0:
                    of_both += branches[k, c] * math.log2(branches[k, c])
        whole: float = weight * math.log2(weight)
        joint: float = whole - of_both
        if joint <= 1e-12 * weight:  # one class in one branch
            return 0.0
        return max(0.0, whole - of_classes - of_branches + of_both) / joint


@frozen
class MdlGain:
    """Bits per row saved by coding the classes by branch (Quinlan and Rivest 1989; Kononenko 1995).

    A list of n classes is sent as the number of each class and then which list of these numbers it
    is: log2 of (n+C-1 choose C-1) and of n! / (c1! ... cC!) bits, C being the classes that the
    node holds. For two classes this is Quinlan and Rivest's L(n, c, n), for more it is
    Kononenko's. The score is what the node's list costs less what the branches' lists cost: 0 or
    less where a split does not pay for itself, so the stop `min_gain` keeps those from being
    made. What it costs to name the column and the cut is not charged here.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    @row_form
    @staticmethod
    def score(parent: Floats, branches: Floats, before: float, after: Floats) -> float:
        # The two parts of a list's cost add up to log of (n+C-1)! / ((C-1)! c1! ... cC!).
        weight: float = parent[0]
        if weight <= 0.0:
            return 0.0
        classes: float = 0.0
        for c in range(1, parent.shape[0]):
            if parent[c] > 0.0:
                classes += 1.0
        saved: float = math.lgamma(weight + classes) - math.lgamma(classes)
        for c in range(1, parent.shape[0]):
            saved -= math.lgamma(parent[c] + 1.0)
        for k in range(branches.shape[0]):
            saved -= math.lgamma(branches[k, 0] + classes) - math.lgamma(classes)
            for c in range(1, parent.shape[0]):
                saved += math.lgamma(branches[k, c] + 1.0)
        return saved / (weight * math.log(2.0))
