"""Metrics: how good a model's answers are on a table, and how large it is.

Each is a small function, registered by name in `METRICS`. Rows count by their weights.
"""

from treekit.metrics.answered import Answered
from treekit.metrics.catalogue import METRICS, Metric, measured, metric, metric_names, of_answers

__all__ = ["METRICS", "Answered", "Metric", "measured", "metric", "metric_names", "of_answers"]
