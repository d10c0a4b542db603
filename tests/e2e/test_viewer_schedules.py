"""Schedules and budgets of graphs in the viewer on the embedded AWS: added, used, changed and removed."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from planloom.accounts.make_key import make_key
from planloom_cli.service import Address
from tests.e2e.conftest import Running
from tests.e2e.tool_server import Tools
from tests.e2e.viewing import Visitor, call, chromium

SCREEN = "#/graphs/schedules"


@pytest.fixture(scope="module")
def address(service: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """The running service for an account that has a tool server and nothing else."""
    ports = service.ports
    owned = replace(service.address, key=make_key(ports.keys, ports.clock, "scheduling"))
    tools = Tools(tmp_path_factory.mktemp("tools"))
    call(owned, "POST", "tool-servers", {"name": "viewed", "url": tools.url, "trusted": True})
    yield owned
    tools.kill()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


def visiting(browser: Any, address: Address, **view: Any) -> Visitor:
    visitor = Visitor(browser, address, **view)
    visitor.open(SCREEN)
    visitor.sign_in()
    visitor.page.get_by_role("heading", name="Schedules and budgets").wait_for()
    return visitor


def step(index: str, **args: Any) -> dict[str, Any]:
    return {"index": index, "tool": "add", "server": "viewed", "args": args}


def row(visitor: Visitor, name: str) -> Any:
    return visitor.page.get_by_role("listitem").filter(has_text=name)


def test_graphs_are_scheduled_and_budgets_are_set_used_changed_and_removed(browser: Any, address: Address) -> None:
    visitor = visiting(browser, address)
    page, dialog = visitor.page, visitor.page.get_by_role("dialog")
    page.get_by_role("link", name="Write a graph").wait_for()
    assert page.get_by_role("button", name="New schedule").count() == 0
    steps = [step(index, a="${first}", b=2) for index in "123"]
    graph = {"title": "Add three times", "variables": {"first": 1}, "steps": steps}
    plan_id = call(address, "POST", "graphs", {"graph": graph})["plan_id"]

    page.get_by_role("button", name="New budget").click()
    dialog.get_by_role("textbox", name="Name").fill("shared calls")
    dialog.get_by_text("Use letters, digits").wait_for()
    assert dialog.get_by_role("button", name="Create").is_disabled()
    dialog.get_by_role("textbox", name="Name").fill("shared-calls")
    dialog.get_by_label("Calls at most").fill("2")
    dialog.get_by_role("button", name="Create").click()
    row(visitor, "shared-calls").get_by_text("2 left").wait_for()

    visitor.open(f"#/graphs/{plan_id}")
    page.get_by_role("button", name="Run…").click()
    dialog.get_by_role("combobox", name="Shared budget", exact=True).select_option("shared-calls")
    dialog.get_by_role("button", name="Run", exact=True).click()
    page.locator(".toolbar .row-facts", has_text="failed").wait_for()
    visitor.open(SCREEN)
    row(visitor, "shared-calls").get_by_text("none left").wait_for()
    page.get_by_role("button", name="Change the budget shared-calls").click()
    dialog.get_by_text("2 calls are taken already").wait_for()
    dialog.get_by_label("Calls at most").fill("10")
    dialog.get_by_role("button", name="Change", exact=True).click()
    row(visitor, "shared-calls").get_by_text("8 left").wait_for()

    visitor.open(f"#/graphs/{plan_id}")
    page.get_by_role("button", name="Schedule…").click()
    dialog.get_by_role("textbox", name="Name").fill("weekly-sum")
    dialog.get_by_role("combobox", name="How often", exact=True).select_option("Every week")
    dialog.get_by_role("combobox", name="Day", exact=True).select_option("Friday")
    dialog.get_by_label("Time", exact=True).fill("08:05")
    dialog.get_by_role("combobox", name="Time zone", exact=True).select_option("Europe/Lisbon")
    dialog.get_by_label("first").fill("41")
    dialog.get_by_role("combobox", name="Shared budget", exact=True).select_option("shared-calls")
    assert visitor.faults() == []
    dialog.get_by_role("button", name="Schedule", exact=True).click()
    page.wait_for_url(f"**{SCREEN}")
    scheduled = row(visitor, "weekly-sum")
    scheduled.get_by_text("every Friday at 08:05, Europe/Lisbon").wait_for()
    assert scheduled.get_by_role("link", name="Add three times").get_attribute("href") == f"#/graphs/{plan_id}"
    found = call(address, "GET", "schedules/weekly-sum")
    assert (found["plan_id"], found["when"]) == (plan_id, "cron(5 8 ? * FRI *)")

    page.get_by_role("button", name="New schedule").click()
    dialog.get_by_role("textbox", name="Name").fill("weekly-sum")
    dialog.get_by_text("It is replaced.").wait_for()
    dialog.get_by_role("textbox", name="Name").fill("quarterly")
    dialog.get_by_role("combobox", name="How often", exact=True).select_option("By a cron expression")
    dialog.get_by_role("textbox", name="Expression").fill("cron(0 25 1 * ? *)")
    dialog.get_by_role("button", name="Schedule", exact=True).click()
    dialog.get_by_role("alert").get_by_text("hour").wait_for()
    dialog.get_by_role("textbox", name="Expression").fill("cron(0 7 1 1,4,7,10 ? *)")
    dialog.get_by_role("button", name="Schedule", exact=True).click()
    row(visitor, "quarterly").get_by_text("cron(0 7 1 1,4,7,10 ? *)").wait_for()
    assert visitor.faults() == []

    page.get_by_role("button", name="Remove the schedule weekly-sum").click()
    dialog.get_by_role("button", name="Remove", exact=True).click()
    scheduled.wait_for(state="detached")
    page.get_by_role("button", name="Remove the budget shared-calls").click()
    dialog.get_by_role("button", name="Remove", exact=True).click()
    page.get_by_role("heading", name="No budgets yet").wait_for()
    assert [each["name"] for each in call(address, "GET", "schedules")["schedules"]] == ["quarterly"]
    assert call(address, "GET", "budgets")["budgets"] == []
    assert visitor.elsewhere() == []
    visitor.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_schedules_and_budgets_fit_a_phone(browser: Any, address: Address, theme: str) -> None:
    graph = {"title": "Add", "steps": [step("1", a=1, b=2)]}
    plan_id = call(address, "POST", "graphs", {"graph": graph})["plan_id"]
    call(address, "PUT", "budgets/a-budget-with-a-name-that-is-as-long-as-names-of-budgets-may-be", {"calls": 0})
    call(address, "PUT", "schedules/once", {"plan_id": plan_id, "when": "at(2090-01-31T08:00:00)"})
    missed = {"missed": [{"due": "2026-01-31T08:00:00Z", "reason": "The service did not run at that time."}]}

    def with_missed(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={"schedules": [each | missed for each in answer.json()["schedules"]]})

    visitor = visiting(browser, address, viewport={"width": 390, "height": 844}, color_scheme=theme)
    visitor.page.route("**/v1/schedules", with_missed)
    visitor.page.reload()
    row(visitor, "once, on 2090-01-31 at 08:00").wait_for()
    row(visitor, "a-budget").get_by_text("none left").wait_for()
    row(visitor, "2090").get_by_text("1 missed").click()
    row(visitor, "2090").get_by_text("The service did not run").wait_for()
    width = "document.documentElement.scrollWidth"
    assert visitor.page.evaluate(width) <= 390
    assert visitor.faults() == []
    visitor.page.get_by_role("button", name="New schedule").click()
    visitor.page.get_by_role("dialog").get_by_role("textbox", name="Name").wait_for()
    assert visitor.page.evaluate(width) <= 390
    assert visitor.faults() == []
    visitor.close()
