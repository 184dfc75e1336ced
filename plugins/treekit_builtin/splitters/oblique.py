"""Tests on sums of columns, for boundaries that no single column follows."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from attrs import field, frozen, validators

from treekit import Floats, Ints, Kind, Offers, Search

from .directions import discriminants, least_squares, logistic, random_signs, random_uniform
from .sums import Points, offer_sums

DRAWN = {"uniform": random_uniform, "signs": random_signs}


def _most() -> Any:
    return field(default=12, validator=[validators.ge(1), validators.le(10_000)])


def _ridge(default: float) -> Any:
    return field(default=default, validator=[validators.gt(0.0), validators.le(1e6)])


@frozen
class ObliqueLda:
    """Cuts along discriminant directions of each node (Loh and Vanichsetakul 1988).

    The directions along which the class means lie furthest apart, by the scatter within the
    classes: one of two classes, classes - 1 of more. Every cut along them is weighed by the
    recipe's criterion, and the best is offered. Columns count in units of their spread in the
    node; constant ones are left out, and an unknown value counts as the mean while a direction is
    sought. A node with no more rows than columns is offered no sum. Coefficients have four digits;
    columns that weigh less than a fiftieth of the weightiest are left out.

    ridge: what is added to each column's variance within the classes, which is 1 at most, so
        that columns that depend on one another do no harm.
    most: how many columns a sum may have; the weightiest are kept.
    cuts: offer the cuts of single columns, too.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric", "ordinal")
    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    ridge: float = _ridge(1e-6)
    most: int = _most()
    cuts: bool = True

    def offer(self, search: Search, columns: Ints) -> Offers:
        def find(points: Points) -> Floats:
            return discriminants(points, self.ridge)

        return offer_sums(search, columns, find, self.most, self.cuts)


@frozen
class ObliqueLogistic:
    """Cuts along the directions of logistic regressions in each node (Truong 2009).

    Of two classes one regression; of more, one of each class against the rest. Every cut along
    them is weighed by the recipe's criterion, and the best is offered. Columns count in units of
    their spread in the node; constant ones are left out, and an unknown value counts as the mean
    while a direction is sought. A node with no more rows than columns is offered no sum.
    Coefficients have four digits; columns that weigh less than a fiftieth of the weightiest are
    left out.

    ridge: the penalty on half the sum of squared coefficients, next to the weighted log loss.
    most: how many columns a sum may have; the weightiest are kept.
    cuts: offer the cuts of single columns, too.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric", "ordinal")
    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    ridge: float = _ridge(0.01)
    most: int = _most()
    cuts: bool = True

    def offer(self, search: Search, columns: Ints) -> Offers:
        def find(points: Points) -> Floats:
            return logistic(points, self.ridge)

        return offer_sums(search, columns, find, self.most, self.cuts)


@frozen
class ObliqueLeastSquares:
    """Cuts along the direction of a least-squares fit in each node (Breiman et al. 1984, 5.2).

    Every cut along it is weighed by the recipe's criterion, and the best is offered. Columns count
    in units of their spread in the node; constant ones are left out, and an unknown value counts
    as the mean while the direction is sought. A node with no more rows than columns is offered no
    sum. Coefficients have four digits; columns that weigh less than a fiftieth of the weightiest
    are left out.

    ridge: what is added to each column's variance, which is 1, so that columns that depend on
        one another do no harm.
    most: how many columns a sum may have; the weightiest are kept.
    cuts: offer the cuts of single columns, too.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric", "ordinal")
    tasks: ClassVar[tuple[str, ...]] = ("regression",)

    ridge: float = _ridge(1e-6)
    most: int = _most()
    cuts: bool = True

    def offer(self, search: Search, columns: Ints) -> Offers:
        def find(points: Points) -> Floats:
            return least_squares(points, self.ridge)

        return offer_sums(search, columns, find, self.most, self.cuts)


@frozen
class RandomProjections:
    """Cuts along directions drawn at random (Breiman 2001, section 5; Tomita et al. 2020).

    Every cut along them is weighed by the recipe's criterion, and the best is offered. Columns
    count in units of their spread in the node; constant ones are left out. The same seed draws the
    same directions. Coefficients have four digits.

    draws: how many directions are drawn in a node.
    columns: how many columns a sum has, all if there are fewer.
    coefficients: "uniform" between -1 and 1, as Breiman draws them, or "signs", -1 or 1, as
        Tomita et al. do.
    cuts: offer the cuts of single columns, too.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric", "ordinal")

    draws: int = field(
        default=10, validator=[validators.ge(1), validators.le(1000)], metadata={"example": 3}
    )
    columns: int = field(default=3, validator=[validators.ge(1), validators.le(1000)])
    coefficients: Literal["uniform", "signs"] = field(
        default="uniform", validator=validators.in_(tuple(DRAWN))
    )
    cuts: bool = False

    def offer(self, search: Search, columns: Ints) -> Offers:
        drawn = DRAWN[self.coefficients]

        def find(points: Points) -> Floats:
            return drawn(search.rng, self.draws, self.columns, len(points.columns))

        return offer_sums(search, columns, find, self.columns, self.cuts)
