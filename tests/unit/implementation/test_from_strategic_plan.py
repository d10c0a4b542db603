"""What becomes of the rows of a strategic plan: a step for each package, criteria, risks, and what has no field."""

from typing import Any

from planloom.planes.links.strategic_to_implementation import implementation_of
from planloom.planes.strategic.compute.compute import compute
from planloom.planes.strategic.spine.rows import Risk
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.results import Schedule
from tests.unit.strategic.compute.sound import sound


def drafted(spine: Spine) -> tuple[dict[str, Any], Schedule]:
    schedule = Schedule(spine=spine, computed=compute(spine, runs=50))
    plan = implementation_of(plan_id="p1", run=3, title="A café", prompt="Open  a\ncafé.", schedule=schedule)
    return plan, schedule


def steps_by_package(plan: dict[str, Any]) -> dict[str, dict[str, Any]]:
    packages = {step: facts["package"] for step, facts in plan["metadata"]["tasks"].items()}
    return {packages[step["id"]]: step for step in plan["steps"]}


def test_a_step_carries_the_title_the_test_the_owner_and_the_group_of_its_package() -> None:
    first, *others = sound().packages
    package = first.model_copy(update={"done_when": "The survey is signed"})
    plan, schedule = drafted(sound().model_copy(update={"packages": (package, *others)}))
    rows = schedule.spine.by_id()
    step = steps_by_package(plan)[package.id]

    assert step["title"] == package.title
    assert step["intent"] == f"{package.title}. Done when: {package.done_when}"
    assert step["outputs"] == [{"type": "note", "value": package.done_when}]
    assert step["actions"][0]["instruction"] == f"Record the result: {package.done_when}"
    assert step["verification"] == [
        {"type": "run_command", "command": f"test -s plan/{package.id}.md", "expect": "success"}
    ]
    assert (step["ui"]["group"], step["ui"]["lane"]) == (rows[package.deliverable].title, rows[package.owner].title)


def test_steps_come_in_order_of_their_start_and_wait_for_packages_that_must_have_ended() -> None:
    plan, schedule = drafted(sound())
    steps = steps_by_package(plan)
    starts = [step["ui"]["orderHint"] for step in plan["steps"]]

    assert starts == sorted(starts)
    spine = schedule.spine
    for package in spine.packages:
        before = {need.id for need in package.needs if need.kind == "finish_start"}
        before |= {name for approval in spine.approvals if package.id in approval.frees for name in approval.papers}
        before |= {name for gate in spine.gates if package.id in gate.frees for name in gate.needs}
        assert set(steps[package.id]["dependsOn"]) == {steps[name]["id"] for name in before}
    assert any(package.id in approval.frees for approval in spine.approvals for package in spine.packages)


def test_dates_estimates_slack_and_owner_are_kept_as_metadata() -> None:
    plan, schedule = drafted(sound())
    package = schedule.spine.packages[0]
    [dated] = [each for each in schedule.computed.packages if each.id == package.id]
    step = steps_by_package(plan)[package.id]["id"]

    assert plan["metadata"]["tasks"][step] == {
        "package": package.id,
        "owner": schedule.spine.by_id()[package.owner].title,
        "start": dated.start.isoformat(),
        "end": dated.end.isoformat(),
        "days": dated.days,
        "estimate": {"low": package.low, "likely": package.likely, "high": package.high},
        "effort": dated.effort,
        "totalSlack": dated.slack,
        "critical": dated.critical,
    }
    [end] = [odds for odds in schedule.computed.odds if odds.what == "end"]
    assert plan["metadata"]["schedule"] == {
        "start": schedule.computed.start.isoformat(),
        "end": schedule.computed.end.isoformat(),
        "deadline": "2027-10-29",
        "p50": end.p50.isoformat(),
        "p80": end.p80.isoformat(),
        "chance": end.chance,
        "verdict": "holds",
        "critical_path": list(schedule.computed.path),
    }
    assert plan["metadata"]["origin"] == {"type": "strategic-plan", "planId": "p1", "run": 3}
    assert plan["goal"] == "Open a café."


def test_measures_of_success_and_dated_demands_are_the_criteria() -> None:
    plan, schedule = drafted(sound())
    spine = schedule.spine

    assert len(plan["acceptanceCriteria"]) == len(spine.criteria) + sum(
        demand.due is not None for demand in spine.demands
    )
    assert "Open the café by the end of August 2027 (by 31 August 2027)" in plan["acceptanceCriteria"]


def test_a_risk_has_a_level_by_what_it_is_expected_to_cost_or_delay() -> None:
    risks = (
        Risk(id="K1", cause="a", event="Loses much", odds=0.5, cost=100_000),
        Risk(id="K2", cause="a", event="Loses days", odds=0.5, days=14),
        Risk(id="K3", cause="a", event="Loses little", odds=0.1, cost=100, response="Accept it", owner="R1"),
    )
    plan, schedule = drafted(sound().model_copy(update={"risks": risks}))
    owner = schedule.spine.by_id()["R1"].title

    assert plan["risks"] == [
        {"id": "R1", "level": "high", "title": "K1 Loses much", "mitigation": "No response is planned"},
        {"id": "R2", "level": "medium", "title": "K2 Loses days", "mitigation": "No response is planned"},
        {"id": "R3", "level": "low", "title": "K3 Loses little", "mitigation": f"Accept it ({owner})"},
    ]
