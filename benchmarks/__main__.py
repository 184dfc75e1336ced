"""`python -m benchmarks`: contests, or `setup` or `profile` by their own files."""

from __future__ import annotations

import sys


def main(words: list[str]) -> int:
    # Each imports what it needs: `setup` runs where nothing is installed yet.
    if words[:1] == ["setup"]:
        from benchmarks.setting_up import main as run
    elif words[:1] == ["profile"]:
        from benchmarks.profiling import main as run
    else:
        from benchmarks.command import main as run
    return run(words)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
