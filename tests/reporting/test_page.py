"""The page: all is said, nothing is loaded, and a real browser can use it."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from treekit.errors import TreekitError
from treekit.reporting import html_page
from treekit.reporting.markup import NOTHING
from treekit.statistics import Friedman, verdict

from .toys import CONTENDERS, DATA, ablation, about, analysis, results

VOID = ("meta", "input")
FRIEDMAN = Friedman(3, 4, 7.0, 0.07, 4.2, (3, 6), 0.064)


class Read(HTMLParser):
    """What a page consists of; fails where an element is not closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: dict[str, list[str]] = {}
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.words.setdefault(self.open[-1], []).append(data)

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def page() -> str:
    analyses = [analysis(), analysis("leaves", False)]
    return html_page(results(failing=True), analyses, about(with_curves=True))


class TestText:
    def test_all_is_said(self, page: str) -> None:
        read = Read(page)
        assert read.words["title"] == read.words["h1"] == ["Which one? <Really> & truly"]
        words = " ".join(w for found in read.words.values() for w in found)
        for said in (
            "cross-validation, folds 5, repeats 1, seed 7", "Friedman's test, then Nemenyi's",
            "There are four contenders on three data sets.", "Three data sets are few.",
            "tiny does not count: a fold is missing.", "F(3, 6) = 4.2, p = 0.0640",
            "2 of 60 folds failed", "ValueError: <i>no</i> luck", "treekit 1.2.3", "ab" * 32,
        ):  # fmt: skip
            assert said in words, said
        assert len(read.named("svg")) == 9
        assert len(read.words["pre"]) == len(CONTENDERS)

    def test_names_are_shown_and_not_run(self, page: str) -> None:
        read = Read(page)
        assert len(read.named("script")) == 1
        assert not {"b", "i"} & {name for name, _ in read.elements}
        assert CONTENDERS[1] in read.words["button"]
        assert "<script>alert" not in page

    def test_no_address_leads_outside(self, page: str) -> None:
        assert "http:" not in page
        assert "https:" not in page
        read = Read(page)
        for _, attributes in read.elements:
            assert not {"src", "srcset", "action", "data", "poster", "background"} & set(attributes)
            assert (attributes.get("href") or "#").startswith("#")
        assert read.named("link") == []
        style = "".join(read.words["style"])
        assert "@import" not in style
        assert "url(" not in style

    def test_the_policy_forbids_everything_else(self, page: str) -> None:
        (policy,) = [
            meta["content"]
            for meta in Read(page).named("meta")
            if meta.get("http-equiv") == "Content-Security-Policy"
        ]
        assert policy is not None
        assert policy.startswith("default-src 'none';")
        assert re.search(r"script-src 'sha256-[\w+/]+=*'", policy)

    def test_ids_are_unique_and_links_lead_to_them(self, page: str) -> None:
        read = Read(page)
        ids = [a["id"] for _, a in read.elements if a.get("id")]
        assert len(ids) == len(set(ids))
        assert {str(a["href"]).removeprefix("#") for a in read.named("a")} <= set(ids)

    def test_the_same_comparison_gives_the_same_page(self, page: str) -> None:
        analyses = [analysis(), analysis("leaves", False)]
        assert html_page(results(failing=True), analyses, about(with_curves=True)) == page

    def test_without_matplotlib_it_is_told_what_to_install(self, no_matplotlib: None) -> None:
        with pytest.raises(TreekitError, match="needs matplotlib"):
            html_page(results(), [], about())


