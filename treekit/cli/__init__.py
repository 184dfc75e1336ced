"""The command line. Nothing here is imported by the rest of treekit.

`app` is the program and how it ends, `options` what several commands take, `output` what they
print, `wording` how they name what the library names, and most other modules are one command.
"""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """The entry point of the `treekit` script."""
    try:
        from treekit.cli import app
    except KeyboardInterrupt:
        # Ctrl-C before the program could begin ends like any other.
        sys.exit(130)
    app.main()
