"""The viewer on the embedded AWS, used as people use it: sign in, find a plan, read it."""

import gzip
import re
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from functions.viewer import headers
from planloom.planes.strategic.stages.pipeline import PIPELINE
from planloom_cli.service import Address
from tests.e2e.conftest import PATIENCE as DRAFTED_WITHIN
from tests.e2e.conftest import Running, example
from tests.e2e.viewing import ROOT, Visitor, call, chromium, require_browser_and_viewer

#: Of the plan for the bakery, as rules read its goal.
TITLE = "Open a 48-seat bakery café in the Alfama quarter of Lisbon"


@pytest.fixture(scope="module")
def address(service: Running, drafted: str) -> Address:
    """The service with a plan that was stopped and one that was drafted."""
    assert drafted
    return service.address


@pytest.fixture(scope="module")
def browser(address: Address) -> Iterator[Any]:
    """Chromium, started when all that needs an event loop of its own is done."""
    with chromium() as opened:
        yield opened


@pytest.fixture
def visitor(browser: Any, address: Address) -> Iterator[Visitor]:
    """Somebody who has not signed in; whatever the page did must have stayed on its origin, without an error."""
    opened = Visitor(browser, address)
    yield opened
    assert opened.elsewhere() == []
    opened.close()


def test_the_page_comes_with_the_strict_policy_and_no_key(address: Address) -> None:
    page = httpx2.get(address.viewer_url, timeout=DRAFTED_WITHIN)
    bare = httpx2.get(address.viewer_url.rstrip("/"), follow_redirects=True, timeout=DRAFTED_WITHIN)

    assert page.status_code == 200
    assert page.headers["content-security-policy"] == headers.CONTENT_SECURITY_POLICY
    assert page.headers["cache-control"] == headers.ASK_AGAIN
    assert bare.text == page.text


def test_a_wrong_key_says_what_to_do_and_a_right_one_opens_the_plans(visitor: Visitor) -> None:
    visitor.open()
    visitor.sign_in("pex_wrong")
    assert "not valid or was revoked" in visitor.page.get_by_role("alert").inner_text()
    visitor.sign_in()
    visitor.page.get_by_role("heading", name="Strategic plans").wait_for()

    visitor.page.locator(".row").nth(1).wait_for()
    kept = visitor.page.evaluate("[Object.keys(sessionStorage), Object.keys(localStorage), document.cookie]")
    assert kept == [["planloom.key"], [], ""]


def test_the_key_is_forgotten_with_the_tab_and_on_signing_out(visitor: Visitor) -> None:
    visitor.open()
    visitor.sign_in()
    visitor.page.get_by_role("button", name="Sign out").click()
    visitor.page.get_by_role("heading", name="Sign in to planloom").wait_for()

    assert visitor.page.evaluate("sessionStorage.length") == 0


def test_plans_are_filtered_by_state_and_words(visitor: Visitor) -> None:
    visitor.open()
    visitor.sign_in()
    rows = visitor.page.locator(".row")
    rows.first.wait_for()
    visitor.page.get_by_label("State").select_option("stopped")
    assert set(rows.locator(".pill").all_inner_texts()) == {"stopped"}
    visitor.page.get_by_label("Search goals").fill("nothing like this")
    visitor.page.get_by_role("heading", name="Nothing fits").wait_for()
    visitor.page.get_by_role("button", name="Clear the filters").click()

    assert rows.count() >= 2
    assert visitor.said == []


def test_a_stopped_plan_says_how_many_steps_it_has_and_can_be_resumed_or_retried(visitor: Visitor) -> None:
    visitor.open()
    visitor.sign_in()
    page = visitor.page
    page.get_by_label("State").select_option("stopped")
    page.locator(".row").first.click()
    page.get_by_role("button", name="Retry").wait_for()

    assert page.get_by_role("button", name="Resume").is_visible()
    assert page.get_by_text(re.compile(rf"\d+ of {len(PIPELINE)} steps")).is_visible()
    assert visitor.said == []


def test_a_plan_links_to_the_one_that_it_comes_from(visitor: Visitor, address: Address, drafted: str) -> None:
    asked = {"prompt": example("flood-wall-aalborg"), "derived_from": drafted}
    plan_id = str(call(address, "POST", "plans", asked)["plan_id"])
    call(address, "POST", f"plans/{plan_id}/stop", {})
    visitor.open(f"#/plans/{plan_id}")
    visitor.sign_in()
    visitor.page.get_by_role("link", name="derived from another plan").click()
    visitor.page.locator(".row-facts code", has_text=drafted).wait_for()

    assert visitor.said == []


