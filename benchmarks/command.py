"""Time treekit beside its peers, compare their answers and print a Markdown table of ratios."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches

from benchmarks import (
    boosting,
    cold,
    comparison,
    cost,
    files,
    forest,
    optimal,
    predict,
    small,
    threads,
    trees,
)
from benchmarks import unknowns as with_unknowns
from benchmarks.contest import Row
from benchmarks.options import NotHere, Options
from benchmarks.printing import HEADING, as_data, line, machine, titles
from benchmarks.programs import Peer, peer_names, peers
from benchmarks.timing import Tell, silent

Family = Callable[[Options], Iterator[Row]]

FAMILIES: dict[str, Family] = {
    "D1": trees.d1,
    "D2": trees.d2,
    "D3": trees.d3,
    "D4": with_unknowns.d4,
    "D5": trees.d5,
    "D6": with_unknowns.d6,
    "forest": forest.forest,
    "boosting": boosting.boosting,
    "threads": threads.threads,
    "predict": predict.predict,
    "small": small.small,
    "files": files.files,
    "optimal": optimal.optimal,
    "compare": comparison.compare,
    "cost": cost.cost,
    "cold": cold.cold,
}
REPORTS = ("adaboost",)  # accuracies only, in a table of their own: run when named
HELP = f"""some of {", ".join(FAMILIES)}; all of them unless given. Also adaboost: accuracies by ten
folds. Alone: setup, which installs the peers, and profile, which tells where the time goes"""


def main(words: Sequence[str]) -> int:
    """Run what the words ask for; 1 if answers were not what they must be, 2 for a wrong word."""
    parser = parser_of()
    asked = parser.parse_args(words)
    known = [*FAMILIES, *REPORTS]
    for word in asked.what:
        if word in ("setup", "profile"):
            parser.error(f"{word!r} is run alone: python -m benchmarks {word}")
        if word not in known:
            parser.error(unknown("work", word, known))
    names = peer_names()
    for name in asked.peers or ():
        if name not in names:
            parser.error(unknown("peer", name, names))
    if asked.repeats is not None and asked.repeats < 1:
        parser.error(f"--repeats must be 1 or more. Got {asked.repeats} instead")
    chosen = peers(asked.peers or names)
    repeats = asked.repeats or (2 if asked.quick else 4)
    options = Options(asked.quick, repeats, tuple(chosen), progress())
    return run(asked.what or list(FAMILIES), options, asked.json)


def parser_of() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        epilog="Example: python -m benchmarks D1 D3 forest --quick --peers scikit-learn,snapml",
    )
    parser.add_argument("what", nargs="*", help=HELP)
    parser.add_argument("--quick", action="store_true", help="fewer rows, trees and repeats")
    parser.add_argument("--repeats", type=int, help="of each contest: 4 unless given, 2 if quick")
    parser.add_argument("--peers", type=lambda text: text.split(","), help="only these, by commas")
    parser.add_argument("--json", action="store_true", help="data instead of tables")
    return parser


def unknown(kind: str, word: str, known: Sequence[str]) -> str:
    """What is said of a word that means nothing."""
    alike = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), alike, 1)
    hint = f"did you mean {alike[near[0]]!r}? " if near else ""
    return f"there is no {kind} {word!r}; {hint}There are {', '.join(known)}"


def run(what: Sequence[str], options: Options, as_json: bool = False) -> int:
    """Run families, printing rows as they come; 1 if answers were not what they must be."""
    left_out = missing(options.peers)
    if not as_json:
        print(machine(options.peers), HEADING, sep="\n\n", flush=True)
    rows = []
    for word in what:
        if word in REPORTS:
            continue
        try:
            for row in FAMILIES[word](options):
                rows.append(row)
                options.tell("")
                if not as_json:
                    print(line(row), flush=True)
        except NotHere as why:
            left_out[word] = str(why)
    options.tell("")
    if as_json:
        print(json.dumps(as_data(rows, options.peers, left_out), indent=1))
    else:
        print("", *titles(rows), *(f"- left out: {k} ({v})" for k, v in left_out.items()), sep="\n")
        if "adaboost" in what:
            from benchmarks.adaboost import report_adaboost

            print(f"\n{report_adaboost(options.quick)}")
    return int(any(row.fails for row in rows))


def missing(among: Sequence[Peer]) -> dict[str, str]:
    return {peer.name: "not installed" for peer in among if peer.version is None}


def progress() -> Tell:
    """Overwrites a line of stderr, if that is a terminal."""
    if not sys.stderr.isatty():
        return silent

    def tell(what: str) -> None:
        print(f"\r\033[K{what}", end="", file=sys.stderr, flush=True)

    return tell
