"""The viewer on the embedded AWS, used as people use it: sign in, find a plan, read it."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from functions.viewer import headers
from planloom_cli.service import Address
from tests.e2e.conftest import Running
from tests.e2e.viewing import Visitor, chromium


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
    page = httpx2.get(address.viewer_url)
    bare = httpx2.get(address.viewer_url.rstrip("/"), follow_redirects=True)

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
