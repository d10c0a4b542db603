"""Graphs and runs in the viewer on the embedded AWS: tried, run, stopped, resumed, approved, read, changed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from planloom_cli.service import Address
from tests.e2e.conftest import Running
from tests.e2e.tool_server import Tools
from tests.e2e.viewing import Visitor, call, chromium

LONG = "write-the-report-of-the-last-quarter-with-all-of-its-figures"


@pytest.fixture(scope="module")
def address(service: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """The running service, whose account has a tool server."""
    tools = Tools(tmp_path_factory.mktemp("tools"))
    call(service.address, "POST", "tool-servers", {"name": "viewed", "url": tools.url, "trusted": True})
    yield service.address
    tools.kill()


@pytest.fixture(scope="module")
def visitor(address: Address) -> Iterator[Visitor]:
    """Somebody who has signed in; the page must have stayed on its origin, without an error."""
    with chromium() as browser:
        opened = Visitor(browser, address)
        opened.open()
        opened.sign_in()
        opened.page.get_by_role("heading", name="Strategic plans").wait_for()
        yield opened
        assert opened.elsewhere() == []
        opened.close()


def step(index: str, tool: str, needs: list[str], **args: Any) -> dict[str, Any]:
    return {"index": index, "tool": tool, "server": "viewed", "depends_on": needs, "args": args}


def graph() -> dict[str, Any]:
    """A sum and many rows side by side, a note that takes *seconds*, then something destructive."""
    steps = [
        step("1", "add", [], a="${first}", b=2) | {"result_variable": "sum", "title": "Add"},
        step("2", "rows", [], count=20_000) | {"title": "Many rows"},
        step(LONG, "note", ["1", "2"], text="It is ${sum}.", seconds="${seconds}") | {"idempotent": True},
        step("4", "erase", [LONG], what="files of ${sum}") | {"title": "Erase"},
    ]
    return {"title": "Look and erase", "variables": {"first": 1, "seconds": 60}, "steps": steps}


def state(visitor: Visitor, name: str) -> None:
    """Wait until the run is said to be in the state *name*."""
    visitor.page.locator(".toolbar .row-facts", has_text=name).wait_for()


def card(visitor: Visitor, name: str) -> Any:
    return visitor.page.locator(f'.react-flow__node[data-id="{name}"]')


def started(visitor: Visitor, plan_id: str, seconds: str) -> str:
    """Run the graph from its screen and return the id of the run."""
    page = visitor.page
    visitor.open(f"#/graphs/{plan_id}")
    page.get_by_role("button", name="Run…").click()
    page.get_by_label("seconds").fill(seconds)
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url("**#/runs/*")
    return str(page.url.rsplit("/", 1)[-1])


@pytest.fixture(scope="module")
def plan_id(address: Address) -> str:
    return str(call(address, "POST", "graphs", {"graph": graph()})["plan_id"])


def test_a_dry_run_shows_the_calls_and_a_run_is_stopped_and_resumed(
    visitor: Visitor, address: Address, plan_id: str
) -> None:
    page = visitor.page
    visitor.open(f"#/graphs/{plan_id}")
    page.get_by_role("button", name="Run…").click()
    page.get_by_role("button", name="Dry run").click()
    assert "files of <add result>" in page.get_by_label("Arguments of 4").inner_text()
    page.keyboard.press("Escape")
    assert plan_id not in [each["plan_id"] for each in call(address, "GET", "runs")["runs"]]

    run_id = started(visitor, plan_id, "60")
    card(visitor, LONG).locator(".running").wait_for()
    page.get_by_role("button", name="Stop").click()
    state(visitor, "stopped")
    # the call that was stopped may be repeated: nothing is asked
    page.get_by_role("button", name="Resume").click()
    state(visitor, "resumed once")
    call(address, "POST", f"runs/{run_id}/stop")


def test_a_step_is_approved_and_results_are_read(visitor: Visitor, address: Address, plan_id: str) -> None:
    page = visitor.page
    started(visitor, plan_id, "0")
    page.get_by_role("button", name="Decide…").click()
    page.get_by_label("What is called", exact=True).get_by_text("files of 3").wait_for()
    page.get_by_role("button", name="Approve").click()
    state(visitor, "completed")

    card(visitor, "4").click()
    assert "files of 3 erased" in page.get_by_label("Result").inner_text()
    used = f"Approved by owner with the key {address.key[:10]}"
    page.locator(".panel .row-facts", has_text=used).wait_for()
    card(visitor, "2").click()
    page.get_by_text("Show the result").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    assert len(json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))["rows"]) == 20_000
    page.get_by_role("tab", name="Timeline").click()
    assert page.get_by_label("Timeline", exact=True).locator("li").count() == 4
    assert visitor.faults() == []


def test_a_step_is_rejected_in_the_inbox(visitor: Visitor, address: Address, plan_id: str) -> None:
    run = call(address, "POST", f"graphs/{plan_id}/runs", {"variables": {"seconds": 0}, "wait_sec": 15})
    assert run["state"] == "waiting"
    visitor.open("#/approvals")
    waiting = visitor.page.get_by_label("Erase: Look and erase")
    assert "files of 3" in waiting.inner_text()
    waiting.get_by_label("Comment").fill("not today")
    waiting.get_by_role("button", name="Reject").click()
    waiting.wait_for(state="detached")

    visitor.page.get_by_role("button", name="Decided").click()
    rejected = visitor.page.get_by_label("Erase: Look and erase").first
    rejected.get_by_text(f"with the key {address.key[:10]}").wait_for()
    visitor.open(f"#/runs/{run['run_id']}")
    visitor.page.get_by_role("alert").get_by_text("not today").wait_for()


def test_a_graph_is_changed_and_saved_as_a_revision(visitor: Visitor, address: Address, plan_id: str) -> None:
    page = visitor.page
    visitor.open(f"#/graphs/{plan_id}")
    page.get_by_role("button", name="Edit").click()
    text = page.get_by_role("dialog").get_by_role("textbox").first
    text.fill(text.input_value().replace("20000", "30000"))
    page.get_by_role("button", name="Save as revision 2").click()
    page.get_by_role("dialog").wait_for(state="detached")

    steps = call(address, "GET", f"graphs/{plan_id}")["graph"]["steps"]
    assert steps[1]["args"] == {"count": 30_000}
