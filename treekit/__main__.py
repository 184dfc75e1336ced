"""`python -m treekit` is `treekit`."""

from treekit.cli import main

main()
