"""What happens in a workflow run flows back to the plan that it was made from, and to webhooks."""

from typing import Any

import pytest

from planloom.approvals.approval import Decision, Response
from planloom.core.errors import InvalidArgument
from planloom.planes.implementation.services.revise_implementation_plan import set_step_status
from planloom.planes.links.link import LinkEnd
from planloom.planes.links.service import draft_from_implementation_plan, start_workflow
from planloom.planes.workflows.facts import Result
from tests.unit.links.fakes import Linked
from tests.unit.links.test_implementation_links import a_plan, a_step
from tests.unit.workflows.drafts import draft, edge, node

DONE = Result(structured_output={"summary": "done", "verification": {"v1": True}})
FAILED = Result(structured_output={"summary": "no", "verification": {"v1": False}})
ROLLBACK = [{"type": "revert_commit_strategy"}]


@pytest.fixture
def linked() -> Linked:
    return Linked()


def started(linked: Linked, plan: dict[str, Any] | None = None) -> tuple[str, str]:
    """Store an implementation plan, start its workflow, and return the ids of both."""
    view = linked.save(plan or a_plan(a_step(1, rollback=ROLLBACK), a_step(2, 1), a_step(3, 1, 2)))
    source, drafted = draft_from_implementation_plan(linked.plans, "acme", view.plan_id, "developer")
    run_id = start_workflow(linked.links, linked.workflows, "acme", source, drafted, None)
    return view.plan_id, run_id


def test_a_run_and_its_plan_are_linked_both_ways(linked: Linked) -> None:
    plan_id, run_id = started(linked)
    plan, run = LinkEnd(plane="implementation", id=plan_id), LinkEnd(plane="workflows", id=run_id)
    (link,) = linked.links.of("acme", plan)
    assert linked.links.of("acme", run) == [link]
    assert (link.source, link.target, link.steps) == (plan, run, {"S1": "S1", "S2": "S2", "S3": "S3"})
    assert linked.links.of("other", plan) == []


def test_steps_follow_the_nodes_of_the_run(linked: Linked) -> None:
    plan_id, run_id = started(linked)
    assert linked.statuses(plan_id) == ["todo", "todo", "todo"]
    linked.workflows.claim("acme", by="developer", seconds=300, run_id=run_id, node_id="S1")
    assert linked.statuses(plan_id) == ["doing", "todo", "todo"]
    run = linked.workflows.get("acme", run_id)
    assert run.nodes["S1"].claim is not None
    linked.workflows.submit("acme", run_id, "S1", DONE, by="developer", token=run.nodes["S1"].claim.token)
    assert linked.statuses(plan_id) == ["done", "todo", "todo"]
    for name in ("S2", "S3"):
        linked.workflows.submit("acme", run_id, name, DONE, by="developer")
    assert linked.statuses(plan_id) == ["done", "done", "done"]
    assert linked.workflows.get("acme", run_id).status == "completed"


def test_a_step_whose_verification_fails_for_good_is_blocked(linked: Linked) -> None:
    plan_id, run_id = started(linked)
    for _ in range(2):
        linked.workflows.submit("acme", run_id, "S1", FAILED, by="developer")
    assert linked.workflows.get("acme", run_id).status == "blocked"
    assert linked.statuses(plan_id) == ["blocked", "todo", "todo"]


def test_changes_that_people_make_to_the_plan_meanwhile_are_kept(linked: Linked) -> None:
    plan_id, run_id = started(linked)
    set_step_status(linked.plans, "acme", plan_id, "S3", "doing")
    linked.workflows.submit("acme", run_id, "S1", DONE, by="developer")
    assert linked.statuses(plan_id) == ["done", "todo", "doing"]


def test_a_fact_that_changes_no_status_makes_no_revision(linked: Linked) -> None:
    plan_id, run_id = started(linked)
    linked.workflows.submit("acme", run_id, "S1", DONE, by="developer")
    before = linked.plans.registry.get(plan_id)
    linked.services.executor.reconcile(run_id)
    assert linked.plans.registry.get(plan_id) == before


