"""Time treekit beside its peers and print a Markdown table of ratios."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator

from benchmarks.contest import Row
from benchmarks.forest import forest
from benchmarks.options import Options
from benchmarks.printing import HEADING, heading, line, titles
from benchmarks.programs import peers
from benchmarks.small import small
from benchmarks.trees import d1, d2, d3, d5

Family = Callable[[Options], Iterator[Row]]

FAMILIES: dict[str, Family] = {
    "D1": d1, "D2": d2, "D3": d3, "D5": d5, "forest": forest, "small": small,
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("what", nargs="*", help=f"some of {', '.join(FAMILIES)}; all unless given")
    parser.add_argument("--quick", action="store_true", help="fewer rows and repeats")
    parser.add_argument("--repeats", type=int, default=None)
    asked = parser.parse_args()
    for word in asked.what:
        if word not in FAMILIES:
            parser.error(f"there is no {word!r}; there are {', '.join(FAMILIES)}")
    options = Options(asked.quick, asked.repeats or (2 if asked.quick else 4), tuple(peers()))
    print(heading(options.peers), HEADING, sep="\n\n")
    rows = []
    for word in asked.what or FAMILIES:
        for row in FAMILIES[word](options):
            print(line(row), flush=True)
            rows.append(row)
    print("", *titles(rows), sep="\n")
    return int(any(row.fails for row in rows))


if __name__ == "__main__":
    sys.exit(main())
