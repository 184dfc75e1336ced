"""Decision graphs: a tree whose equal subtrees are one (Oliver 1993; Bryant 1986).

Where all paths ask the columns in the same order, that is a reduced ordered decision diagram.
"""

from treekit.graph.merging import BY, By, merged
from treekit.graph.record import Graph
from treekit.graph.routing import graph_answers

__all__ = ["BY", "By", "Graph", "graph_answers", "merged"]