@pytest.mark.usefixtures("nothing_is_drawn")
class TestWords:
    """What stands beside the plots."""

    @pytest.fixture
    def nothing_is_drawn(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("treekit.reporting.sections.inline_svg", lambda *_: NOTHING)

    def test_what_is_not_there_is_not_mentioned(self) -> None:
        bare = evolve(
            analysis(), pairs=(), on_data=(), mean_ranks={}, friedman=None, cautions=(),
            left_out={}, critical_difference=None, groups=(),
        )  # fmt: skip
        words = html_page(results(), [bare], about())
        assert "Failures" not in words
        assert "Pairs of contenders" not in words
        assert "<h3>Mean ranks" not in words
        assert "Learning curves" not in words
        Read(html_page(results(), [], about()))

    def test_a_missing_bar_says_nothing_where_friedman_finds_nothing(self) -> None:
        found = analysis()
        assert found.friedman is not None
        words = "so a missing bar shows none either"
        assert words in html_page(results(), [found], about())
        clear = evolve(found, friedman=evolve(found.friedman, p=0.001))
        assert words not in html_page(results(), [clear], about())

    def test_what_is_concluded_is_worded_by_the_statistics(self) -> None:
        clear = evolve(analysis(), friedman=evolve(FRIEDMAN, p=0.001))
        for found in (analysis(), clear):
            assert verdict(found) in " ".join(
                Read(html_page(results(), [found], about())).words["strong"]
            )

    @pytest.mark.parametrize(("p", "n_marked"), [(0.001, 2), (0.064, 0)])
    def test_pairs_are_marked_only_where_friedman_rejects(self, p: float, n_marked: int) -> None:
        two = [evolve(pair, holm=0.01, nemenyi=0.01) for pair in analysis().pairs[:2]]
        found = evolve(
            analysis(), friedman=evolve(FRIEDMAN, p=p), pairs=(*two, *analysis().pairs[2:])
        )
        page = html_page(results(), [found], about())
        assert page.count('data-value="0.01" class="number best"') == n_marked
        assert ("No p-value is marked: Friedman's test" in html.unescape(page)) == (not n_marked)

    def test_marks_on_single_data_sets_say_that_they_are_of_these(self) -> None:
        words = "A mark is of that data set alone"
        assert words in html_page(results(), [analysis()], about())
        one = evolve(analysis(), data=DATA[:1], friedman=None, pairs=(), mean_ranks={})
        assert words not in html_page(results(), [one], about())

    def test_what_is_due_to_which_part_is_said(self) -> None:
        read = Read(html_page(results(), [analysis()], about(), ablation()))
        words = " ".join(w for found in read.words.values() for w in found)
        for said in (
            "What is due to which part", "tree.<pruner>", "a & b", "+0.0125", "-0.0100 to +0.0200",
            "interactions", "0.250", "With so few, intervals are too narrow.",
            "tiny does not count: a fold is missing.",
        ):  # fmt: skip
            assert said in words, said
        assert "parts" in [a.get("id") for _, a in read.elements]
        assert "#parts" in [a["href"] for a in read.named("a")]
        assert "#parts" not in html_page(results(), [analysis()], about())

    def test_effects_on_one_data_set_have_no_interval(self) -> None:
        one = evolve(ablation(), explained={})
        bare = evolve(one, effects=[evolve(e, low=None, high=None) for e in one.effects])
        page = html_page(results(), [analysis()], about(), bare)
        assert "interactions" not in page
        Read(page)

    def test_infinite_figures_are_numbers_to_the_script(self) -> None:
        pair = evolve(analysis().on_data[0], t=-float("inf"))
        page = html_page(results(), [evolve(analysis(), on_data=(pair,))], about())
        assert 'data-value="-Infinity" class="number">-inf<' in page


class TestInABrowser:
    @pytest.fixture
    def opened(self, browser: Any, page: str, tmp_path: Path) -> Any:
        """The page from a file, with what it asked for and complained of written down."""
        file = tmp_path / "report.html"
        file.write_text(page, encoding="utf-8")
        tab = browser.new_page()
        tab.asked, tab.complaints = [], []
        tab.on("request", lambda request: tab.asked.append(request.url))
        tab.on("console", lambda message: tab.complaints.append(message.text))
        tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
        tab.goto(file.as_uri())
        yield tab
        tab.close()
        assert tab.asked == [file.as_uri()]
        assert tab.complaints == []

    def test_it_can_be_used(self, opened: Any, tmp_path: Path) -> None:
        table = opened.locator("table").first
        names = table.locator("tbody th")
        head = table.locator("thead th").nth(1)
        assert names.all_inner_texts() == list(DATA)
        head.click()
        assert head.get_attribute("aria-sort") == "ascending"
        assert names.all_inner_texts() == list(DATA[::-1])
        head.click()
        assert head.get_attribute("aria-sort") == "descending"
        assert names.all_inner_texts() == list(DATA)
        table.locator("thead button").first.focus()
        opened.keyboard.press("Enter")
        assert table.locator("thead th").first.get_attribute("aria-sort") == "ascending"
        assert head.get_attribute("aria-sort") is None

        box = opened.get_by_label("Show only")
        box.fill("WINE")
        assert [row.inner_text() for row in names.all() if row.is_visible()] == ["[wine]"]
        box.fill("c45")
        heads = table.locator("thead th")
        assert [h.inner_text() for h in heads.all() if h.is_visible()] == ["data", "c45 [gini]"]
        assert opened.locator("details[data-name]:visible").count() == 1
        box.fill("nobody has this name")
        assert not any(row.is_visible() for row in names.all())
        box.fill("")
        assert all(row.is_visible() for row in names.all())

        recipe = opened.locator("details[data-name]").first
        assert not recipe.locator("pre").is_visible()
        recipe.locator("summary").click()
        assert 'impurity = "gini"' in recipe.locator("pre").inner_text()
        opened.screenshot(path=tmp_path / "page.png", full_page=True)
        assert (tmp_path / "page.png").stat().st_size > 50_000

    @pytest.mark.parametrize("width", [1200, 400])
    def test_it_is_no_wider_than_the_window(self, opened: Any, width: int) -> None:
        opened.set_viewport_size({"width": width, "height": 900})
        assert opened.evaluate("document.documentElement.scrollWidth") <= width

    def test_it_is_dark_where_that_is_preferred_but_not_on_paper(self, opened: Any) -> None:
        def background() -> str:
            return str(opened.evaluate("getComputedStyle(document.body).backgroundColor"))

        opened.emulate_media(color_scheme="light")
        light = background()
        opened.emulate_media(color_scheme="dark")
        assert background() != light
        opened.emulate_media(color_scheme="dark", media="print")
        assert background() == light
