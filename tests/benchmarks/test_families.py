"""Every family of contests, on tables of a few hundred rows, beside scikit-learn alone."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import data
from benchmarks.command import FAMILIES
from benchmarks.options import Options
from benchmarks.predict import named
from benchmarks.profiling import SORTING, report
from benchmarks.programs import peers
from benchmarks.programs.ours import plain_tree
from benchmarks.work import Work
from treekit.fitting import fit_table

PEER = "scikit-learn"
BESIDE = ("D1", "D2", "D3", "D5", "forest", "boosting", "predict", "small", "cost")
ALONE = ("D4", "D6", "threads", "files")


def options() -> Options:
    return Options(quick=True, repeats=1, peers=tuple(peers([PEER])), most=700)


@pytest.mark.parametrize("family", BESIDE)
def test_treekit_and_scikit_learn_do_the_same(family: str) -> None:
    rows = list(FAMILIES[family](options()))
    works = {row.work for row in rows}
    assert {(row.work, row.program) for row in rows} == {
        (work, program) for work in works for program in ("treekit", PEER)
    }
    assert [row.answers for row in rows if row.fails] == []
    assert all(row.title for row in rows)


@pytest.mark.parametrize("family", ALONE)
def test_what_scikit_learn_does_not_do_is_run_without_it(family: str) -> None:
    rows = list(FAMILIES[family](options()))
    assert rows
    assert PEER not in {row.program for row in rows}
    assert [row.answers for row in rows if row.fails] == []


@pytest.mark.parametrize("dtype", [np.float32, np.int64, object])
def test_all_programs_predict_class_names(dtype: type) -> None:
    work = Work("tree", data.two_classes(3))
    answers = ["yes", "no", "yes"] if dtype is object else [1, 0, 1]
    found = named(work, lambda: np.array(answers, dtype))
    assert (found.dtype, found.tolist()) == (object, ["yes", "no", "yes"])


def test_every_family_is_tested_here() -> None:
    # They need pystreed and ../shared, or start processes of their own.
    others = {"optimal", "cold", "compare"}
    assert {*BESIDE, *ALONE} | others == {*FAMILIES}


def test_few_valued_columns_have_as_many_values_as_they_should() -> None:
    table = data.few_valued(20_000).table
    counts = [len(np.unique(column)) for column in table.cells]
    assert (counts[0], counts[9]) == (250, 6000)
    assert counts[10:] == [2] * 44
    assert set(table.y) == set(range(7))


def test_unknown_values_are_as_many_as_they_should_be() -> None:
    assert np.isnan(data.nominal(2_000).table.cells).mean() == pytest.approx(0.05, abs=0.01)
    mixed = data.mixed(2_000).table
    assert np.isnan(mixed.cells).mean() == pytest.approx(0.1, abs=0.01)
    assert [column.kind for column in mixed.columns] == ["numeric"] * 10 + ["nominal"] * 10


def test_data_are_the_same_for_the_same_seed_and_whole_in_single_precision() -> None:
    once, again = data.two_classes(50), data.two_classes(50)
    np.testing.assert_array_equal(once.table.cells, again.table.cells)
    np.testing.assert_array_equal(once.rows.T, once.table.cells)


def test_a_profile_names_the_kernels_the_sorting_and_the_floor() -> None:
    made = data.two_classes(2_000)
    told = report("D1", made, lambda: fit_table(plain_tree(2), made.fresh()), 1)
    assert f"| {SORTING} | 1 |" in told
    assert "| grow_subtrees |" in told
    assert "one pass over the codes" in told
