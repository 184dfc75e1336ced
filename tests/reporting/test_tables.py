"""Tables: what is written is read back, and LaTeX prints names as they are written."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from treekit.errors import TreekitError
from treekit.reporting.digits import decimal, places, probability
from treekit.reporting.latex import escaped, latex_table, latex_tables
from treekit.reporting.tables import TABLES, figures_table, pairs_table, ranks_table, write_table

from .toys import CONTENDERS, DATA, FOLDS, analysis, results


class TestFigures:
    def test_the_figures_are_those_of_the_results(self) -> None:
        found = results()
        table = figures_table(found, ["accuracy", "leaves"])
        assert len(table) == 2 * len(DATA) * len(CONTENDERS)
        means = table[table["metric"] == "accuracy"].pivot(
            index="data", columns="contender", values="mean"
        )
        expected = found.means("accuracy")
        assert means.loc[list(DATA), list(CONTENDERS)].to_numpy() == pytest.approx(
            expected.to_numpy()
        )

    def test_the_best_are_those_of_rank_1(self) -> None:
        table = figures_table(results(), ["accuracy", "leaves"])
        best = table[table["best"]]
        assert set(best.loc[best["metric"] == "accuracy", "contender"]) == {CONTENDERS[0]}
        assert set(best.loc[best["metric"] == "leaves", "contender"]) == {CONTENDERS[3]}
        assert (best["rank"] == 1.0).all()

    def test_failed_folds_are_counted(self) -> None:
        table = figures_table(results(failing=True), ["accuracy"])
        failed = table[table["failed"] > 0]
        assert failed[["data", "contender", "folds", "failed"]].to_numpy().tolist() == [
            ["iris", CONTENDERS[3], FOLDS, 2]
        ]

    def test_mean_ranks(self) -> None:
        table = ranks_table(results(), ["accuracy"])
        assert table["mean_rank"].tolist() == [1.0, 2.0, 3.0, 4.0]
        assert set(table["data_sets"]) == {len(DATA)}

    def test_pairs(self) -> None:
        table = pairs_table([analysis(), analysis("leaves", False)])
        assert len(table) == 12
        assert table["metric"].unique().tolist() == ["accuracy", "leaves"]
        assert pairs_table([]).columns.tolist() == table.columns.tolist()


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_what_is_written_is_read_back(name: str, ending: str, tmp_path: Path) -> None:
    table = TABLES[name](results(failing=True), [analysis()])
    path = tmp_path / f"table.{ending}"
    write_table(table, path)
    if ending == "csv":
        back = pd.read_csv(path, keep_default_na=True)
        if "failure" in back:
            back["failure"] = back["failure"].fillna("")
    else:
        back = pd.read_parquet(path)
    pd.testing.assert_frame_equal(back, table, check_exact=True, check_dtype=False)


def test_parquet_without_pyarrow_says_what_to_install(no_pyarrow: None, tmp_path: Path) -> None:
    path = tmp_path / "figures.parquet"
    with pytest.raises(TreekitError) as raised:
        write_table(ranks_table(results(), ["accuracy"]), path)
    words = f"{path}: writing Parquet needs pyarrow; pip install treekit[parquet]"
    assert str(raised.value) == words
    assert list(tmp_path.iterdir()) == []


class TestLatex:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("a_b & 50% of #1", r"a\_b \& 50\% of \#1"),
            ("$x^2$ {y} ~", r"\$x\textasciicircum{}2\$ \{y\} \textasciitilde{}"),
            ("\\end{table}", r"\textbackslash{}end\{table\}"),
            ("a<b>c|d", r"a\textless{}b\textgreater{}c\textbar{}d"),
            ("--- ''", "-{}-{}- '{}'"),
            ('two\nlines\t"q"\x07', r"two lines \char34{}q\char34{}"),
            ("c45 [gini, 0.5]", "c45 [gini, 0.5]"),
        ],
    )
    def test_names_are_printed_as_they_are_written(self, text: str, told: str) -> None:
        assert escaped(text) == told

    def test_the_structure(self) -> None:
        lines = [line.strip() for line in latex_table(results(), "accuracy").splitlines()]
        begun = re.findall(r"\\begin\{(\w+)\}", "\n".join(lines))
        ended = re.findall(r"\\end\{(\w+)\}", "\n".join(lines))
        assert begun == ended[::-1] == ["table", "tabular"]
        rules = [line for line in lines if line.endswith("rule")]
        assert rules == [r"\toprule", r"\midrule", r"\midrule", r"\bottomrule"]
        assert r"\label{tab:accuracy}" in lines
        rows = [line for line in lines if line.endswith(r"\\")]
        assert len(rows) == 1 + len(DATA) + 1
        for row in rows:
            assert len(re.findall(r"(?<!\\)&", row)) == len(CONTENDERS)

    def test_the_best_of_each_row_is_bold(self) -> None:
        rows = latex_table(results(), "leaves").splitlines()[8:11]
        for row in rows:
            cells = row.split(" & ")
            assert [r"\mathbf" in cell for cell in cells] == [False] * 4 + [True]

    def test_a_name_is_not_taken_for_an_option_of_the_line_before(self) -> None:
        assert "\n    {}[wine] & " in latex_table(results(), "accuracy")

    def test_failures_are_told(self) -> None:
        table = latex_table(results(failing=True), "accuracy")
        assert table.count("(2 of 5 failed)") == 1
        assert "Ranks and differences are over the folds that all contenders finished." in table

    def test_caption_and_label_can_be_given(self) -> None:
        table = latex_table(results(), "accuracy", caption=r"My \emph{own}", label="tab:mine")
        assert r"\caption{My \emph{own}}" in table
        assert r"\label{tab:mine}" in table

    def test_all_braces_close(self) -> None:
        text = latex_tables(results(failing=True), ["accuracy", "leaves"])
        bare = re.sub(r"\\[\\{}]", "", text)
        assert bare.count("{") == bare.count("}")
        assert text.isascii()


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.931, 0.5], 3), ([1.0, 0.9], 3), ([4.5, 2.0], 2), ([12.5], 1), ([120.0, 3.0], 1),
        ([5321.7], 0), ([0.0123], 4), ([0.00012], 6), ([0.0, 0.0], 1), ([], 1),
        ([float("nan"), 0.5], 3),
    ],
)  # fmt: skip
def test_digits_that_say_something(values: list[float], expected: int) -> None:
    assert places(values) == expected


def test_what_is_not_known_is_a_dash_and_zero_has_no_sign() -> None:
    assert decimal(None, 2) == decimal(float("nan"), 2) == probability(None) == "-"
    assert decimal(-0.0004, 2, "+") == "0.00"
    assert decimal(0.126, 2, "+") == "+0.13"
    assert (probability(0.0004), probability(0.0416)) == ("< 0.001", "0.042")
