"""`python -m benchmarks`: contests, or `setup` or `profile` by their own files."""

from __future__ import annotations

import sys
from importlib import import_module


def main(words: list[str]) -> int:
    # Each imports what it needs: `setup` runs where nothing is installed yet.
    alone = {"setup": "setting_up", "profile": "profiling"}
    name = alone.get(words[0] if words else "", "command")
    return int(import_module(f"benchmarks.{name}").main(words))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
