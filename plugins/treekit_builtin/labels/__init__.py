"""Labels: what a leaf answers.

A node that no row reaches has no rows of its own to answer from: its parent answers for it.
"""

from .costs import MinimumCost
from .knn import Knn
from .linear import Linear
from .naive_bayes import NaiveBayes
from .nodes import who_answers
from .numbers import Mean, Median
from .shares import Frequencies, Laplace, Majority, MEstimate

__all__ = [
    "Frequencies",
    "Knn",
    "Laplace",
    "Linear",
    "MEstimate",
    "Majority",
    "Mean",
    "Median",
    "MinimumCost",
    "NaiveBayes",
    "who_answers",
]