def test_a_plan_is_watched_while_it_is_drafted_without_reloading(visitor: Visitor, address: Address) -> None:
    stopped = str(call(address, "POST", "plans", {"prompt": example("bakery-cafe-lisbon")})["plan_id"])
    call(address, "POST", f"plans/{stopped}/stop", {})
    visitor.open()
    visitor.sign_in()
    page = visitor.page
    page.locator(".row").first.wait_for()
    plan_id = str(call(address, "POST", "plans", {"prompt": example("bakery-cafe-lisbon")})["plan_id"])
    # as if the tab had been hidden: without a plan that is drafted the next look would be in half a minute
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    row = page.locator(f'.row[href="#/plans/{plan_id}"]')
    row.locator(".pill").wait_for()
    # a draft takes seconds: it is begun only once somebody watches
    visitor.open(f"#/open/{stopped}")
    page.locator(".stage-card").nth(len(PIPELINE) - 1).wait_for()
    page.evaluate("window.loaded = 1")
    page.get_by_role("button", name="Resume").click()
    # that it can be stopped shows for seconds, on a slow machine perhaps never: the draft may end between two looks
    page.get_by_role("link", name="Open the report").wait_for(timeout=1000 * DRAFTED_WITHIN)

    page.locator(".stage-card.finished").nth(len(PIPELINE) - 1).wait_for()
    assert page.locator("h1").inner_text() == TITLE
    assert page.evaluate("window.loaded") == 1, "the page was not loaded again"
    streams = [url for url in visitor.asked if "/events" in url]
    assert len(streams) >= 2
    assert visitor.faults() == []
    assert visitor.said == []


def test_the_files_of_a_plan_are_read_as_text_and_as_tables(visitor: Visitor, drafted: str) -> None:
    visitor.open()
    visitor.sign_in()
    visitor.page.locator(".row").first.wait_for()
    assert not [url for url in visitor.asked if "markdown" in url]
    visitor.open(f"#/plans/{drafted}/files")
    page = visitor.page
    page.locator(".document").get_by_role("heading", name=TITLE).wait_for()
    page.get_by_role("button", name="As text").click()
    page.locator(".file-view pre", has_text=f"# {TITLE}").wait_for()
    page.get_by_role("button", name="As text").click()
    page.get_by_label("Filter files").fill("020-8-risks.md")
    page.locator(".file-list button").first.click()
    page.locator(".document table tr").nth(5).wait_for()
    assert page.locator(".document").get_by_role("columnheader").count() >= 3
    assert visitor.faults() == []
    page.get_by_label("Filter files").fill("011-3-packages.csv")
    page.locator(".file-list button").first.click()
    page.locator(".sheet tr").nth(5).wait_for()
    page.get_by_label("Filter files").fill("030-report.html")
    page.locator(".file-list button").first.click()
    page.locator(".file-view pre", has_text="<!doctype html>").wait_for()

    assert page.locator("iframe").count() == 0
    assert visitor.faults() == []
    assert visitor.said == []


def test_the_report_is_shown_in_a_frame_in_which_its_own_script_alone_runs(visitor: Visitor, drafted: str) -> None:
    visitor.open()
    visitor.sign_in()
    visitor.page.locator(".row").first.wait_for()
    visitor.open(f"#/plans/{drafted}/report")
    report = visitor.page.frame_locator("iframe")
    report.get_by_role("heading", name=TITLE).wait_for()
    report.get_by_role("link", name="Risks and when to stop").click()
    report.locator("#risks > details[open]").wait_for()
    report.get_by_role("button", name="Open all").click()
    assert report.locator("details[id]").evaluate_all("all => all.every(each => each.open)")

    assert report.locator("body").evaluate("() => window.origin") == "null"
    assert report.locator("body").evaluate("getComputedStyle(document.querySelector('.side')).position") != "static"
    assert visitor.page.locator("iframe").get_attribute("sandbox") == "allow-scripts allow-modals"
    assert visitor.faults() == []
    assert visitor.said == []


def test_what_readers_download_is_small_enough() -> None:
    require_browser_and_viewer()
    files = [path for path in (ROOT / "build" / "viewer").rglob("*") if path.suffix in (".html", ".js", ".css")]
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 9)) for path in files}

    assert len(sizes) >= 3
    assert sum(sizes.values()) < 350_000
