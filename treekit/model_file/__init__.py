"""The model file: one versioned JSON document, never pickle. Loading runs no code.

    {"format": "treekit model", "version": 3, "versions": {...}, "seed": 0,
     "recipe": {...}, "schema": {...}, "tree_weights": [...],
     "combination": {"rule": "sum", "base": [], "outputs": []}, "facts": {...},
     "trees": [TREE, ...], "checksum": "sha256 ..."}

The combination is that of `treekit.combining`, and facts are numbers by name; a file older than
version 3 has neither, and its trees' answers are added up. A TREE holds flat lists, its nodes in
level order, the children of a node side by side:

    centre, reasons     as in `treekit.tree.Tree`
    children            per node: how many children, 0 at a leaf; the rest of the shape follows
    rows                per node
    stats, answers      per node a row, end to end
    reason              per leaf: an index into reasons, or -1
    kind, column, unknown, score
                        per test (inner node): as in Tree; a score of null is unknown
    operand_count       per test: how many of the operands are its own
    operands            all tests' operands, end to end

and, where the tree has them (from version 2 on):

    leaf_models         {link, constant, term_count, column, kind, centre, coefficient_count,
                        coefficients}: as in `treekit.leaf_models.Additive`, with counts for what
                        begins where: terms per node, and coefficients per term
    neighbours          instead of leaf_models, from version 3 on: {k, p, centre, scale, cells,
                        target, row_count, row, weight}: as in `treekit.leaf_models.Neighbours`,
                        with counts likewise: rows per node; p may be "inf", a cell of null is
                        unknown
    surrogates          {use, count, column, kind, operand_count, operands, flipped, agreement,
                        adjusted}: as in `treekit.tree.Surrogates`, with counts likewise: per
                        test, and per surrogate; use is asked or shown

The checksum is over what the document says, not over its spelling. It may be left out.
"""

from treekit.model_file.layout import FORMAT, VERSION, Parts
from treekit.model_file.reading import parse, read
from treekit.model_file.writing import document, write

__all__ = ["FORMAT", "VERSION", "Parts", "document", "parse", "read", "write"]
