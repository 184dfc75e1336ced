"""Reports of a comparison: tables, plots, and a page with all of them.

results + analyses + about -> one file by its ending, or a folder
"""

from treekit.reporting.about import About, Curve, DataFacts, about_plan, curves_of
from treekit.reporting.latex import latex_table, latex_tables
from treekit.reporting.page import html_page
from treekit.reporting.plots import (
    Plot,
    folds_figure,
    learning_figure,
    plots_of,
    ranks_figure,
    size_figure,
    wins_figure,
)
from treekit.reporting.tables import figures_table, folds_table, pairs_table, ranks_table
from treekit.reporting.writing import FORMATS, check_name, check_report, write_report

__all__ = [
    "FORMATS",
    "About",
    "Curve",
    "DataFacts",
    "Plot",
    "about_plan",
    "check_name",
    "check_report",
    "curves_of",
    "figures_table",
    "folds_figure",
    "folds_table",
    "html_page",
    "latex_table",
    "latex_tables",
    "learning_figure",
    "pairs_table",
    "plots_of",
    "ranks_figure",
    "ranks_table",
    "size_figure",
    "wins_figure",
    "write_report",
]
