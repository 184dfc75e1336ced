"""Plots: what is to be seen is computed here with NumPy alone, and drawn with matplotlib."""

from treekit.plots.choosing import Chosen, chosen
from treekit.plots.impurity import impurity_figure
from treekit.plots.measuring import Measured, as_data, impurity_curve, impurity_simplex, measured
from treekit.plots.saving import FORMATS, check_format, save
from treekit.plots.style import check_can_draw

__all__ = [
    "FORMATS",
    "Chosen",
    "Measured",
    "as_data",
    "check_can_draw",
    "check_format",
    "chosen",
    "impurity_curve",
    "impurity_figure",
    "impurity_simplex",
    "measured",
    "save",
]
