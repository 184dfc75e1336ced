"""The command line. Nothing here is imported by the rest of treekit.

`app` is the program and how it ends, `options` what several commands take, `output` what they
print, and each other module is one command.
"""

from __future__ import annotations

from treekit.cli.app import main

__all__ = ["main"]
