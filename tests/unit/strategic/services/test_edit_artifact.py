"""Edits: locked by hash, kept through every later run, and nothing made again but what depends on them."""

import json
from dataclasses import replace
from typing import Any

import pytest

from planloom.core.artifacts import Artifact, sha256_of
from planloom.core.errors import (
    ArtifactConflict,
    ArtifactNotFound,
    InvalidArgument,
    PermissionDenied,
    PlanActive,
    PlanArchived,
)
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.services.artifact_versions import artifact_versions, undo_edit
from planloom.planes.strategic.services.edit_artifact import Edited, edit_artifact
from planloom.planes.strategic.services.read_artifact import read_version
from planloom.planes.strategic.services.resume_plan import resume_plan
from planloom.planes.strategic.services.run_stage import wanted
from planloom.planes.strategic.stages.pipeline import PIPELINE
from tests.fake_ports import Fakes
from tests.fakes import FakeFileStore
from tests.unit.strategic.services.drafted import completed, run
from tests.unit.strategic.services.spy import Spy
from tests.unit.strategic.services.walk import in_order

CRITICISM = "016-2-expert_criticism.md"
#: Those that need expert_criticism, and those that need them.
AFTER_CRITICISM = {"024", "026", "020", "021", "025", "029", "030"}
ALL = {stage.key for stage in PIPELINE}


def text_of(fakes: Fakes, plan: Plan, path: str) -> str:
    return fakes.files.read(plan.plan_id, path).decode()


def edit(fakes: Fakes, plan: Plan, path: str, content: str, **options: Any) -> Edited:
    expected = fakes.files.sha256(plan.plan_id, path)
    return edit_artifact(
        fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, path, content, expected, **options
    )


def one_line_changed(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:4], "Ask a baker who has closed a shop.\n", *lines[5:]])


def test_one_line_of_a_completed_plan_is_edited_and_exactly_what_depends_on_it_is_made_again(spy: Spy) -> None:
    fakes, origin = completed(spy)
    before = dict(fakes.files.contents)
    text = one_line_changed(text_of(fakes, origin, CRITICISM))

    done = edit(fakes, origin, CRITICISM, text)

    plan = done.plan
    assert (plan.derived_from, plan.state, plan.account) == (origin.plan_id, "pending", "acme")
    assert {step[:3] for step in done.remade} == ALL - set(plan.steps_finished) == AFTER_CRITICISM
    assert fakes.pipeline.started[-1] == (plan.plan_id, 2, "build_plan")
    spy.questions.clear()
    skipped, made = run(fakes, plan)
    assert {"024", "030"} <= set(made) <= AFTER_CRITICISM
    assert set(skipped) | set(made) == ALL
    ended = fakes.plans.get(plan.plan_id)
    assert (ended.state, len(ended.steps_finished)) == ("completed", len(PIPELINE))
    assert "Ask a baker who has closed a shop." in text_of(fakes, plan, "030-report.html")
    # the origin is as it was
    assert {name: text for name, text in fakes.files.contents.items() if name[0] == origin.plan_id} == before
    assert fakes.plans.get(origin.plan_id) == origin


def test_15_2_the_same_content_put_back_makes_nothing_again(stopped: tuple[Fakes, Plan], spy: Spy) -> None:
    fakes, plan = stopped
    path = "004-2-draft.md"
    text = text_of(fakes, plan, path)
    first = edit(fakes, plan, path, text + "It must pay for itself.\n")
    assert [file.edited for file in first.files] == [True]
    assert "005-choice" in first.remade
    second = edit(fakes, plan, path, text)
    assert [(file.edited, file.made_sha256) for file in second.files] == [(False, None)]
    asked = len(spy.asked)
    again = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    assert len(again.steps_finished) == 5
    _, made = run(fakes, again, *in_order()[:5])
    assert (made, len(spy.asked)) == ([], asked)


def test_the_content_that_is_there_already_changes_nothing(spy: Spy) -> None:
    fakes, plan = completed(spy)
    writes = list(fakes.files.writes)
    done = edit(fakes, plan, CRITICISM, text_of(fakes, plan, CRITICISM))
    assert (done.plan, done.files, done.remade) == (plan, (), ())
    assert (fakes.files.writes, list(fakes.plans.plans)) == (writes, [plan.plan_id])


