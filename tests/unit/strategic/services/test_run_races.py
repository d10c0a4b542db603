"""Ends, silences and workers of a run that are late: what came first counts."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from threading import Thread

import pytest

from planloom.core.artifacts import sha256_of
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.run_errors import RunInterrupted
from planloom.planes.strategic.services.archive_plan import archive_plan
from planloom.planes.strategic.services.dispatch_run import dispatch_run
from planloom.planes.strategic.services.edit_artifact import edit_artifact
from planloom.planes.strategic.services.end_run import end_run
from planloom.planes.strategic.services.invalidate_plan import invalidate_plan
from planloom.planes.strategic.services.resume_plan import resume_plan
from planloom.planes.strategic.services.stop_plan import stop_plan
from planloom.planes.strategic.services.watch_plans import watch_plans
from planloom.planes.strategic.steps import StepRecord
from planloom.planes.strategic.watch_settings import WatchSettings
from tests.fake_ports import Fakes, make_fakes
from tests.unit.strategic.services.overtaken import Overtaken
from tests.unit.strategic.services.walk import begin, deliver, work


@pytest.fixture
def fakes() -> Fakes:
    return make_fakes()


@pytest.mark.parametrize("status", ["ABORTED", "SUCCEEDED"])
def test_the_end_of_a_run_does_not_end_the_next_one_that_began_meanwhile(fakes: Fakes, status: str) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
    fakes.files.write(plan.plan_id, "030-report.html", b"<html>", "text/html")
    resumed = Overtaken(
        fakes.plans, "rewrite", lambda: resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    )
    end_run(replace(fakes.ports, plans=resumed).run_control, plan.plan_id, 1, status)
    now = fakes.plans.get(plan.plan_id)
    assert (now.state, now.run) == ("pending", 2)


def silence(fakes: Fakes) -> None:
    fakes.clock.pass_(seconds=WatchSettings().inactive_after / timedelta(seconds=1) + 1)


def test_a_run_whose_events_are_not_delivered_is_not_taken_for_silent(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    deliver(fakes)
    silence(fakes)
    work(fakes, plan, "screening")
    assert watch_plans(fakes.ports.run_control) == {}
    now = fakes.plans.get(plan.plan_id)
    assert (now.state, set(now.steps_finished)) == ("processing", {"001", "002"})
    silence(fakes)
    assert watch_plans(fakes.ports.run_control) == {plan.plan_id: "inactive"}


def change(fakes: Fakes, plan: Plan, path: str, text: str | None = "Mine.\n") -> None:
    """Edit the file *path*, or without *text* invalidate the step that made it."""
    if text is None:
        invalidate_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, artifacts=[path])
    else:
        edit_artifact(
            fakes.ports.run_control,
            fakes.ports.models,
            "acme",
            plan.plan_id,
            path,
            text,
            fakes.files.sha256(plan.plan_id, path),
        )


def work_late(fakes: Fakes, plan: Plan, name: str, record: str, *first: Callable[[], object]) -> None:
    """Run the stage *name*; what comes *first* is done between its last look at the plan and its *record*."""

    def elsewhere() -> None:
        for what in first:
            other = Thread(target=what)
            other.start()
            other.join()

    late = replace(fakes, ports=replace(fakes.ports, files=Overtaken(fakes.files, "replace", elsewhere, record)))
    with suppress(RunInterrupted):
        work(late, plan, name)


def assert_changed(fakes: Fakes, plan: Plan, text: str | None) -> None:
    record = fakes.files.read(plan.plan_id, "steps/002.json")
    if text is None:
        assert record == b""
        return
    (edited,) = (file for file in StepRecord.model_validate_json(record).artifacts if file.edited)
    assert (edited.path, edited.sha256) == ("002-2-screening.md", sha256_of(text.encode()))


@pytest.mark.parametrize("text", ["Mine.\n", None], ids=["edit", "invalidation"])
def test_the_second_worker_of_a_stage_undoes_no_change_made_after_a_stop(fakes: Fakes, text: str | None) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    work_late(
        fakes,
        plan,
        "screening",
        "steps/002.json",
        lambda: work(fakes, plan, "screening"),
        lambda: stop_plan(fakes.ports.run_control, "acme", plan.plan_id),
        lambda: change(fakes, plan, "002-2-screening.md", text),
    )
    assert_changed(fakes, plan, text)


@pytest.mark.parametrize("text", ["Mine.\n", None], ids=["edit", "invalidation"])
def test_a_worker_that_makes_a_stage_again_undoes_no_change_made_after_a_stop(fakes: Fakes, text: str | None) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start", "screening")
    stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
    change(fakes, plan, "001-3-start.md", "Another start.\n")
    plan = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    work(fakes, plan, "start")
    work_late(
        fakes,
        plan,
        "screening",
        "steps/002.json",
        lambda: stop_plan(fakes.ports.run_control, "acme", plan.plan_id),
        lambda: change(fakes, plan, "002-2-screening.md", text),
    )
    assert_changed(fakes, plan, text)


def test_of_two_workers_of_a_stage_in_a_run_that_goes_on_both_come_through(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    work_late(fakes, plan, "screening", "steps/002.json", lambda: work(fakes, plan, "screening"))
    deliver(fakes)
    assert set(fakes.plans.get(plan.plan_id).steps_finished) == {"001", "002"}
    assert fakes.files.writes.count("steps/002.json") == 2


def test_an_edit_made_while_the_end_of_its_run_is_told_shows_in_the_list_of_files(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start", "screening")
    deliver(fakes)
    stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
    edited = Overtaken(fakes.plans, "rewrite", lambda: change(fakes, plan, "002-2-screening.md"))
    end_run(replace(fakes.ports, plans=edited).run_control, plan.plan_id, 1, "ABORTED")
    assert fakes.plans.file(plan.plan_id, "002-2-screening.md").sha256 == sha256_of(b"Mine.\n")


def test_a_step_that_a_resume_counted_and_its_run_made_again_is_told_before_the_end_of_the_run(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start", "screening")
    deliver(fakes)
    stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
    plan = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    fakes.files.delete(plan.plan_id, ["002-2-screening.md"])
    work(fakes, plan, "start", "screening")
    end_run(fakes.ports.run_control, plan.plan_id, 2, "FAILED")
    told = [entry for entry in fakes.ports.log.last_events(plan.plan_id, 100) if entry.data.get("run") == 2]
    made = [entry.data["step"] for entry in told if entry.type == "stage_finished"]
    assert made == ["002-screening"]
    deliver(fakes)
    assert fakes.ports.log.last_events(plan.plan_id, 1)[0].type != "stage_finished"


def test_whoever_keeps_a_plan_late_keeps_it_as_it_is_now(fakes: Fakes) -> None:
    plan = begin(fakes)
    stop_plan(fakes.ports.run_control, "acme", plan.plan_id)

    def archive() -> None:
        archive_plan(fakes.ports.plan_records, "acme", plan.plan_id)

    # published again by the end of its execution, which read it before it was archived
    late = Overtaken(fakes.files, "read_tagged", archive, "plan.json")
    end_run(replace(fakes.ports, files=late).run_control, plan.plan_id, 1, "ABORTED")
    assert Plan.model_validate_json(fakes.files.read(plan.plan_id, "plan.json")).archived_at


def test_a_repeated_start_that_comes_late_forgets_no_answer_of_the_run_under_way(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start", "screening")
    stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
    change(fakes, plan, "002-2-screening.md", None)
    late = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    kept = "002-0-screening-verdict.json"
    assert fakes.files.read(plan.plan_id, kept) is None
    fakes.clock.pass_(seconds=5)
    fakes.files.at = fakes.clock()
    fakes.files.write(plan.plan_id, kept, b"{}", "application/json")
    dispatch_run(fakes.ports.run_control, late)
    assert fakes.files.read(plan.plan_id, kept) == b"{}"
