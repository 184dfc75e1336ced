"""The plots of a comparison, drawn with matplotlib in treekit's style."""

from treekit.reporting.plots.folds import folds_figure
from treekit.reporting.plots.learning import learning_figure
from treekit.reporting.plots.listing import KINDS, Plot, plots_of
from treekit.reporting.plots.ranks import ranks_figure
from treekit.reporting.plots.size import front, size_figure
from treekit.reporting.plots.wins import wins, wins_figure

__all__ = [
    "KINDS",
    "Plot",
    "folds_figure",
    "front",
    "learning_figure",
    "plots_of",
    "ranks_figure",
    "size_figure",
    "wins",
    "wins_figure",
]