def test_a_run_that_replaces_another_takes_over_its_link(linked: Linked) -> None:
    plan_id, run_id = started(linked)
    _, drafted = draft_from_implementation_plan(linked.plans, "acme", plan_id, "developer")
    run = linked.workflows.replace("acme", run_id, "Smaller", drafted.draft)
    linked.workflows.submit("acme", run.run_id, "S1", DONE, by="developer")
    assert linked.statuses(plan_id) == ["done", "todo", "todo"]
    assert len(linked.links.of("acme", LinkEnd(plane="implementation", id=plan_id))) == 2


def test_a_run_goes_on_when_its_plan_is_gone(linked: Linked) -> None:
    view = linked.save(a_plan(), account="other")
    source, drafted = draft_from_implementation_plan(linked.plans, "other", view.plan_id, "developer")
    run_id = start_workflow(linked.links, linked.workflows, "acme", source, drafted, None)
    linked.workflows.submit("acme", run_id, "S1", DONE, by="developer")
    assert linked.statuses(view.plan_id) == ["todo", "todo", "todo"]
    assert linked.workflows.get("acme", run_id).nodes["S1"].status == "completed"


def test_only_what_the_account_has_can_be_linked(linked: Linked) -> None:
    plan_id, run_id = started(linked)
    plan, run = LinkEnd(plane="implementation", id=plan_id), LinkEnd(plane="workflows", id=run_id)
    foreign = LinkEnd(plane="implementation", id=linked.save(a_plan(), account="other").plan_id)
    for source, target in ((foreign, run), (plan, foreign), (plan, plan)):
        with pytest.raises(InvalidArgument):
            linked.links.add("acme", source, target)
    assert linked.links.add("acme", plan, run, {"S1": "S2"}).steps == {"S1": "S2"}


def test_webhooks_learn_of_ready_nodes_states_and_the_end_once_each(linked: Linked) -> None:
    _, run_id = started(linked)
    linked.services.executor.reconcile(run_id)
    for name in ("S1", "S2", "S3"):
        linked.workflows.submit("acme", run_id, name, DONE, by="developer")
    linked.services.executor.reconcile(run_id)
    by_id = {each.event_id: each for each in linked.events}
    shown = [(each.type, each.data.get("node_id") or each.data.get("state")) for each in by_id.values()]
    assert shown == [("node.ready", "S1"), ("node.ready", "S2"), ("node.ready", "S3"), ("run.ended", "completed")]
    assert {each.account for each in linked.events} == {"acme"}


def test_webhooks_learn_of_nodes_of_people_but_not_of_those_that_ask_for_an_approval(linked: Linked) -> None:
    parts = [node("do", owner="user:ann", maxIterations=2), node("choose", "decision"), node("enter", "human-input")]
    parts += [node("ok", "human-approval"), node("pick", "decision", owner="user:boss"), node("end")]
    edges = [edge("do", "choose"), edge("choose", "do", when="input.again = true"), edge("choose", "enter")]
    edges += [edge("enter", "ok"), edge("ok", "pick"), edge("pick", "end", when="output.go = true")]
    run_id = linked.workflows.create("acme", draft(*parts, *edges)).run_id
    for name, output in (("do", {"again": True}), ("do", {}), ("enter", {})):
        linked.workflows.submit("acme", run_id, name, Result(structured_output=output))
    approved = Response(by="boss", decision=Decision.APPROVE)
    linked.workflows.respond("acme", linked.workflows.get("acme", run_id).approval_ids[-1], approved)
    shown = {each.event_id: each.data["node_id"] for each in linked.events if each.type == "node.ready"}
    assert list(shown.values()) == ["do", "do", "enter", "pick"]


def test_webhooks_learn_that_a_run_is_blocked_and_why(linked: Linked) -> None:
    _, run_id = started(linked)
    for _ in range(2):
        linked.workflows.submit("acme", run_id, "S1", FAILED, by="developer")
    (blocked,) = [each.data for each in linked.events if each.type == "run.state_changed"]
    run = linked.workflows.get("acme", run_id)
    assert (blocked["previous"], blocked["state"], blocked["reason"]) == ("running", "blocked", run.reason)
