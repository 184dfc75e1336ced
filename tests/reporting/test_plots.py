"""The plots: what they show, where, and the files that they become."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from matplotlib.backends.backend_agg import FigureCanvasAgg

from treekit.errors import TreekitError
from treekit.plots import save
from treekit.reporting import (
    Curve,
    Plot,
    folds_figure,
    learning_figure,
    plots_of,
    ranks_figure,
    size_figure,
    wins_figure,
)
from treekit.reporting.plots import front, wins
from treekit.reporting.svg import inline_svg, svg_bytes

from .toys import CONTENDERS, DATA, about, analysis, results

SVG = "{http://www.w3.org/2000/svg}"


def every_plot() -> tuple[Plot, ...]:
    return plots_of(results(), [analysis(), analysis("leaves", False)], about(with_curves=True))


def texts(figure: Any) -> list[str]:
    """All that can be read, in one line each."""
    FigureCanvasAgg(figure).draw()
    found = [t.get_text() for legend in figure.legends for t in legend.get_texts()]
    for axes in figure.axes:
        shown = [axes.title, *axes.texts, axes.xaxis.label, axes.yaxis.label]
        found += [t.get_text() for t in (*shown, *axes.get_xticklabels(), *axes.get_yticklabels())]
    return [" ".join(text.split()) for text in found if text]


def legs(figure: Any) -> list[float]:
    """Where the lines to the names begin, best first."""
    (axes,) = figure.axes
    lines = {line.get_gid(): line for line in axes.lines if line.get_gid()}
    numbers = range(1, len(CONTENDERS) + 1)
    return [float(lines[f"contender-{i}"].get_xdata()[0]) for i in numbers]


class TestRanks:
    def test_each_contender_is_at_its_rank(self) -> None:
        assert legs(ranks_figure(analysis())) == [1.25, 2.0, 3.25, 3.5]

    def test_the_best_is_to_the_right_in_the_file(self) -> None:
        root = ET.fromstring(svg_bytes(ranks_figure(analysis())))
        places = []
        for i in range(1, 5):
            (group,) = [g for g in root.iter(f"{SVG}g") if g.get("id") == f"contender-{i}"]
            path = group.find(f"{SVG}path")
            assert path is not None
            places.append(float(re.findall(r"M ([\d.]+)", path.get("d", ""))[0]))
        # A line through the places and the ranks: falling, since the axis is turned.
        slope, _ = np.polyfit([1.25, 2.0, 3.25, 3.5], places, 1)
        assert slope < 0
        assert np.diff(places) / np.diff([1.25, 2.0, 3.25, 3.5]) == pytest.approx([slope] * 3)

    def test_bars_join_the_groups_and_the_critical_difference_has_its_length(self) -> None:
        (axes,) = ranks_figure(analysis()).axes
        spans = {line.get_gid(): sorted(line.get_xdata()) for line in axes.lines if line.get_gid()}
        assert spans["group-1"] == pytest.approx([1.21, 2.04])
        assert spans["group-2"] == pytest.approx([1.96, 3.29])
        low, high = spans["cd"]
        assert high - low == pytest.approx(1.3)

    def test_bars_that_would_meet_lie_below_each_other(self) -> None:
        (axes,) = ranks_figure(analysis()).axes
        heights = [line.get_ydata()[0] for line in axes.lines if "group" in (line.get_gid() or "")]
        assert len(set(heights)) == 2

    def test_names_and_ranks_are_told(self) -> None:
        found = texts(ranks_figure(analysis()))
        assert "c45 [gini] (1.25)" in found
        assert "50% & #1_$a$ {b} (3.50)" in found
        assert "critical difference 1.30" in found

    def test_without_a_critical_difference_there_are_ranks(self) -> None:
        figure = ranks_figure(evolve(analysis(), critical_difference=None, groups=()))
        assert legs(figure) == [1.25, 2.0, 3.25, 3.5]
        assert not any("critical" in text for text in texts(figure))

    def test_no_ranks_are_refused_in_words(self) -> None:
        with pytest.raises(TreekitError, match="no mean ranks of accuracy to draw"):
            ranks_figure(evolve(analysis(), mean_ranks={}))

    @pytest.mark.parametrize("number", [2, 3, 9, 24])
    def test_names_do_not_overlap(self, number: int) -> None:
        names = [f"a contender with quite a long name, number {i}" for i in range(number)]
        ranks = {name: 1 + i * 0.9 for i, name in enumerate(names)}
        figure = ranks_figure(
            evolve(analysis(), mean_ranks=ranks, contenders=tuple(names), groups=(tuple(names),))
        )
        FigureCanvasAgg(figure).draw()
        boxes = [text.get_window_extent() for text in figure.axes[0].texts]
        assert not [(a, b) for a, b in combinations(boxes, 2) if a.overlaps(b)]
        inside = figure.bbox
        assert all(b.x0 >= inside.x0 and b.x1 <= inside.x1 for b in boxes)


class TestOthers:
    def test_a_panel_of_folds_for_each_data_set(self) -> None:
        figure = folds_figure(results(failing=True), "accuracy")
        assert [axes.get_title() for axes in figure.axes] == list(DATA)
        assert all(len(axes.patches) == len(CONTENDERS) for axes in figure.axes)
        assert {"c45 [gini]", "<script>alert(1)</script>"} <= set(texts(figure))

    def test_the_front_are_those_that_none_beats_in_both(self) -> None:
        sizes = np.array([5.0, 3.0, 9.0, 3.0, 7.0])
        values = np.array([0.8, 0.7, 0.9, 0.6, 0.75])
        assert front(sizes, values, greater=True) == [1, 0, 2]
        assert front(sizes, values, greater=False) == [3]
        assert front(np.array([2.0, 2.0]), np.array([0.5, 0.5]), greater=True) == [0, 1]

    def test_size_is_against_the_mean_leaves(self) -> None:
        found = results()
        (axes,) = size_figure(found, "accuracy").axes
        points = np.array([(p.get_xdata()[0], p.get_ydata()[0]) for p in axes.lines[1:]])
        leaves, accuracy = found.means("leaves").mean(), found.means("accuracy").mean()
        assert points == pytest.approx(np.stack([leaves, accuracy], axis=1))
        (on_one,) = size_figure(found, "accuracy", DATA[0]).axes
        assert on_one.get_xlabel() == "leaves on iris"
        with pytest.raises(TreekitError, match="did you mean 'iris'"):
            size_figure(found, "accuracy", "irs")

    def test_wins_are_counted_over_data_sets(self) -> None:
        assert wins(results(), "accuracy").tolist() == [
            [0, 3, 3, 3],
            [0, 0, 3, 3],
            [0, 0, 0, 3],
            [0, 0, 0, 0],
        ]
        assert texts(wins_figure(results(), "accuracy")).count("3") == 6

    def test_who_has_no_figure_is_not_drawn(self) -> None:
        found = results()
        without = [
            evolve(o, metrics={"accuracy": 0.5}) if o.contender == CONTENDERS[0] else o
            for o in found.outcomes
        ]
        some = type(found)(tuple(without), DATA, CONTENDERS, found.task)
        for draw in (folds_figure, wins_figure):
            said = texts(draw(some, "leaves"))
            assert CONTENDERS[0] not in said
            assert CONTENDERS[1] in said

    def test_a_line_for_each_learning_curve(self) -> None:
        found = results()
        curves = about(with_curves=True).curves
        figure = learning_figure(found, "accuracy", curves)
        means = found.means("accuracy")
        for axes, data in zip(figure.axes, DATA, strict=True):
            for line, curve in zip(axes.lines, curves, strict=True):
                assert line.get_xdata().tolist() == [0.25, 1.0]
                assert line.get_ydata().tolist() == means.loc[data, list(curve.shares)].tolist()
        assert texts(figure)[:2] == ["first", "second"]

    def test_a_curve_of_somebody_else_is_refused(self) -> None:
        with pytest.raises(TreekitError, match="'nobody' takes no part"):
            learning_figure(results(), "accuracy", [Curve("x", {"nobody": 1.0})])
        with pytest.raises(TreekitError, match="no learning curve"):
            learning_figure(results(), "accuracy", [])


class TestFiles:
    def test_every_kind_of_plot_has_a_name(self) -> None:
        assert [plot.name for plot in every_plot()] == [
            "accuracy-critical-difference", "accuracy-folds", "accuracy-size", "accuracy-wins",
            "accuracy-learning", "leaves-critical-difference", "leaves-folds", "leaves-wins",
            "leaves-learning",
        ]  # fmt: skip

    def test_one_contender_on_one_data_set_has_only_what_can_be_shown(self) -> None:
        found = results()
        kept = [o for o in found.outcomes if (o.data, o.contender) == (DATA[0], CONTENDERS[0])]
        alone = type(found)(tuple(kept), DATA[:1], CONTENDERS[:1], found.task)
        plots = plots_of(alone, [], about())
        assert [p.name for p in plots] == ["accuracy-folds", "accuracy-size", "leaves-folds"]
        for plot in plots:
            plot.draw()

    @pytest.mark.parametrize("kind", ["critical-difference", "folds", "size", "wins", "learning"])
    def test_files_are_whole_and_the_same_each_time(self, kind: str, tmp_path: Path) -> None:
        (plot,) = [p for p in every_plot() if p.name == f"accuracy-{kind}"]
        for name in ("one.svg", "two.svg", "one.png"):
            save(plot.draw(), tmp_path / name)
        svg = (tmp_path / "one.svg").read_bytes()
        assert svg == (tmp_path / "two.svg").read_bytes()
        assert ET.fromstring(svg).tag == f"{SVG}svg"
        # Letters are drawn as shapes; what they say stands beside them.
        assert b"<!-- c45 [gini]" in svg or b"<!-- first" in svg
        png = (tmp_path / "one.png").read_bytes()
        assert png.startswith(b"\x89PNG\r\n\x1a\n")
        assert png.endswith(b"IEND\xaeB`\x82")

    def test_inline_they_have_ids_of_their_own_and_no_address(self) -> None:
        plot = every_plot()[0]
        one, two = (inline_svg(plot.draw(), name, "<b>") for name in ("one", "two"))
        ids = [re.findall(r'\bid="([^"]+)"', svg) for svg in (one, two)]
        assert not set(ids[0]) & set(ids[1])
        used = set(re.findall(r'href="#([^"]+)"', one)) | set(re.findall(r"url\(#([^)]+)\)", one))
        assert used
        assert used <= set(ids[0])
        assert "http" not in one
        assert "<!--" not in one
        assert 'aria-label="&lt;b&gt;"' in one


def test_without_matplotlib_it_is_told_what_to_install(no_matplotlib: None) -> None:
    for plot in every_plot():
        with pytest.raises(TreekitError, match=r"needs matplotlib; pip install treekit\[plots\]"):
            plot.draw()
