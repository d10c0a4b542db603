"""The report of a plan drafted in memory, opened as a reader opens it: in a browser, from disk."""

import asyncio
import os
import re
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bench.stub_models import StubModels
from planloom.planes.strategic.report.goal_section import NAMES
from planloom.planes.strategic.report.page import Section, render
from planloom.planes.strategic.stages.report import STAGE
from planloom.planes.strategic.stages.results import Schedule
from tests.integration.modelled import Modelled
from tests.unit.strategic.quality.plans import GOAL, facts
from tests.unit.strategic.report.drawn import chart, page
from tests.unit.strategic.stages.reported import cafe, report_context

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
#: Milliseconds in which a chart of 300 tasks is laid out anew: usually 20, far more while others run.
LAID_OUT_WITHIN = 500


@pytest.fixture(scope="module")
def browser(report: Path) -> Iterator[Any]:
    """Chromium without a window; skipped where there is none, unless PLANLOOM_NO_SKIPS forbids that.

    The *report* is drafted first: while the browser runs, its event loop is the thread's only one.
    """
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None or find_spec("playwright") is None:
        why = "no Chromium or no Playwright found: apt-get install chromium, pip install playwright"
        if os.environ.get("PLANLOOM_NO_SKIPS") == "1":
            pytest.fail(why)
        pytest.skip(why)
    # beside the other tests nothing needs it, so that they run without it
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        opened = running.chromium.launch(executable_path=found, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The café's report on disk."""
    path = tmp_path_factory.mktemp("report") / "030-report.html"
    made = asyncio.run(STAGE.draft(report_context(*cafe(facts(), GOAL))))
    path.write_text(made.html, encoding="utf-8")
    return path


class Reader:
    """A page with all that it said and asked for."""

    def __init__(self, browser: Any, path: Path, **view: Any) -> None:
        self.page = browser.new_page(**({"viewport": {"width": 1280, "height": 900}} | view))
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(path.as_uri())

    def js(self, expression: str) -> Any:
        return self.page.evaluate(expression)

    @property
    def width(self) -> float:
        """Width of the chart in pixels."""
        return float(self.js("document.querySelector('.gantt-svg').getBoundingClientRect().width"))


@pytest.fixture
def reader(browser: Any, report: Path) -> Iterator[Reader]:
    opened = Reader(browser, report)
    yield opened
    opened.page.close()


def test_the_page_opens_without_an_error_and_asks_for_nothing_but_itself(reader, report):
    reader.page.click("[data-do=open]")

    assert reader.said == []
    assert reader.asked == [report.as_uri()]


def test_the_chart_zooms_by_button_and_fits_again(reader):
    fitted = reader.width
    reader.page.click("[data-zoom=in]")
    assert reader.width == pytest.approx(fitted * 1.5, abs=1)
    reader.page.click("[data-zoom=out]")
    reader.page.click("[data-zoom=fit]")
    assert reader.width == pytest.approx(fitted, abs=1)


def test_the_chart_is_walked_and_zoomed_by_keyboard(reader):
    fitted = reader.width
    reader.page.focus(".g-bar[tabindex='0']")
    reader.page.keyboard.press("ArrowDown")
    second = reader.js("document.activeElement.dataset.id")
    reader.page.keyboard.press("End")
    last = reader.js("document.activeElement.dataset.id")
    reader.page.keyboard.press("+")
    bars = reader.js("[...document.querySelectorAll('.g-bar')].map(bar => bar.dataset.id)")

    assert (second, last) == (bars[1], bars[-1])
    assert reader.width == pytest.approx(fitted * 1.5, abs=1)
    assert reader.js("document.querySelectorAll(\".g-bar[tabindex='0']\").length") == 1


def test_focus_and_hover_tell_of_a_task_and_show_what_depends_on_it(reader):
    _, plan = cafe(facts(), GOAL)
    schedule = plan.results["schedule"]
    assert isinstance(schedule, Schedule)
    task = next(package for package in schedule.spine.packages if len(package.needs) > 1)
    reader.page.hover(f".g-bar[data-id='{task.id}'] .g-hit")
    told = reader.page.inner_text(".tip")

    assert reader.page.is_visible(".tip")
    assert told.startswith(f"{task.id} {task.title}")
    assert schedule.spine.by_id()[task.owner].title in told
    near = set(reader.js("[...document.querySelectorAll('.g-bar.near')].map(bar => bar.dataset.id)"))
    assert {need.id for need in task.needs} <= near
    reader.page.focus(f".g-bar[data-id='{task.id}']")
    assert reader.page.is_visible(".tip")
    reader.page.keyboard.press("Escape")
    assert reader.page.is_hidden(".tip")


def test_the_critical_path_alone_is_shown_on_demand(reader):
    reader.page.click("[data-zoom=critical]")

    assert reader.page.get_attribute("[data-zoom=critical]", "aria-pressed") == "true"
    loose = reader.js("getComputedStyle(document.querySelector('.g-task:not(.critical)')).opacity")
    assert float(loose) < 0.5


def test_search_marks_what_it_finds_opens_where_it_lies_and_walks_on(reader):
    reader.page.keyboard.press("/")
    assert reader.js("document.activeElement.id") == "q"
    reader.page.keyboard.type("kitchen")
    reader.page.wait_for_selector("mark.hit")
    count = reader.js("document.querySelectorAll('mark.hit').length")
    first = reader.page.inner_text(".search output")
    reader.page.keyboard.press("Enter")

    assert set(reader.js("[...document.querySelectorAll('mark.hit')].map(mark => mark.textContent.toLowerCase())")) == {
        "kitchen"
    }
    assert first == f"{count} found, Enter for the next"
    assert reader.page.inner_text(".search output") == f"1 of {count}"
    assert reader.js("[...document.querySelectorAll('mark.hit')].every(mark => mark.closest('details').open)")
    reader.page.keyboard.press("Escape")
    reader.page.wait_for_selector("mark.hit", state="detached")


def test_a_table_sorts_by_number_and_back(reader):
    reader.page.click(".toc a[href='#claims']")
    values = (
        "[...document.querySelectorAll('#task_durations table')].find(t => [...t.querySelectorAll('th')].some(h => "
        "/^effort/i.test(h.textContent)))"
    )
    reader.page.click(".toc a[href='#task_durations']")
    column = reader.js(f"[...{values}.querySelectorAll('th')].findIndex(h => /^effort/i.test(h.textContent))")
    numbers = "map(cell => parseFloat(cell.textContent)).filter(n => !isNaN(n))"
    cells = f"[...{values}.tBodies[0].rows].map(row => row.cells[{column}]).{numbers}"
    reader.js(f"{values}.querySelectorAll('th button')[{column}].click()")
    rising = reader.js(cells)
    reader.js(f"{values}.querySelectorAll('th button')[{column}].click()")

    assert rising == sorted(rising)
    assert reader.js(cells) == sorted(rising, reverse=True)
    assert reader.js(f"{values}.querySelectorAll('th')[{column}].getAttribute('aria-sort')") == "descending"


def test_columns_of_numbers_stand_on_the_right(reader):
    assert reader.js("getComputedStyle(document.querySelector('td.num')).textAlign") == "right"


def test_sections_open_and_close_together_and_by_a_link(reader):
    shut = "document.querySelectorAll('main > section > details:not([open])').length"
    reader.page.click("[data-do=open]")
    assert reader.js(shut) == 0
    reader.page.click("[data-do=close]")
    assert reader.js(shut) == reader.js("document.querySelectorAll('main > section').length")
    reader.page.click(".toc a[href='#risks']")
    reader.page.wait_for_selector("#risks > details[open]")


def test_dark_is_one_press_away_and_follows_the_system(browser, report, reader):
    paper = "getComputedStyle(document.body).backgroundColor"
    light = reader.js(paper)
    reader.page.click("[data-do=theme]")
    dark = reader.js(paper)
    by_system = Reader(browser, report, color_scheme="dark")

    assert light != dark
    assert by_system.js(paper) == dark
    assert by_system.page.get_attribute("[data-do=theme]", "aria-pressed") == "true"
    by_system.page.close()


def contrast(page: Any, selector: str) -> float:
    """Return the contrast (WCAG 2) of the first visible element *selector* against its background."""
    ink, paper = page.evaluate(
        """selector => {
          const element = [...document.querySelectorAll(selector)].find(each => each.getClientRects().length);
          let behind = element;
          while (behind && /rgba\\(.*, 0\\)|transparent/.test(getComputedStyle(behind).backgroundColor))
            behind = behind.parentElement;
          const style = getComputedStyle(element);
          return [element instanceof SVGElement ? style.fill : style.color, getComputedStyle(behind).backgroundColor];
        }""",
        selector,
    )

    def luminance(colour: str) -> float:
        parts = [int(float(part)) / 255 for part in re.findall(r"[\d.]+", colour)[:3]]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(ink), luminance(paper)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_the_contrast_that_wcag_aa_asks_for(browser, report, scheme):
    opened = Reader(browser, report, color_scheme=scheme)
    prose = ("p", "h1", ".kind", ".badge", ".verdict", ".drafted", "th button", "td", ".number", "footer p")
    figures = (".card dt", ".card dd", ".card dd.note", ".card.bad dd", ".card.warn dd", ".card.good dd")
    around = (".toc a", ".brand", "button", ".hint", ".legend", ".gantt-names li")
    drawn = (".g-year text", ".g-deadline text", ".g-confidence text")
    texts = (*prose, *figures, *around, *drawn)
    weak = {text: ratio for text in texts if opened.js(f"!!document.querySelector('{text}')")
            if (ratio := contrast(opened.page, text)) < 4.5}  # fmt: skip
    bars = {kind: ratio for kind in (".g-task rect[data-s]", ".g-task.critical rect[data-s]")
            if (ratio := contrast(opened.page, kind)) < 3}  # fmt: skip

    assert (weak, bars) == ({}, {})
    opened.page.close()


@pytest.mark.parametrize("width", [390, 320])
def test_a_phone_scrolls_down_only_and_reads_tables_row_by_row(browser, report, width):
    opened = Reader(browser, report, viewport={"width": width, "height": 844})
    opened.page.click("[data-do=open]")

    assert opened.js("document.documentElement.scrollWidth") <= width
    assert opened.js("getComputedStyle(document.querySelector('.stack td')).display") == "block"
    head = opened.js("document.querySelector('.stack th').textContent.trim()")
    assert opened.js("document.querySelector('.stack td').dataset.label") == head
    # the chart keeps a width at which its labels can be read, and scrolls in its own frame
    assert opened.width >= 500
    assert opened.said == []
    opened.page.close()


def test_print_opens_every_section_in_light_colours_and_keeps_rows_beside_their_bars(reader):
    reader.page.click("[data-do=theme]")
    reader.page.emulate_media(media="print")
    reader.js("dispatchEvent(new Event('beforeprint'))")

    assert reader.js("document.querySelectorAll('main > section > details:not([open])').length") == 0
    assert reader.page.is_hidden(".side")
    assert reader.js("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert reader.width == 470
    offset = "[...document.querySelectorAll('[data-row-of]')].map(row => {{ const bar = document.querySelector("
    offset += "`.g-bar[data-id='${{row.dataset.rowOf}}'] .g-hit`).getBoundingClientRect(); "
    offset += "return Math.abs(bar.top - row.getBoundingClientRect().top); }})"
    assert max(reader.js(offset.replace("{{", "{").replace("}}", "}"))) < 2
    pdf = reader.page.pdf(format="A4")
    assert pdf.startswith(b"%PDF-")
    assert pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") > 5


def test_the_keyboard_meets_the_skip_link_then_search_then_sections_then_the_plan(reader):
    met = []
    for _ in range(4):
        reader.page.keyboard.press("Tab")
        met.append(reader.js("document.activeElement.className || document.activeElement.id || 'summary'"))

    assert met[:3] == ["skip", "q", "summary"]
    reader.page.keyboard.press("Shift+Tab")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a whole plan whose models answered every question with markup and script in every text."""
    with StubModels(faults={"markup": 1.0}) as stub:
        modelled = Modelled.at(stub)
        # the browser has an event loop of its own in this thread
        with ThreadPoolExecutor(1) as beside:
            plan = beside.submit(lambda: modelled.work(modelled.create())).result()
        found = modelled.report(plan)
    path = tmp_path_factory.mktemp("hostile") / "030-report.html"
    path.write_text(found, encoding="utf-8")
    return path


def test_nothing_runs_of_the_markup_that_models_put_into_every_text(hostile, browser):
    reader = Reader(browser, hostile)
    page = reader.page
    page.click("[data-do=open]")

    assert reader.said == []
    assert reader.asked == [hostile.as_uri()]
    assert "document.title='ran'" in page.content(), "it is there, as text"
    assert page.title() != "ran"
    assert page.eval_on_selector_all("a", "links => links.filter(a => a.protocol === 'javascript:').length") == 0
    assert page.eval_on_selector_all("img", "found => found.length") == 0
    assert page.eval_on_selector_all("script", "found => found.filter(s => s.textContent.includes('ran')).length") == 0
    page.close()


def test_a_chart_of_three_hundred_tasks_is_laid_out_within_fifty_milliseconds(browser, tmp_path):
    path = tmp_path / "large.html"
    path.write_text(render(page("Large", gantt=chart(300))).html, encoding="utf-8")
    opened = Reader(browser, path)
    took = opened.js(
        "Math.min(...[1, 2, 3, 4, 5].map(() => { const start = performance.now(); "
        "document.querySelector('[data-zoom=in]').click(); document.querySelector('.gantt-svg').getBBox(); "
        "return performance.now() - start; }))"
    )

    assert took < LAID_OUT_WITHIN
    assert opened.said == []
    opened.page.close()


ROWS = "# Long\n\n| id | text | owner |\n|---|---|---|\n" + "".join(
    f"| {n} | row {n} **of** many, `a<b` | owner {n % 3} |\n" for n in range(500)
)


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with a collapsed table of 500 rows in a closed section, and a section that is an annex beside it."""
    folder = tmp_path_factory.mktemp("long")
    sections = (
        Section("executive_summary", "028", "Summary", "Short.", chart(5), open=True),
        Section("rows", "001", "Rows", ROWS),
        Section("words", "002", "Words", "First words.\n\n" + "word " * 300_000),
    )
    made = render(replace(page("Long"), sections=sections))
    path = folder / "030-report.html"
    for name, text in (made.annexes | {path.name: made.html}).items():
        (folder / name).write_text(text, encoding="utf-8")
    return path


SHOWN = "document.querySelectorAll('#rows tbody tr').length"


def test_a_large_table_is_whole_once_its_section_opens_and_sorts(browser, long):
    opened = Reader(browser, long)
    assert (opened.js(SHOWN), opened.page.locator(".folded").count()) == (12, 1)
    opened.page.click("#rows summary")
    opened.page.wait_for_selector("#rows .folded", state="detached")
    cells = opened.js("[...document.querySelectorAll('#rows tbody tr')].map(row => row.cells[1].innerHTML)")
    opened.page.click("#rows th:nth-child(1) button")
    opened.page.click("#rows th:nth-child(1) button")

    assert cells == [f"row {n} <strong>of</strong> many, <code>a&lt;b</code>" for n in range(500)]
    assert opened.page.inner_text("#rows tbody tr:first-child td:first-child") == "499"
    assert opened.said == []
    opened.page.close()


def test_search_finds_what_a_closed_table_holds_and_says_that_annexes_are_left_out(browser, long):
    opened = Reader(browser, long)
    opened.page.fill("#q", "row 498")
    opened.page.wait_for_selector("mark.hit")

    assert opened.page.inner_text(".search output") == "1 found, Enter for the next; annexes are not searched"
    assert opened.page.is_visible("#rows mark.hit")
    opened.page.close()


def test_print_shows_every_row_of_a_table_that_nobody_opened(browser, long):
    opened = Reader(browser, long)
    opened.js("dispatchEvent(new Event('beforeprint'))")

    assert opened.js(SHOWN) == 500
    opened.page.close()


def test_without_script_the_first_rows_and_what_is_left_out_can_be_read(browser, long):
    opened = Reader(browser, long, java_script_enabled=False)
    opened.page.click("#rows summary")
    opened.page.click("#words summary")

    assert opened.page.locator("#rows tbody tr:visible").count() == 12
    assert opened.page.inner_text(".folded") == "12 of 500 rows; the others need the script of this page."
    assert "030-3-annex-words.html of the zip" in opened.page.inner_text(".moved")
    assert "[[" not in opened.page.inner_text("#rows")
    opened.page.close()


def test_from_disk_an_annex_is_a_link_away_and_leads_back(browser, long):
    opened = Reader(browser, long)
    opened.page.click("#words summary")
    opened.page.click(".moved a")
    opened.page.wait_for_url("**/030-3-annex-words.html")
    assert opened.page.inner_text("#words").count("word ") > 290_000
    opened.page.click(".kind a")
    opened.page.wait_for_url("**/030-report.html")

    assert opened.said == []
    opened.page.close()


def test_in_the_viewers_frame_an_annex_is_named_and_is_no_link(browser, long):
    opened = browser.new_page()
    opened.route("http://viewer.test/", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    opened.goto("http://viewer.test/")
    opened.evaluate(
        """html => new Promise(done => {
          const frame = document.createElement("iframe");
          frame.setAttribute("sandbox", "allow-scripts allow-modals");
          frame.onload = done;
          frame.src = URL.createObjectURL(new Blob([html], { type: "text/html" }));
          document.body.replaceChildren(frame);
        })""",
        long.read_text(encoding="utf-8"),
    )
    frame = opened.frames[-1]
    frame.click("#words summary")

    assert frame.inner_text(".moved code") == "030-3-annex-words.html"
    assert frame.locator(".moved a").count() == 0
    opened.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_was_understood_of_the_goal_is_marked_and_can_be_read(browser, report, scheme):
    opened = Reader(browser, report, color_scheme=scheme)
    opened.page.click("#goal summary")

    assert opened.page.inner_text("#goal .goal").split() == GOAL.split()
    assert opened.page.get_attribute("#goal .goal .k-money", "title").endswith("total: EUR 400,000")
    seen = {kind for kind in NAMES if opened.page.locator(f"#goal .goal .k-{kind}").count()}
    assert {"money", "date", "ban", "quantity", "demand"} <= seen
    backs = {opened.js(f"getComputedStyle(document.querySelector('.marks .k-{kind}')).background") for kind in NAMES}
    assert len(backs) == len(NAMES), "each kind looks different"
    blended = {kind: contrast(opened.page, f".marks .k-{kind}") for kind in ("demand", "unread")}
    assert min(blended.values()) >= 4.5
    opened.page.close()


EVIL = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>"


@pytest.mark.parametrize(
    "text",
    [EVIL, "مخبز ومقهى في عمان قبل مايو " * 8, "在杭州开一家有四十八个座位的茶馆" * 12, "Donaudampfschifffahrt" * 15],
    ids=["markup", "right to left", "Chinese", "one long word"],
)
def test_any_text_in_any_field_is_shown_as_text_and_stays_within_a_phone(browser, tmp_path, text):
    path = tmp_path / "strange.html"
    path.write_text(render(page(text, gantt=chart(12, text))).html, encoding="utf-8")
    opened = Reader(browser, path, viewport={"width": 390, "height": 844})
    opened.page.click("[data-do=open]")
    opened.page.focus(".g-bar[tabindex='0']")

    assert opened.said == []
    assert opened.asked == [path.as_uri()]
    assert opened.page.inner_text("h1").strip() == text.strip()
    assert opened.js("document.documentElement.scrollWidth") <= 390
    opened.page.close()
