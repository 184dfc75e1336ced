"""The printed tables carry the figures of the textbooks' own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

import treekit

from ..worked.figures import Printed

# A node of the grown tree, and what its title says.
VEGETATION = [
    (0, "the root", "stream", "1.2507", "0.3060"),
    (0, "the root", "slope", "0.9793", "0.5774"),
    (0, "the root", "elevation", "0.6793", "0.8774"),
    (1, "elevation = high", "stream", "0.6666", "0.2517"),
    (1, "elevation = high", "slope", "0", "0.9183"),
    (3, "elevation = medium", "stream", "0", "1.0"),
    (3, "elevation = medium", "slope", "1.0", "0"),
]

# Node, column, the levels with their rows (as the source numbers them) and entropies.
VEGETATION_BRANCHES = [
    (0, "stream", "true", "2, 3, 6, 7", "1.5"),
    (0, "stream", "false", "1, 4, 5", "0.9183"),
    (0, "slope", "flat", "5", "0"),
    (0, "slope", "moderate", "2", "0"),
    (0, "slope", "steep", "1, 3, 4, 6, 7", "1.3710"),
    (0, "elevation", "low", "2", "0"),
    (0, "elevation", "medium", "3, 4", "1.0"),
    (0, "elevation", "high", "1, 5, 7", "0.9183"),
    (0, "elevation", "highest", "6", "0"),
    (1, "stream", "true", "7", "0"),
    (1, "stream", "false", "1, 5", "1.0"),
    (1, "slope", "flat", "5", "0"),
    (1, "slope", "moderate", "none", "0"),
    (1, "slope", "steep", "1, 7", "0"),
    (3, "stream", "true", "3", "0"),
    (3, "stream", "false", "4", "0"),
    (3, "slope", "flat", "none", "0"),
    (3, "slope", "moderate", "none", "0"),
    (3, "slope", "steep", "3, 4", "1.0"),
]

TENNIS = [
    (0, "outlook", "0.2467"),
    (0, "outlook", "0.246"),
    (0, "humidity", "0.152"),
    (0, "wind", "0.048"),
    (0, "temp", "0.029"),
    (1, "temp", "0.571"),
    (1, "humidity", "0.971"),
    (1, "wind", "0.020"),
]

TENNIS_WITH_DAY = [
    ("day", "0.940", "3.81", "0.247"),
    ("outlook", "0.246", "1.58", "0.156"),
    ("humidity", "0.152", "1", "0.152"),
    ("wind", "0.048", "0.99", "0.048"),
    ("wind", "0.048", "0.99", "0.0488"),
    ("temp", "0.029", "1.56", "0.019"),
]

# Cut, the rows of both sides, their counts of Yes and of No, the weighted Gini.
CHEAT = [
    ("65", "1 | 9", "0, 1 | 3, 6", "0.400"),
    ("72.5", "2 | 8", "0, 2 | 3, 5", "0.375"),
    ("80", "3 | 7", "0, 3 | 3, 4", "0.343"),
    ("87.5", "4 | 6", "1, 3 | 2, 4", "0.417"),
    ("92.5", "5 | 5", "2, 3 | 1, 4", "0.400"),
    ("97.5", "6 | 4", "3, 3 | 0, 4", "0.300"),
    ("110", "7 | 3", "3, 4 | 0, 3", "0.343"),
    ("122.5", "8 | 2", "3, 5 | 0, 2", "0.375"),
    ("172.5", "9 | 1", "3, 6 | 0, 1", "0.400"),
]


@cache
def printed(recipe: str, data: str, changes: tuple[str, ...] = (), digits: int = 4) -> str:
    kinds = {"day": "nominal"} if data == "tennis with day" else {}
    model = treekit.fit(recipe, data.partition(" ")[0], kinds=kinds, set=changes)
    return model.explain().render("text", digits)


def node_of(text: str, number: int) -> list[str]:
    """The lines of one node."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"Node {number}:"))
    end = (i for i in range(start + 1, len(lines)) if lines[i].startswith(("Node ", "Pruning")))
    return lines[start : next(end, len(lines))]


def table(lines: Sequence[str], first: str) -> list[dict[str, str]]:
    """The printed table whose first head is `first`, a dict for each line."""
    start = next(i for i, line in enumerate(lines) if line.split()[:1] == [first])
    body = lines[start : lines.index("", start)]
    width = max(map(len, body))
    # Between two columns, two blanks run down the whole table.
    blank = [all(line.ljust(width)[i] == " " for line in body) for i in range(width)]
    gaps = [i for i in range(1, width) if blank[i] and blank[i - 1]]
    spans = []
    begin = 0
    for gap in [*gaps, width]:
        if any(line.ljust(width)[begin:gap].strip() for line in body):
            spans.append((begin, gap))
        begin = gap
    heads, *rows = [[line.ljust(width)[a:b].strip() for a, b in spans] for line in body]
    return [dict(zip(heads, row, strict=True)) for row in rows]


def of_column(lines: Sequence[str], column: str) -> list[dict[str, str]]:
    """The lines of the main table that tell of one column."""
    rows, found = table(lines, "column"), []
    about = ""
    for row in rows:
        about = row["column"] or about
        if about == column:
            found.append(row)
    return found


