"""D4 and D6: nominal and mixed columns with unknown values, by C4.5 and by CART with surrogates.

J48 is not C4.5 (its cuts and its estimates differ in details), so that errors held out are
compared: they differ by less than chance makes them.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.contest import Contender, Contest, Row
from benchmarks.data import mixed, nominal
from benchmarks.forest import noise
from benchmarks.options import Options
from benchmarks.work import Work

TIMES = 5  # so many more repeats of CART: it takes some tens of milliseconds


def d4(options: Options) -> Iterator[Row]:
    n = options.rows(50_000, 3_000)
    seen, unseen = nominal(2 * n).halves()
    work = Work("c45", seen, unseen, must="as good")
    what = f"C4.5, {n:,} x 20 nominal, 5 % unknown, 2 classes; errors on as many rows held out"
    yield from options.hold("D4", what, work, noise(n))


def d6(options: Options) -> Iterator[Row]:
    n = options.rows(30_000, 2_000)
    seen, unseen = mixed(2 * n).halves()
    what = f"{n:,} rows, 10 continuous and 10 nominal columns, 10 % unknown, 2 classes"
    for alpha, how in {0.01: "which rpart prunes as it grows", 0.0: "grown large"}.items():
        cart = Work("cart", seen, unseen, alpha=alpha, must="as good")
        contenders = [*options.entered(cart), *rpart_recipe(cart)]
        title = f"CART with surrogates, cp {alpha:g}, {how}, {what}; errors on as many held out"
        contest = Contest(f"D6 cart, cp {alpha:g}", title, contenders, cart, noise(n))
        yield from options.held(contest, options.repeats * (1 if options.quick else TIMES))
    c45 = Work("c45", seen, unseen, must="as good")
    title = f"C4.5, {what}; errors on as many rows held out"
    yield from options.hold("D6 c45", title, c45, noise(n))


def rpart_recipe(work: Work) -> list[Contender]:
    """The recipe that is to give rpart's very trees."""
    from benchmarks.programs.ours import contender
    from treekit import load_recipe

    return [
        contender(
            work, load_recipe("rpart", {"tree.pruner.alpha": work.alpha}), "treekit, recipe rpart"
        )
    ]
