"""Example plans: drafted here, listed with links; nothing is shown that was not drafted."""

import pytest

from planloom.core.artifacts import REPORT, artifact, sha256_of
from planloom.core.errors import GenerationFailed
from planloom.planes.strategic.example_prompts import CURATED, example_prompts
from planloom.planes.strategic.services.create_plan import create_plan
from planloom.planes.strategic.services.end_run import end_plan
from planloom.planes.strategic.services.example_plans import ACCOUNT, Sample, example_plans, keep_example
from tests.fake_ports import Fakes
from tests.unit.api.calling import http, tool
from tests.unit.strategic.services.walk import deliver, work

BAKERY = Sample(id="bakery-cafe-lisbon", title="A bakery", prompt="Open a bakery in Lisbon by May 2027 with €90,000.")


def drafted(fakes: Fakes) -> str:
    """Draft two steps and a report, end the plan, and return its id."""
    plan = create_plan(fakes.ports.run_control, fakes.ports.models, ACCOUNT, BAKERY.prompt)
    work(fakes, plan, "start", "screening")
    deliver(fakes)
    content = f"<p>{plan.plan_id}</p>".encode()
    fakes.files.write(plan.plan_id, REPORT, content, "text/html")
    fakes.plans.files[plan.plan_id][REPORT] = artifact(REPORT, content, fakes.clock())
    end_plan(fakes.ports.run_control, fakes.plans.plans[plan.plan_id], "completed")
    return plan.plan_id


def test_where_none_are_built_the_tool_says_so_and_how(fakes: Fakes) -> None:
    answer = tool("example_plans")
    assert (answer.body["examples"], answer.is_error) == ([], False)
    assert "planloom examples build" in answer.body["message"]
    assert http("GET", "/v1/example-plans").body == answer.body


def test_what_is_built_is_shown_with_links_sizes_and_hashes(fakes: Fakes) -> None:
    built = keep_example(
        fakes.ports.plan_records, fakes.ports.examples, fakes.ports.shares, fakes.ports.billing, BAKERY, drafted(fakes)
    )
    (shown,) = tool("example_plans", account="anybody").body["examples"]
    report = fakes.ports.examples.read(BAKERY.id, REPORT)
    assert (shown["id"], shown["models"], shown["report_sha256"]) == (BAKERY.id, ["outline"], sha256_of(report))
    assert (shown["report_size"], built.prompt) == (len(report), BAKERY.prompt)
    assert shown["report_url"].startswith("https://")
    assert shown["expires_at"] == "2026-11-02T10:00:00Z"
    assert fakes.ports.examples.read(BAKERY.id, "run.zip").startswith(b"PK")
    assert tool("plan_list", account="anybody").body["plans"] == [], "they are nobody's plans"


def test_a_draft_that_fails_leaves_the_list_as_it_was(fakes: Fakes) -> None:
    keep_example(
        fakes.ports.plan_records, fakes.ports.examples, fakes.ports.shares, fakes.ports.billing, BAKERY, drafted(fakes)
    )
    before = tool("example_plans").body
    plan = create_plan(fakes.ports.run_control, fakes.ports.models, ACCOUNT, BAKERY.prompt)
    end_plan(fakes.ports.run_control, plan, "stopped")

    with pytest.raises(GenerationFailed, match="was not completed: it is stopped"):
        keep_example(
            fakes.ports.plan_records,
            fakes.ports.examples,
            fakes.ports.shares,
            fakes.ports.billing,
            BAKERY,
            plan.plan_id,
        )
    assert tool("example_plans").body == before


def test_an_example_takes_the_place_of_its_own_kind_alone_and_leaves_no_draft_behind(fakes: Fakes) -> None:
    other = BAKERY.model_copy(update={"id": "mars-colony"})
    keep_example(
        fakes.ports.plan_records, fakes.ports.examples, fakes.ports.shares, fakes.ports.billing, BAKERY, drafted(fakes)
    )
    keep_example(
        fakes.ports.plan_records, fakes.ports.examples, fakes.ports.shares, fakes.ports.billing, other, drafted(fakes)
    )
    fakes.clock.pass_(seconds=60)
    again = keep_example(
        fakes.ports.plan_records, fakes.ports.examples, fakes.ports.shares, fakes.ports.billing, BAKERY, drafted(fakes)
    )

    assert [each.id for each in example_plans(fakes.ports.examples)] == [BAKERY.id, other.id]
    assert example_plans(fakes.ports.examples)[0] == again
    assert (fakes.plans.plans, fakes.files.plans()) == ({}, [])


def test_the_curated_ones_are_example_prompts() -> None:
    assert set(CURATED) <= {sample["id"] for sample in example_prompts()}
