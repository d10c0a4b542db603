"""Example plans: drafted here, listed with links; nothing is shown that was not drafted."""

import pytest

from planloom.api.example_prompts import CURATED, example_prompts
from planloom.domain.artifacts import REPORT, artifact, sha256_of
from planloom.domain.errors import GenerationFailed
from planloom.domain.plans import Plan
from planloom.services.end_run import end_plan
from planloom.services.example_plans import Sample, build_examples
from tests.unit.api.calling import http, tool
from tests.unit.services.walk import deliver, work
from tests.worlds import Fakes

BAKERY = Sample(id="bakery-cafe-lisbon", title="A bakery", prompt="Open a bakery in Lisbon by May 2027 with €90,000.")


def drafted(fakes: Fakes, plan: Plan) -> Plan:
    """Draft a first step and a report, and end the plan."""
    work(fakes, plan, "start")
    deliver(fakes)
    content = f"<p>{plan.plan_id}</p>".encode()
    fakes.files.write(plan.plan_id, REPORT, content, "text/html")
    fakes.plans.files[plan.plan_id][REPORT] = artifact(REPORT, content, fakes.clock())
    end_plan(fakes.world, fakes.plans.plans[plan.plan_id], "completed")
    return fakes.plans.plans[plan.plan_id]


def test_where_none_are_built_the_tool_says_so_and_how(fakes: Fakes) -> None:
    answer = tool("example_plans")
    assert (answer.body["examples"], answer.is_error) == ([], False)
    assert "planloom examples build" in answer.body["message"]
    assert http("GET", "/v1/example-plans").body == answer.body


def test_what_is_built_is_shown_with_links_sizes_and_hashes(fakes: Fakes) -> None:
    (built,) = build_examples(fakes.world, [BAKERY], "baseline", lambda plan: drafted(fakes, plan))
    (shown,) = tool("example_plans", account="anybody").body["examples"]
    report = fakes.world.examples.read(BAKERY.id, REPORT)
    assert (shown["id"], shown["models"], shown["report_sha256"]) == (BAKERY.id, ["outline"], sha256_of(report))
    assert (shown["report_size"], built.prompt) == (len(report), BAKERY.prompt)
    assert shown["report_url"].startswith("https://")
    assert shown["expires_at"] == "2026-11-02T10:00:00Z"
    assert fakes.world.examples.read(BAKERY.id, "run.zip").startswith(b"PK")
    assert tool("plan_list", account="anybody").body["plans"] == [], "they are nobody's plans"


def test_a_draft_that_fails_leaves_the_list_as_it_was(fakes: Fakes) -> None:
    build_examples(fakes.world, [BAKERY], "baseline", lambda plan: drafted(fakes, plan))
    before = tool("example_plans").body

    def failed(plan: Plan) -> Plan:
        end_plan(fakes.world, plan, "stopped")
        return fakes.plans.plans[plan.plan_id]

    with pytest.raises(GenerationFailed, match="was not completed: it is stopped"):
        build_examples(fakes.world, [BAKERY, BAKERY], "baseline", failed)
    assert tool("example_plans").body == before


def test_the_curated_ones_are_example_prompts() -> None:
    assert set(CURATED) <= {sample["id"] for sample in example_prompts()}
