"""The pictures: what they show, in what looks, and the files that they become."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from treekit.errors import TreekitError
from treekit.plots import (
    FORMATS,
    impurity_curve,
    impurity_figure,
    impurity_simplex,
    save,
    style,
)
from treekit.plots.impurity import CORNERS, triangles_of

from .toys import OneSided, RootGini, toy

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "images"
PAGE = PICTURES.parent / "plots.md"


def boxes(figure: Any) -> dict[str, Any]:
    """The places of all texts that are shown, in dots."""
    FigureCanvasAgg(figure).draw()
    texts = [text for legend in figure.legends for text in legend.get_texts()]
    for axes in figure.axes:
        texts += [axes.title, *axes.texts]
        for axis in (axes.xaxis, axes.yaxis) if axes.axison else ():
            low, high = axis.get_view_interval()
            ticks = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
            texts += [axis.label, *(t for tick in ticks for t in (tick.label1, tick.label2))]
    shown = [text for text in texts if text.get_visible() and text.get_text()]
    return {f"{i}: {text.get_text()}": text.get_window_extent() for i, text in enumerate(shown)}


class TestTwoClasses:
    def test_a_line_for_each_impurity(self) -> None:
        names = ["entropy", "gini", "dkm"]
        (axes,) = impurity_figure(names).axes
        p, values = impurity_curve(names)
        assert len(axes.lines) == 3
        for line, curve in zip(axes.lines, values, strict=True):
            assert np.array_equal(line.get_xdata(), p)
            assert np.array_equal(line.get_ydata(), curve)

    def test_the_legend_names_each_with_its_unit(self) -> None:
        figure = impurity_figure(["entropy", '{ use = "tsallis", q = 2 }', RootGini])
        (legend,) = figure.legends
        names = [text.get_text() for text in legend.get_texts()]
        assert names == ["entropy (bits)", "tsallis (q = 2)", "RootGini (roots)"]
        (axes,) = figure.axes
        assert (axes.get_xlabel(), axes.get_ylabel()) == (
            "p, the share of one of two classes",
            "impurity",
        )

    def test_a_private_class_is_named_too(self) -> None:
        figure = impurity_figure(["gini", type("_Mine", (OneSided,), {})])
        assert [text.get_text() for text in figure.legends[0].get_texts()] == ["gini", "_Mine"]

    def test_one_alone_needs_no_legend(self) -> None:
        figure = impurity_figure("entropy")
        assert figure.legends == []
        assert figure.axes[0].get_ylabel() == "entropy (bits)"

    def test_what_is_scaled_has_no_unit(self) -> None:
        figure = impurity_figure(["entropy", "gini"], scaled=True)
        assert figure.axes[0].get_ylabel() == "impurity / its greatest value"
        assert [text.get_text() for text in figure.legends[0].get_texts()] == ["entropy", "gini"]
        assert [max(line.get_ydata()) for line in figure.axes[0].lines] == [1.0, 1.0]
        alone = impurity_figure("entropy", scaled=True)
        assert alone.axes[0].get_ylabel() == "entropy / its greatest value"


class TestThreeClasses:
    def test_a_panel_for_each_impurity_and_one_scale(self) -> None:
        figure = impurity_figure(["entropy", "gini"], classes=3)
        *panels, bar = figure.axes
        assert [panel.get_title() for panel in panels] == ["entropy (bits)", "gini"]
        first, second = (panel.collections[0] for panel in panels)
        assert np.array_equal(first.levels, second.levels)
        assert first.levels[0] == 0.0
        assert first.levels[-1] == pytest.approx(1.6)
        assert bar.get_xlabel() == "impurity"

    def test_the_corners_are_named(self) -> None:
        *panels, _ = impurity_figure(["entropy", "gini"], classes=3).axes
        for panel in panels:
            named = [text.get_text() for text in panel.texts]
            assert named == ["class 1", "class 2", "class 3"]

    def test_a_node_of_one_class_lies_in_its_corner(self) -> None:
        """What is worst at three quarters of class 1 is worst near the top."""
        shares, (values,) = impurity_simplex(OneSided(), steps=40)
        places = shares @ CORNERS
        assert places[values.argmax(), 1] == pytest.approx(0.75 * CORNERS[0, 1])
        (panel, _) = impurity_figure(OneSided(), classes=3, steps=40).axes
        top = panel.collections[0].get_paths()[-1].vertices
        assert np.abs(top[:, 1] - 0.75 * CORNERS[0, 1]).max() < 0.15

    @pytest.mark.parametrize("steps", [1, 2, 3, 10])
    def test_the_small_triangles_fill_the_large_one(self, steps: int) -> None:
        shares, _ = impurity_simplex("gini", steps=steps)
        triangles = triangles_of(shares)
        assert len(triangles) == steps**2
        a, b, c = ((shares @ CORNERS)[triangles[:, k]] for k in range(3))
        (ux, uy), (vx, vy) = (b - a).T, (c - a).T
        areas = np.abs(ux * vy - uy * vx)
        assert areas == pytest.approx(np.sqrt(0.75) / steps**2)

    def test_many_panels_stand_in_rows_of_three(self) -> None:
        names = ["entropy", "gini", "misclassification", "dkm"]
        *panels, _ = impurity_figure(names, classes=3, scaled=True, steps=12).axes
        assert [panel.get_title() for panel in panels] == [*names, "", ""]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "names",
    [
        ["entropy"],
        ["entropy", "gini"],
        ["entropy", "gini", "misclassification", "dkm", "tsallis"],
        ['{ use = "renyi", alpha = 0.5 }', '{ use = "renyi", alpha = 2, base = 10 }'],
    ],
    ids=len,
)
def test_no_text_lies_on_another_or_outside(names: list[str], classes: int) -> None:
    figure = impurity_figure(names, classes, steps=12)
    found = boxes(figure)
    assert len(found) >= 8
    for one, box in found.items():
        inside = (box.min >= figure.bbox.min).all() and (box.max <= figure.bbox.max).all()
        assert inside, one
    for (one, here), (other, there) in combinations(found.items(), 2):
        assert not here.overlaps(there), (one, other)


@pytest.mark.parametrize("classes", [2, 3])
def test_what_is_0_everywhere_or_below_0_can_be_drawn(classes: int) -> None:
    for formula in (lambda s: 0.0 * s[..., 0], lambda s: s[..., 1] - 1.0):
        save(impurity_figure(toy(formula), classes, steps=6), "plot.svg")


def test_lines_are_unlike_without_colours() -> None:
    looks = style.lines(35)
    assert len({str(look) for look in looks}) == 35
    for first, second in pairwise(looks):
        assert first["dashes"] != second["dashes"]


def test_shades_read_in_grey() -> None:
    """Darker and darker, and never so dark that a black line is lost."""
    red, green, blue, _ = style.shades()(np.linspace(0, 1, 20)).T
    grey = 0.299 * red + 0.587 * green + 0.114 * blue
    assert (np.diff(grey) < 0).all()
    assert grey.min() > 0.4


def test_the_users_own_settings_stay_and_do_not_matter() -> None:
    with mpl.rc_context({"font.size": 31.0, "axes.facecolor": "red"}):
        save(impurity_figure("gini"), "theirs.svg")
        assert mpl.rcParams["font.size"] == 31.0
    save(impurity_figure("gini"), "ours.svg")
    assert Path("theirs.svg").read_bytes() == Path("ours.svg").read_bytes()


@pytest.mark.parametrize(
    ("name", "start"),
    [("a.svg", b"<?xml"), ("a.png", b"\x89PNG"), ("a.pdf", b"%PDF"), ("a.SVG", b"<?xml")],
)
def test_the_ending_says_the_format(name: str, start: bytes) -> None:
    save(impurity_figure("gini", steps=8), name)
    assert Path(name).read_bytes().startswith(start)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("ending", FORMATS)
def test_the_same_plot_gives_the_same_bytes(classes: int, ending: str) -> None:
    for name in ("one", "two"):
        save(impurity_figure(["gini", "entropy"], classes, steps=12), f"{name}.{ending}")
    assert Path(f"one.{ending}").read_bytes() == Path(f"two.{ending}").read_bytes()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("plot.gif", "plot.gif: plots are not written as .gif; give one of .svg, .png, .pdf"),
        ("plot.svgg", "plot.svgg: plots are not written as .svgg; did you mean 'svg'?"),
        ("plot", "plot: the name has no ending; give one of .svg, .png, .pdf"),
    ],
)
def test_an_ending_that_is_not_known_is_refused(name: str, message: str, folder: Path) -> None:
    with pytest.raises(TreekitError) as raised:
        save(impurity_figure("gini", steps=8), name)
    assert str(raised.value) == message
    assert list(folder.iterdir()) == []


def test_a_file_is_written_whole_or_not_at_all(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figure = impurity_figure("gini", steps=8)
    Path("plot.svg").write_text("before")

    def fails(draft: Path, **_: Any) -> None:
        draft.write_text("half a pict")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(figure, "savefig", fails)
    with pytest.raises(OSError, match="No space"):
        save(figure, "plot.svg")
    assert [(path.name, path.read_text()) for path in folder.iterdir()] == [("plot.svg", "before")]


def test_without_matplotlib_one_message_says_what_to_install(no_matplotlib: None) -> None:
    with pytest.raises(TreekitError) as raised:
        impurity_figure("gini")
    assert str(raised.value) == "drawing a plot needs matplotlib; pip install treekit[plots]"


def test_without_matplotlib_the_figures_can_be_had(no_matplotlib: None) -> None:
    assert impurity_curve("gini")[1].max() == 0.5


def test_importing_the_plots_imports_no_matplotlib() -> None:
    code = "import sys, treekit.plots; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True)
    assert (done.stdout, done.stderr) == ("False\n", "")


class TestPicturesOfTheDocumentation:
    """They are what the commands of the page draw."""

    page = PAGE.read_text(encoding="utf-8")
    shown = re.findall(r"!\[[^\]]+\]\(images/([^)]+)\)", page)

    def test_every_picture_is_shown(self) -> None:
        pages = "".join(page.read_text(encoding="utf-8") for page in PAGE.parent.glob("*.md"))
        shown = set(re.findall(r"!\[[^\]]+\]\(images/([^)]+)\)", pages))
        assert shown == {path.name for path in PICTURES.iterdir()}

    @pytest.mark.parametrize("name", shown)
    def test_a_picture_is_small_and_its_command_is_told(self, name: str) -> None:
        assert (PICTURES / name).stat().st_size < 100_000
        assert re.search(rf"treekit plot .* -o {re.escape(name)}$", self.page, re.M)

    @pytest.mark.parametrize("name", [name for name in shown if name.endswith(".svg")])
    def test_a_picture_is_as_it_would_be_drawn(self, name: str) -> None:
        from click.testing import CliRunner

        from treekit.cli.app import program

        command = re.search(rf"treekit (plot .* -o {re.escape(name)})$", self.page, re.M)
        assert command is not None
        assert CliRunner().invoke(program, command[1].split()).exit_code == 0
        kept, drawn = (PICTURES / name).read_text(), Path(name).read_text()
        ET.fromstring(kept)
        if f"Matplotlib v{mpl.__version__}," not in kept:
            pytest.skip("the picture was drawn by another matplotlib")
        assert drawn == kept
