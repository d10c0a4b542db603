"""The command bar of the viewer: programs that read, that need a review first, that take long, and that are wrong."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.conftest import Running
from tests.e2e.viewing import Visitor, call, chromium, require_browser_and_viewer
from tests.unit.workflows.drafts import draft, node

#: What would run as a script where a text is taken for markup.
SCRIPT = "<img src=x onerror=alert(1)><script>alert(2)</script>"
STREAMS = ("bar-one", "bar-two")


@pytest.fixture(scope="module")
def runs(service: Running) -> dict[str, str]:
    """Two workflows that wait for an agent, by their workstreams."""
    title = {"title": f"Programs {SCRIPT}"}
    sent = {name: draft(node("write"), node("check"), entries=("write", "check")) | title for name in STREAMS}
    return {
        name: call(service.address, "POST", "workflows/runs", {"workstreamId": name, **document})["runId"]
        for name, document in sent.items()
    }


def errors(visitor: Visitor) -> list[str]:
    """Return what the page said, without the refusals of programs, which the browser reports too."""
    return [each for each in visitor.said if "the server responded with a status of 4" not in each]


@pytest.fixture
def visitor(service: Running, runs: dict[str, str]) -> Iterator[Visitor]:
    """Somebody who has signed in and opened the command bar with its key."""
    require_browser_and_viewer()
    with chromium() as browser:
        opened = Visitor(browser, service.address)
        opened.open()
        opened.sign_in()
        opened.page.get_by_role("heading", name="Strategic plans").wait_for()
        opened.page.keyboard.press("Control+K")
        opened.page.get_by_role("dialog", name="Run a program").wait_for()
        yield opened
        assert (errors(opened), opened.elsewhere()) == ([], [])
        opened.close()


def run(visitor: Visitor, program: str) -> Any:
    """Type a program where the focus is, send it with Enter, and return the dialog."""
    page = visitor.page
    assert page.evaluate("document.activeElement.tagName") == "TEXTAREA"
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(program)
    page.keyboard.press("Enter")
    return page.get_by_role("dialog", name="Run a program")


def status(visitor: Visitor, run_id: str) -> str:
    return str(call(visitor.address, "GET", f"workflows/runs/{run_id}")["run"]["status"])


def test_a_program_shows_its_rows_as_text_and_the_bar_is_accessible(visitor: Visitor, runs: dict[str, str]) -> None:
    dialog = run(visitor, "Workflow.filter{status = running}[id, title, workstream_id].limit(5)")
    dialog.get_by_role("columnheader", name="workstream_id").wait_for()
    for run_id in runs.values():
        row = dialog.get_by_role("row").filter(has_text=run_id)
        assert SCRIPT in row.inner_text()
    assert visitor.faults() == []
    visitor.page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")


def test_what_changes_something_is_shown_first_and_runs_when_the_user_says_so(
    visitor: Visitor, runs: dict[str, str]
) -> None:
    kept, stopped = (runs[name] for name in STREAMS)
    dialog = run(visitor, f'Workflow.stop("{kept}")')
    plan = dialog.get_by_role("group", name="What the program would do")
    plan.get_by_text("This program changes something").wait_for()
    plan.get_by_text("Workflow.stop (destroys)").wait_for()
    dialog.get_by_role("button", name="Do not run it").click()
    plan.wait_for(state="hidden")
    # the focus is in the text again
    dialog = run(visitor, f'Workflow.stop("{stopped}", reason="not needed")')
    dialog.get_by_role("button", name="Run it", exact=True).click()
    dialog.get_by_role("status").get_by_text("! 1r").wait_for()
    assert (status(visitor, kept), status(visitor, stopped)) == ("running", "aborted")


def test_an_operation_is_followed_to_its_result_and_further_rows_are_a_click(
    visitor: Visitor, runs: dict[str, str]
) -> None:
    run_id = runs[STREAMS[0]]
    # its backend does not filter by name: it reads all pages, so it needs a review and is an operation
    dialog = run(visitor, f'WorkflowEvent.filter{{run_id = "{run_id}" and name = node_ready}}[id, node_id]')
    dialog.get_by_text("This program needs a look first").wait_for()
    dialog.get_by_role("button", name="Run it", exact=True).click()
    dialog.get_by_role("status").get_by_text("! 2r").wait_for()
    assert dialog.get_by_role("row").count() == 3


def test_a_wrong_name_is_answered_with_the_right_one_and_arrows_bring_back_what_ran(visitor: Visitor) -> None:
    page = visitor.page
    dialog = run(visitor, "Workflw[id].limit(2)")
    dialog.get_by_role("alert").get_by_text("Workflow").wait_for()
    run(visitor, "Workflow[id].limit(2)").get_by_role("columnheader", name="id").wait_for()
    box = page.get_by_role("textbox", name="Program")
    for key, shown in (
        ("ArrowUp", "Workflow[id].limit(2)"),
        ("ArrowUp", "Workflw[id].limit(2)"),
        ("ArrowDown", "Workflow[id].limit(2)"),
    ):
        page.keyboard.press(key)
        assert box.input_value() == shown
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("Control+K")
    dialog.get_by_role("region", name="Programs that you ran").get_by_text("Workflw[id].limit(2)").wait_for()


def test_the_bar_fits_a_phone(service: Running, runs: dict[str, str]) -> None:
    require_browser_and_viewer()
    with chromium() as browser:
        visitor = Visitor(browser, service.address, viewport={"width": 390, "height": 844})
        visitor.open()
        visitor.sign_in()
        visitor.page.get_by_role("button", name="Run a program").click()
        dialog = run(visitor, "Workflow[id, title, workstream_id, status, created_at].limit(5)")
        dialog.get_by_role("columnheader", name="created_at").wait_for()
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 390
        assert (errors(visitor), visitor.elsewhere()) == ([], [])
        visitor.close()
