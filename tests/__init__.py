"""treekit, specified."""
