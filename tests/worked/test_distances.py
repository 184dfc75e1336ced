"""Deck 001: Minkowski's distance is Manhattan's, Euclid's and Chebyshev's; below 1 it is none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from treekit_builtin.labels import Knn

from treekit.leaf_models import nearest, neighbours
from treekit.table.record import Column, Schema, Table

PLANE = Schema((Column("x", "numeric"), Column("y", "numeric")), Column("z", "numeric"))


def distance(p: float) -> float:
    """From (0, 0) to (3, 4)."""
    place = Table(PLANE, np.array([[3.0], [4.0]]), np.zeros(1))
    members = [(np.zeros(1, np.int64), np.ones(1))]
    models = neighbours(place, members, 1, p, np.zeros(2), np.ones(2))
    return float(nearest(models, Table(PLANE, np.zeros((2, 1))), 0, 0).distance[0])


@pytest.mark.parametrize(
    ("p", "away"),
    [(1.0, 7.0), (2.0, 5.0), (3.0, 91 ** (1 / 3)), (500.0, 4.0), (math.inf, 4.0)],
)
def test_the_distances_of_the_deck(p: float, away: float) -> None:
    assert distance(p) == pytest.approx(away)


def test_below_1_it_is_an_error() -> None:
    with pytest.raises(ValueError, match="no norm"):
        Knn(p=0.5)