def test_2_1_an_edit_is_kept_by_its_own_stage_and_read_by_later_ones(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    path = "004-2-draft.md"
    text = text_of(fakes, plan, path) + "It must pay for itself.\n"
    edit(fakes, plan, path, text)
    again = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    assert "005" not in again.steps_finished
    _, made = run(fakes, again, *in_order()[:5])
    assert made == ["005"]
    assert text_of(fakes, again, path) == text
    file = next(file for file in fakes.plans.all_files(plan.plan_id) if file.path == path)
    assert (file.edited, file.sha256) == (True, sha256_of(text.encode()))


def test_an_edit_that_was_damaged_is_put_back(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    path = "004-2-draft.md"
    text = text_of(fakes, plan, path) + "It must pay for itself.\n"
    edit(fakes, plan, path, text)
    fakes.files.write(plan.plan_id, path, b"# Cut sh", "text/markdown")
    again = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    _, made = run(fakes, again, *in_order()[:4])
    assert (made, text_of(fakes, again, path)) == ([], text)


def test_edited_json_is_validated_rendered_and_its_claims_count(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    path = "001-1-start.json"
    result = json.loads(text_of(fakes, plan, path))
    total = next(money for money in result["facts"]["money"] if money["role"] == "total")
    total["low"] = total["high"] = 250_000
    done = edit(fakes, plan, path, json.dumps(result))
    assert {file.path for file in done.files} == {path, "001-3-start.md"}
    assert all(file.edited for file in done.files)
    assert "EUR 250,000" in text_of(fakes, plan, "001-3-start.md")
    record = json.loads(text_of(fakes, plan, "steps/001.json"))
    assert next(c["value"] for c in record["claims"] if c["id"] == "start.budget") == "250000"
    # the same result written otherwise is the same file
    assert edit(fakes, plan, path, json.dumps(json.loads(text_of(fakes, plan, path)), indent=8)).files == ()


def test_json_that_takes_the_place_of_edited_markdown_names_the_edit_that_is_lost(
    stopped: tuple[Fakes, Plan],
) -> None:
    fakes, plan = stopped
    path = "001-1-start.json"
    first = edit(fakes, plan, path, text_of(fakes, plan, path).replace("240000", "250000"))
    assert first.edits_lost == ()
    mine = edit(fakes, plan, "001-3-start.md", "Mine.\n")
    assert mine.edits_lost == ()
    second = edit(fakes, plan, path, text_of(fakes, plan, path).replace("250000", "260000"))
    assert second.edits_lost == ("001-3-start.md",)
    assert "EUR 260,000" in text_of(fakes, plan, "001-3-start.md")


@pytest.mark.parametrize(
    ("path", "instead"),
    [
        ("026-3-schedule.csv", "026-1-schedule.json or 026-2-schedule.md"),
        ("026-4-gantt.mmd", "026-1-schedule.json or 026-2-schedule.md"),
        ("030-report.html", "NNN-1-name.json or NNN-2-name.md"),
        ("030-1-quality.json", "NNN-1-name.json or NNN-2-name.md"),
    ],
)
def test_what_is_computed_is_not_edited_and_the_refusal_says_what_is(spy: Spy, path: str, instead: str) -> None:
    fakes, plan = completed(spy)
    with pytest.raises(InvalidArgument, match=instead):
        edit(fakes, plan, path, "Mine.\n")
    assert list(fakes.plans.plans) == [plan.plan_id]


@pytest.mark.parametrize("content", ["{", "[]", '{"today": "yesterday"}'])
def test_json_that_does_not_fit_its_model_is_refused_and_nothing_changes(
    stopped: tuple[Fakes, Plan], content: str
) -> None:
    fakes, plan = stopped
    before = dict(fakes.files.contents)
    with pytest.raises(InvalidArgument, match="does not fit its model"):
        edit(fakes, plan, "001-1-start.json", content)
    assert fakes.files.contents == before


def test_of_two_editors_one_wins_and_the_other_is_told_the_current_hash(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    path = "004-2-draft.md"
    expected = fakes.files.sha256(plan.plan_id, path)
    edit_artifact(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, path, "Mine.\n", expected)
    with pytest.raises(ArtifactConflict) as told:
        edit_artifact(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, path, "Theirs.\n", expected)
    assert told.value.details["current_sha256"] == sha256_of(b"Mine.\n")
    assert text_of(fakes, plan, path) == "Mine.\n"
    edit_artifact(
        fakes.ports.run_control,
        fakes.ports.models,
        "acme",
        plan.plan_id,
        path,
        "Both.\n",
        told.value.details["current_sha256"],
    )
    assert text_of(fakes, plan, path) == "Both.\n"


def test_2_2_of_two_editors_at_the_same_moment_one_wins(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    path = "004-2-draft.md"
    expected = fakes.files.sha256(plan.plan_id, path)
    store = fakes.files

    class Overtaken(FakeFileStore):
        """Another editor is quicker between the look at the record and its replacement."""

        def replace(self, plan_id: str, path_: str, content: bytes, content_type: str, tag: str | None) -> bool:
            edit_artifact(
                fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, path, "Quicker.\n", expected
            )
            return store.replace(plan_id, path_, content, content_type, tag)

    slower = replace(fakes.ports, files=Overtaken(store.contents, store.writes, store.types, store.kept))
    with pytest.raises(ArtifactConflict) as told:
        edit_artifact(slower.run_control, slower.models, "acme", plan.plan_id, path, "Slower.\n", expected)
    assert told.value.details["current_sha256"] == sha256_of(b"Quicker.\n")
    assert text_of(fakes, plan, path) == "Quicker.\n"
    record = json.loads(text_of(fakes, plan, "steps/004.json"))
    assert {file["path"]: file["sha256"] for file in record["artifacts"]}[path] == sha256_of(b"Quicker.\n")


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("001-2-plan.txt", InvalidArgument),
        ("999-pipeline_complete.txt", InvalidArgument),
        ("003-0-premise_attack-attacks.json", InvalidArgument),
        ("../plan.json", InvalidArgument),
        ("plan.json", InvalidArgument),
        ("steps/004.json", InvalidArgument),
        ("004-2-nothing.md", InvalidArgument),
        ("011-2-spine.md", ArtifactNotFound),
    ],
)
def test_only_artifacts_of_finished_steps_are_edited(
    stopped: tuple[Fakes, Plan], path: str, error: type[Exception]
) -> None:
    fakes, plan = stopped
    with pytest.raises(error):
        edit_artifact(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, path, "x", "0" * 64)


def test_a_plan_that_is_going_archived_or_anothers_is_not_edited(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    path, expected = "004-2-draft.md", fakes.files.sha256(plan.plan_id, "004-2-draft.md")
    with pytest.raises(PermissionDenied):
        edit_artifact(fakes.ports.run_control, fakes.ports.models, "other", plan.plan_id, path, "x", expected)
    fakes.plans.plans[plan.plan_id] = plan.model_copy(update={"archived_at": fakes.clock()})
    with pytest.raises(PlanArchived):
        edit_artifact(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, path, "x", expected)
    fakes.plans.plans[plan.plan_id] = plan.model_copy(update={"state": "processing"})
    with pytest.raises(PlanActive, match="Stop it first"):
        edit_artifact(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, path, "x", expected)


def test_undo_is_one_call_and_a_second_one_does_it_again(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    path = "004-2-draft.md"
    text = text_of(fakes, plan, path)
    edit(fakes, plan, path, "Mine.\n")
    undone = undo_edit(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, path)
    assert (text_of(fakes, plan, path), undone.artifact.edited) == (text, False)
    undo_edit(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, path)
    assert text_of(fakes, plan, path) == "Mine.\n"
    first = artifact_versions(fakes.ports.plan_records, "acme", plan.plan_id, path)[-1]
    assert read_version(fakes.ports.plan_records, "acme", plan.plan_id, path, first.version).decode() == text
    undo_edit(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, path, version=first.version)
    assert text_of(fakes, plan, path) == text


def test_what_was_never_anything_else_is_not_undone(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    with pytest.raises(InvalidArgument, match="nothing to undo"):
        undo_edit(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, "004-2-draft.md")
    with pytest.raises(ArtifactNotFound):
        undo_edit(
            fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, "004-2-draft.md", version="none such"
        )
    with pytest.raises(ArtifactNotFound):
        artifact_versions(fakes.ports.plan_records, "acme", plan.plan_id, "004-2-nothing.md")


def test_an_edit_of_a_completed_plan_is_undone_in_the_plan_derived_from_it(spy: Spy) -> None:
    fakes, origin = completed(spy)
    text = text_of(fakes, origin, CRITICISM)
    derived = edit(fakes, origin, CRITICISM, "Mine.\n", start=False).plan
    assert (derived.state, fakes.pipeline.started) == ("stopped", [])
    undo_edit(fakes.ports.run_control, fakes.ports.models, "acme", derived.plan_id, CRITICISM)
    assert text_of(fakes, derived, CRITICISM) == text
    again = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", derived.plan_id)
    assert len(again.steps_finished) == len(PIPELINE)
    assert run(fakes, again)[1] == []


def test_the_same_request_derives_one_plan(spy: Spy) -> None:
    fakes, origin = completed(spy)
    fakes.pipeline.broken = True
    with pytest.raises(ConnectionError):
        edit(fakes, origin, CRITICISM, "Mine.\n", client_request_id="once")
    fakes.pipeline.broken = False
    first = edit(fakes, origin, CRITICISM, "Mine.\n", client_request_id="once").plan
    assert edit(fakes, origin, CRITICISM, "Mine.\n", client_request_id="once").plan == first
    assert len(fakes.plans.plans) == 2
    assert fakes.pipeline.started == [(first.plan_id, 2, "build_plan")]
    assert wanted(fakes.ports.plans, first.plan_id, 2) == first


def test_edited_says_the_listing(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    edit(fakes, plan, "004-2-draft.md", "Mine.\n")
    listed: list[Artifact] = fakes.plans.all_files(plan.plan_id)
    assert [file.path for file in listed if file.edited] == ["004-2-draft.md"]


def test_a_corrected_total_of_a_completed_plan_remakes_every_step_that_reads_the_facts(spy: Spy) -> None:
    fakes, origin = completed(spy)
    start = json.loads(text_of(fakes, origin, "001-1-start.json"))
    total = next(money for money in start["facts"]["money"] if money["role"] == "total")
    total["low"] = total["high"] = 300_000

    done = edit(fakes, origin, "001-1-start.json", json.dumps(start))

    assert {step[:3] for step in done.remade} == ALL - {"001"}
    derived = json.loads(text_of(fakes, done.plan, "001-1-start.json"))
    assert [m["by"] for m in derived["facts"]["money"] if m["role"] == "total"] == ["caller"]
    assert [c["value"] for c in derived["claims"] if c["id"] == "start.budget"] == ["300000"]
