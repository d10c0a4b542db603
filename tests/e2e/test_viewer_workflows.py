"""The example of the specification, drafted by an agent over MCP and approved in the browser."""

from dataclasses import replace
from typing import Any

from tests.e2e.conftest import Running
from tests.e2e.viewing import Visitor, call, chromium, require_browser_and_viewer
from tests.unit.workflows.drafts import launch
from tests.unit.workflows.test_advance import ARTIFACT, BRIEF

#: What would run as a script where a text is taken for markup.
SCRIPT = "<img src=x onerror=alert(1)><script>alert(2)</script>"
WORKSTREAM = "viewer"


def drafted(service: Running) -> str:
    """Start the example and submit its brief, at first one that its schema rejects; return the id of the run."""
    address = replace(service.address, mcp_url=f"{service.address.mcp_url}/workflows")
    agent = replace(service, address=address)
    draft = launch()
    draft["nodes"][1]["label"] += SCRIPT
    run_id = agent.call("createExecutionPlan", workstreamId=WORKSTREAM, **draft)["runId"]
    results: list[dict[str, Any]] = [{}, {"structuredOutput": BRIEF, "artifacts": [ARTIFACT | {"description": SCRIPT}]}]
    accepted = [
        agent.call("submitExecutionNodeResult", runId=run_id, nodeId="draft-brief", result=result)["accepted"]
        for result in results
    ]
    assert accepted == [False, True]
    return str(run_id)


def test_the_brief_is_approved_in_the_browser_of_a_phone(service: Running) -> None:
    require_browser_and_viewer()
    run_id = drafted(service)
    with chromium() as browser:
        visitor = Visitor(browser, service.address, viewport={"width": 390, "height": 844})
        visitor.open("#/approvals")
        visitor.sign_in()
        page, card = visitor.page, visitor.page.get_by_role("article", name="Approve launch brief")
        card.get_by_label("Comment").fill(SCRIPT)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        card.get_by_role("button", name="Approve").click()
        page.get_by_role("status").get_by_text("Approve launch brief").wait_for()
        visitor.open(f"#/workflows/{run_id}")
        page.get_by_text("100 % of the nodes are done").wait_for()
        page.get_by_text("approve-brief").first.click()
        page.get_by_text(SCRIPT).first.wait_for()
        assert (visitor.said, visitor.elsewhere()) == ([], [])
        visitor.close()
    plan = call(service.address, "GET", f"workflows/runs/{run_id}?includeApprovals=true")
    assert plan["run"]["status"] == "completed"
    assert [each["responses"][0]["comment"] for each in plan["approvals"]] == [SCRIPT]