@pytest.mark.parametrize(("node", "title", "column", "left", "gained"), VEGETATION)
def test_remainders_and_gains_of_vegetation(
    node: int, title: str, column: str, left: str, gained: str
) -> None:
    lines = node_of(printed("id3", "vegetation"), node)
    assert lines[0].startswith(f"Node {node}: {title}")
    row = of_column(lines, column)[0]
    assert float(row["remainder"]) == Printed(left)
    assert float(row["gain"]) == Printed(gained)


@pytest.mark.parametrize(("node", "column", "level", "rows", "entropy"), VEGETATION_BRANCHES)
def test_the_partitions_of_vegetation(
    node: int, column: str, level: str, rows: str, entropy: str
) -> None:
    lines = of_column(node_of(printed("id3", "vegetation"), node), column)
    (line,) = [line for line in lines if line["branch"] == level]
    assert line["which rows"] == rows
    assert float(line["entropy"]) == Printed(entropy)


def test_the_whole_root_of_vegetation_reads_like_the_table_of_the_book() -> None:
    assert "\n".join(node_of(printed("id3", "vegetation"), 0)) == (
        """\
Node 0: the root
7 rows: chaparral 3, riparian 2, conifer 2; entropy 1.5567

column     branch    which rows     rows  chaparral  riparian  conifer  entropy  remainder    gain  verdict
stream     false     1, 4, 5           3          2         0        1   0.9183     1.2507  0.3060
           true      2, 3, 6, 7        4          1         2        1   1.5000
slope      steep     1, 3, 4, 6, 7     5          3         1        1   1.3710     0.9793  0.5774  next
           moderate  2                 1          0         1        0   0.0000
           flat      5                 1          0         0        1   0.0000
elevation  high      1, 5, 7           3          2         0        1   0.9183     0.6793  0.8774  chosen
           low       2                 1          0         1        0   0.0000
           medium    3, 4              2          1         1        0   1.0000
           highest   6                 1          0         0        1   0.0000

Best: elevation, gain 0.8774; next is slope, 0.5774: a margin of 0.3000.
"""  # noqa: E501
    )


@pytest.mark.parametrize(("node", "column", "gained"), TENNIS)
def test_gains_of_tennis(node: int, column: str, gained: str) -> None:
    row = of_column(node_of(printed("id3", "tennis"), node), column)[0]
    assert float(row["gain"]) == Printed(gained)


@pytest.mark.parametrize(
    ("node", "line"),
    [(0, "14 rows: yes 9, no 5; entropy 0.940"), (1, "5 rows: yes 2, no 3; entropy 0.971")],
)
def test_entropies_of_tennis(node: int, line: str) -> None:
    assert node_of(printed("id3", "tennis", (), 3), node)[1] == line


def test_what_the_wind_leaves_of_tennis() -> None:
    assert of_column(node_of(printed("id3", "tennis", (), 3), 0), "wind")[0]["remainder"] == "0.892"


@pytest.mark.parametrize(("column", "gained", "info", "ratio"), TENNIS_WITH_DAY)
def test_gain_ratios_of_tennis_with_the_day(
    column: str, gained: str, info: str, ratio: str
) -> None:
    text = printed("id3", "tennis with day", ("tree.criterion=gain_ratio",))
    row = of_column(node_of(text, 0), column)[0]
    assert float(row["gain"]) == Printed(gained)
    assert float(row["split info"]) == Printed(info)
    assert float(row["gain ratio"]) == Printed(ratio)
    assert (row.get("verdict") == "chosen") is (column == "day")


@pytest.mark.parametrize(("cut", "rows", "counts", "gini"), CHEAT)
def test_the_cuts_of_cheat(cut: str, rows: str, counts: str, gini: str) -> None:
    lines = node_of(printed("cart", "cheat", ("tree.stop=pure",), 3), 0)
    (row,) = [row for row in table(lines, "cut") if row["cut"] == cut]
    assert (row["rows"], row["Yes, No"], row["remainder"]) == (rows, counts, gini)
    assert (row["verdict"] == "best") is (cut == "97.5")


def test_every_cut_of_cheat_that_divides_its_rows_is_listed() -> None:
    lines = node_of(printed("cart", "cheat", ("tree.stop=pure",)), 0)
    assert "taxable_income: 9 cuts" in lines
    assert [row["cut"] for row in table(lines, "cut")] == [cut for cut, *_ in CHEAT]


def test_the_gini_of_cheat_undivided_is_that_of_its_outermost_cuts() -> None:
    lines = node_of(printed("cart", "cheat", ("tree.stop=pure",), 3), 0)
    assert lines[1] == "10 rows: Yes 3, No 7; gini 0.420"


@pytest.mark.parametrize(
    ("data", "column", "left", "gained"),
    [
        ("spam", "suspicious_words", "0", "1"),
        ("spam", "unknown_sender", "0.9183", "0.0817"),
        ("spam", "contains_images", "1", "0"),
        ("buys_computer", "age", None, "0.2467"),
        ("buys_computer", "income", None, "0.0292"),
        ("buys_computer", "student", None, "0.1518"),
        ("buys_computer", "credit_rating", None, "0.0481"),
        ("impurity8", "X1", "1", "0"),
        ("impurity8", "X2", "0.81", "0.19"),
    ],
)
def test_gains_of_the_other_data_sets(
    data: str, column: str, left: str | None, gained: Any
) -> None:
    row = of_column(node_of(printed("id3", data), 0), column)[0]
    assert float(row["gain"]) == Printed(gained)
    assert left is None or float(row["remainder"]) == Printed(left)
