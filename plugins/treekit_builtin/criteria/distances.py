"""Criteria that measure how far the branches or the classes lie apart. They need no impurity."""

from __future__ import annotations

import math
from typing import ClassVar

from attrs import frozen

from treekit import Floats, row_form


@frozen
class Twoing:
    """pL * pR / 4 * (sum of |p(j|L) - p(j|R)|)^2 over the classes j (Breiman et al. 1984, 4.3.2).

    It is the greatest gain on p * (1 - p) among all ways to make two classes of many. The source
    has two branches. Of more, every two are set against each other and the figures are added up;
    for two classes that is again the gain on p * (1 - p), half of Gini's.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    @row_form
    @staticmethod
    def score(parent: Floats, branches: Floats, before: float, after: Floats) -> float:
        weight: float = parent[0]
        found: float = 0.0
        for a in range(branches.shape[0]):
            for b in range(a):
                one: float = branches[a, 0]
                other: float = branches[b, 0]
                if one > 0.0 and other > 0.0:
                    apart: float = 0.0
                    for c in range(1, parent.shape[0]):
                        apart += abs(branches[a, c] / one - branches[b, c] / other)
                    found += one * other * apart * apart / (4.0 * weight * weight)
        return found


@frozen
class KolmogorovSmirnov:
    """The greatest distance of two classes' distributions over the branches (Friedman 1977).

    Of a cut it is Kolmogorov and Smirnov's |F1 - F2| at the cut. Branches have no order, so of more
    than two it is the distance over the union of branches that makes it greatest: half the sum of
    the differences. Of more than two classes, the one that is farthest from the rest counts. It
    does not change with the weight of a class.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    @row_form
    @staticmethod
    def score(parent: Floats, branches: Floats, before: float, after: Floats) -> float:
        weight: float = parent[0]
        greatest: float = 0.0
        for c in range(1, parent.shape[0]):
            own: float = parent[c]
            rest: float = weight - own
            # Less than this is what rounding left.
            if min(own, rest) > 1e-12 * weight:
                apart: float = 0.0
                for k in range(branches.shape[0]):
                    others: float = branches[k, 0] - branches[k, c]
                    apart += abs(branches[k, c] / own - others / rest)
                greatest = max(greatest, apart / 2.0)
        return greatest


@frozen
class Hellinger:
    """Hellinger distance between two classes' shares of the branches (Cieslak and Chawla 2008).

    It does not change with the weight of a class, so it suits skewed classes: 0 where the branches
    tell nothing, the root of 2 where they tell all. Of more than two classes, each is set against
    the rest and the greatest distance counts, as in Hoens et al. 2012, who also set groups of
    classes against the rest.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    @row_form
    @staticmethod
    def score(parent: Floats, branches: Floats, before: float, after: Floats) -> float:
        weight: float = parent[0]
        greatest: float = 0.0
        for c in range(1, parent.shape[0]):
            own: float = parent[c]
            rest: float = weight - own
            # Less than this is what rounding left.
            if min(own, rest) > 1e-12 * weight:
                apart: float = 0.0
                for k in range(branches.shape[0]):
                    others: float = max(branches[k, 0] - branches[k, c], 0.0)
                    root: float = math.sqrt(branches[k, c] / own) - math.sqrt(others / rest)
                    apart += root * root
                greatest = max(greatest, apart)
        return math.sqrt(greatest)
