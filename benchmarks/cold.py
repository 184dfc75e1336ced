"""What a process costs that has just begun: the command line, and the first compiled fit."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial

from benchmarks.contest import Row
from benchmarks.options import Options
from benchmarks.timing import interleaved

HELP = (sys.executable, "-m", "treekit", "--help")
TENNIS = (sys.executable, "-m", "treekit", "fit", "c45", "tennis", "--quiet")
COMPILED = (
    sys.executable,
    "-c",
    "from benchmarks.data import two_classes; from benchmarks.programs.ours import plain_tree;"
    "from treekit.fitting import fit_table; fit_table(plain_tree(2), two_classes(2000).fresh())",
)
WORKS = {
    "treekit --help": ("the whole process", HELP),
    "treekit fit c45 tennis": ("the whole process, 14 rows", TENNIS),
    "first compiled fit": ("a process that imports treekit and fits 2,000 x 20", COMPILED),
}


def cold(options: Options) -> Iterator[Row]:
    """Each first with nothing compiled before, then again."""
    turns = 1 if options.quick else options.repeats
    for name, (what, words) in WORKS.items():
        if options.quick and words is COMPILED:  # compiling takes as long as all the rest
            continue
        with tempfile.TemporaryDirectory() as cache:
            options.tell(name)
            first = interleaved({name: partial(process, words, cache)}, 1)[name].least
            again = interleaved({name: partial(process, words, cache)}, turns)[name]
        yield Row(name, "treekit, the first time", first, ratio=first / again.least, title=what)
        yield Row(name, "treekit, again", again.least, spread=again.spread, ratio=1.0)


def process(words: tuple[str, ...], cache: str) -> None:
    """Run a process to its end, what numba compiles being kept in a folder."""
    environment = os.environ | {"NUMBA_CACHE_DIR": cache}
    subprocess.run(words, check=True, capture_output=True, env=environment)
