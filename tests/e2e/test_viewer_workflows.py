"""The example of the specification, drafted by an agent over MCP and approved in the browser."""

from dataclasses import replace
from typing import Any

from tests.e2e.conftest import Running
from tests.e2e.viewing import Visitor, call, chromium, require_browser_and_viewer
from tests.unit.workflows.drafts import draft, edge, launch, node
from tests.unit.workflows.test_advance import ARTIFACT, BRIEF

#: What would run as a script where a text is taken for markup.
SCRIPT = "<img src=x onerror=alert(1)><script>alert(2)</script>"
WORKSTREAM = "viewer"


def agent_of(service: Running) -> Running:
    """Return *service* with the tools of workflows."""
    return replace(service, address=replace(service.address, mcp_url=f"{service.address.mcp_url}/workflows"))


def drafted(service: Running) -> str:
    """Start the example and submit its brief, at first one that its schema rejects; return the id of the run."""
    agent = agent_of(service)
    written = launch()
    written["nodes"][1]["label"] += SCRIPT
    run_id = agent.call("createExecutionPlan", workstreamId=WORKSTREAM, **written)["runId"]
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
        card.get_by_text("Delegate to another person").click()
        card.get_by_label("Who may respond in your place").fill(" deputy ")
        card.get_by_role("button", name="Delegate").click()
        page.get_by_role("status").get_by_text("deputy may respond in place of founder").wait_for()
        card.get_by_label("You are").select_option("deputy")
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
    responses = [each["responses"][0] for each in plan["approvals"]]
    assert [(each["by"], each["comment"]) for each in responses] == [("deputy", SCRIPT)]


def test_a_person_uploads_the_document_that_their_work_needs(service: Running) -> None:
    require_browser_and_viewer()
    deliverables = [{"name": "doc", "kind": "text"}, {"name": "site", "kind": "page"}]
    checks = [{"type": "artifact", "config": {"name": "doc", "verified": True}}]
    work = node("write", owner="user:boss", deliverables=deliverables, completionChecks=checks)
    started = agent_of(service).call("createExecutionPlan", workstreamId="documents", **draft(work))
    with chromium() as browser:
        visitor = Visitor(browser, service.address)
        visitor.open(f"#/workflows/{started['runId']}")
        visitor.sign_in()
        page = visitor.page
        page.get_by_label("write", exact=False).first.click()
        page.get_by_text("Still missing: doc, site").wait_for()
        page.get_by_role("group", name="site").get_by_label("or a link to it").fill("https://example.com/site")
        page.get_by_text("Still missing: doc", exact=True).wait_for()
        file = {"name": "doc.txt", "mimeType": "text/plain", "buffer": b"All of it."}
        page.get_by_role("group", name="doc").get_by_label("File to upload").set_input_files(file)
        page.get_by_text("Still missing").wait_for(state="detached")
        assert visitor.faults() == []
        page.get_by_role("button", name="Submit").click()
        page.get_by_text("100 % of the nodes are done").wait_for()
        page.get_by_role("button", name="Download 10").wait_for()
        assert (visitor.said, visitor.elsewhere()) == ([], [])
        visitor.close()


def test_older_events_are_shown_page_by_page(service: Running) -> None:
    require_browser_and_viewer()
    agent = agent_of(service)
    joins = [node(f"join-{place}", "join") for place in range(130)]
    written = draft(node("work"), *joins, *(edge("work", join["id"]) for join in joins))
    run_id = agent.call("createExecutionPlan", workstreamId="events", **written)["runId"]
    agent.call("submitExecutionNodeResult", runId=run_id, nodeId="work", result={})
    events = agent.call("getExecutionEvents", runId=run_id, limit=1000)["events"]
    assert len(events) > 200
    with chromium() as browser:
        visitor = Visitor(browser, service.address)
        visitor.open(f"#/workflows/{run_id}")
        visitor.sign_in()
        page = visitor.page
        page.get_by_role("tab", name="Timeline").click()
        lines, older = (
            page.get_by_role("list", name="Log").locator("> li"),
            page.get_by_role("button", name="Older events"),
        )
        for count in [*range(200, len(events), 100), len(events)]:
            older.click()
            lines.nth(count - 1).wait_for()
            assert lines.count() == count
        older.wait_for(state="detached")
        assert "plan created" in lines.first.inner_text()
        assert (visitor.said, visitor.elsewhere()) == ([], [])
        visitor.close()


def test_a_run_whose_plan_must_change_shows_the_command_and_no_resume(service: Running) -> None:
    require_browser_and_viewer()
    agent = agent_of(service)
    written = draft(node("work", failurePolicy=[{"on": "executor_failed", "action": "replan"}]))
    run_id = agent.call("createExecutionPlan", workstreamId="replan", **written)["runId"]
    agent.call("submitExecutionNodeResult", runId=run_id, nodeId="work", result={"status": "failed"})
    with chromium() as browser:
        visitor = Visitor(browser, service.address)
        visitor.open(f"#/workflows/{run_id}")
        visitor.sign_in()
        page = visitor.page
        page.get_by_text(f"planloom workflow replace {run_id} DRAFT.json --carry-over").wait_for()
        assert page.get_by_role("button", name="Resume").count() == 0
        visitor.close()
