"""What strategies may tell of themselves, for those who explain."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np
import pytest
from attrs import frozen
from treekit_builtin.criteria import Gain
from treekit_builtin.splitters import Multiway, Threshold

import treekit
from treekit import CUTS, Floats, Ints, Kind, Offers, Search, first_best
from treekit.engine import grow
from treekit.explain import Limits
from treekit.explain.watching import Looked, Watching


@frozen
class Ratio:
    """Gain by split information; a column of three branches may not win."""

    merit_name: ClassVar[str] = "ratio"
    score = Gain.__dict__["score"]

    def choose(self, offers: Offers) -> Ints:
        return first_best(self.merit(offers))

    def merit(self, offers: Offers) -> Floats:
        wide = offers.n_levels >= 3
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(wide, -np.inf, offers.score / offers.split_info)

    def rejected(self, offers: Offers) -> list[list[str]]:
        of_columns = ["too wide" if levels >= 3 else "" for levels in offers.n_levels]
        return [of_columns] * len(offers.score)


@frozen
class Silent:
    """Chooses the last column that offers a test, and does not say why."""

    score = Gain.__dict__["score"]

    def choose(self, offers: Offers) -> Ints:
        offered = np.isfinite(offers.score)
        last = offered.shape[1] - 1 - offered[:, ::-1].argmax(axis=1)
        return np.where(offered.any(axis=1), last, -1)


@frozen
class AtWholeNumbers:
    """Every cut, but it says that it weighs only those at whole numbers, and the best one."""

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric",)

    def offer(self, search: Search, columns: Ints) -> Offers:
        return Threshold().offer(search, columns)

    def every_test(self, search: Search, column: int) -> treekit.Tests:
        cuts = np.array([80.0, 97.5, 110.0])
        return treekit.Tests(CUTS, cuts[:, None], np.full(len(cuts), 2, np.int64))


@frozen
class Declining:
    """Offers nothing."""

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric",)
    declines: ClassVar[str] = "it is too dear"

    def offer(self, search: Search, columns: Ints) -> Offers:
        offers = Threshold().offer(search, columns)
        return offers.only(np.zeros(offers.score.shape, dtype=bool))


def with_numbers(splitter: Any) -> dict[str, Any]:
    return {"numeric": splitter, "nominal": Multiway()}


def root(data: Any, **strategies: Any) -> Looked:
    """What is seen of the root when id3 grows with these strategies."""
    table = data if isinstance(data, treekit.Table) else treekit.load_dataset(data)
    parts = attrs.evolve(treekit.load_recipe("id3").tree, **strategies)
    watching = Watching(parts, table.schema, table.n_rows, Limits())
    grow(table, parts, np.random.default_rng(0), watching)
    return watching.seen[0]


def test_columns_are_ranked_by_the_merit_that_a_criterion_tells() -> None:
    seen = root("tennis", criterion=Ratio())
    names = [column.column.name for column in seen.columns]
    assert (names[seen.chosen], names[seen.runner_up]) == ("humidity", "wind")
    assert seen.margin == pytest.approx(0.1518 - 0.0488, abs=1e-4)


def test_a_criterion_tells_which_columns_it_keeps_from_winning() -> None:
    seen = root("tennis", criterion=Ratio())
    assert [column.rejected for column in seen.columns] == ["too wide", "too wide", "", ""]
    assert [column.merit is None for column in seen.columns] == [True, True, False, False]


def test_nothing_is_made_up_of_a_criterion_that_does_not_tell() -> None:
    seen = root("tennis", criterion=Silent())
    assert seen.columns[seen.chosen].column.name == "wind"
    assert (seen.runner_up, seen.margin, seen.tied) == (None, None, False)


def test_a_splitter_tells_which_tests_it_weighs() -> None:
    seen = root("cheat", splitter=with_numbers(AtWholeNumbers())).columns[2]
    assert [one.test.cuts for one in seen.candidates] == [(80,), (97.5,), (110,)]
    assert seen.best is seen.candidates[1]


def test_a_splitter_tells_why_it_offers_nothing() -> None:
    seen = root("cheat", splitter=with_numbers(Declining())).columns[2]
    assert (seen.rejected, seen.best) == ("it is too dear", None)
    assert len(seen.candidates) == 9


def test_without_a_word_of_the_splitter_every_cut_is_taken_to_be_weighed() -> None:
    seen = root("cheat").columns[2]
    assert len(seen.candidates) == 9


def test_a_better_test_that_a_splitter_passes_over_is_said_to_be_so() -> None:
    seen = root("cheat", splitter=with_numbers(Threshold(margin=0.99))).columns[2]
    best = seen.best.score
    better = [one for one in seen.candidates if one.score > best]
    assert better
    assert all(one.barred == "not offered by the splitter" for one in better)
