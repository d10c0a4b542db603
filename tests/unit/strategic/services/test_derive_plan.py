"""Derived plans: one for each call that asks for one, whole after a crash, of the version that their origin is of."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from planloom.core.errors import PipelineVersionMismatch, PlanActive, PlanArchived, PlanNotFound, RequestConflict
from planloom.planes.strategic.plans import PIPELINE_VERSION, Plan
from planloom.planes.strategic.services.archive_plan import archive_plan
from planloom.planes.strategic.services.artifact_versions import undo_edit
from planloom.planes.strategic.services.create_plan import create_plan
from planloom.planes.strategic.services.delete_plan import delete_plan, erase_deleted
from planloom.planes.strategic.services.edit_artifact import edit_artifact
from planloom.planes.strategic.services.invalidate_plan import invalidate_plan, validate_plan
from planloom.planes.strategic.services.read_log import plan_logs_tail
from planloom.planes.strategic.services.resume_plan import resume_plan
from tests.fake_ports import PROMPT, Fakes
from tests.unit.strategic.services.drafted import completed, run
from tests.unit.strategic.services.spy import Spy

PATH = "016-2-expert_criticism.md"
ONCE = {"client_request_id": "once"}


@pytest.fixture
def drafted() -> tuple[Fakes, Plan]:
    return completed(Spy())


def edit(fakes: Fakes, origin: Plan, text: str = "Mine.\n", path: str = PATH, **options: Any) -> Plan:
    expected = fakes.files.sha256(origin.plan_id, path)
    return edit_artifact(
        fakes.ports.run_control, fakes.ports.models, "acme", origin.plan_id, path, text, expected, **options
    ).plan


def invalidate(fakes: Fakes, origin: Plan, stage: str = "016", **options: Any) -> Plan:
    return invalidate_plan(fakes.ports.run_control, fakes.ports.models, "acme", origin.plan_id, [stage], **options).plan


def validate(fakes: Fakes, origin: Plan, **options: Any) -> Plan:
    return validate_plan(fakes.ports.run_control, fakes.ports.models, "acme", origin.plan_id, **options)


@pytest.mark.parametrize("change", [edit, invalidate, validate])
def test_the_same_call_again_is_the_same_derived_plan(drafted: tuple[Fakes, Plan], change: Callable[..., Plan]) -> None:
    fakes, origin = drafted
    first = fakes.plans.get(change(fakes, origin, **ONCE).plan_id)
    log = fakes.ports.log.last_events(first.plan_id, 500)
    assert change(fakes, origin, **ONCE) == first == fakes.plans.get(first.plan_id)
    assert fakes.ports.log.last_events(first.plan_id, 500) == log
    assert len(fakes.plans.plans) == 2


OTHERS: dict[str, tuple[Callable[..., Plan], dict[str, Any]]] = {
    "text": (edit, {"text": "Another.\n"}),
    "path": (edit, {"path": "005-2-choice.md"}),
    "start": (edit, {"start": False}),
    "stage": (invalidate, {"stage": "005"}),
    "profile": (validate, {"model_profile": "baseline"}),
}


@pytest.mark.parametrize("name", OTHERS)
def test_another_call_under_the_same_request_id_is_refused(drafted: tuple[Fakes, Plan], name: str) -> None:
    fakes, origin = drafted
    change, other = OTHERS[name]
    first = change(fakes, origin, **ONCE)
    files = dict(fakes.files.contents)
    with pytest.raises(RequestConflict, match=first.plan_id):
        change(fakes, origin, **ONCE, **other)
    assert fakes.files.contents == files


def test_the_same_change_of_another_plan_under_the_same_request_id_is_refused(drafted: tuple[Fakes, Plan]) -> None:
    fakes, origin = drafted
    first = edit(fakes, origin, **ONCE)
    run(fakes, first)
    with pytest.raises(RequestConflict, match=first.plan_id):
        edit(fakes, fakes.plans.get(first.plan_id), "Mine.\n", "005-2-choice.md", **ONCE)


def test_every_tool_and_account_has_request_ids_of_its_own(drafted: tuple[Fakes, Plan]) -> None:
    fakes, origin = drafted
    fakes.plans.plans[origin.plan_id] = origin.model_copy(update={"user_account": "user"})
    made = fakes.files.read(origin.plan_id, PATH).decode()
    edited = edit(fakes, origin)
    run(fakes, edited)
    theirs = validate_plan(fakes.ports.run_control, fakes.ports.models, "user", origin.plan_id, **ONCE)
    assert theirs.account == "acme"
    plans = [
        theirs,
        validate(fakes, origin, **ONCE),
        undo_edit(fakes.ports.run_control, fakes.ports.models, "acme", edited.plan_id, PATH, **ONCE).plan,
        edit(fakes, edited, made, **ONCE),
        invalidate(fakes, origin, **ONCE),
        *(
            create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id=f"{name}:once")
            for name in ("edit", "validate")
        ),
    ]
    assert len({plan.plan_id for plan in plans}) == len(plans)


@pytest.mark.parametrize("change", [edit, invalidate])
@pytest.mark.parametrize("lost", ["apply", "rewrite"])
def test_a_crash_after_a_stopped_plan_was_stored_is_healed_by_the_same_call(
    drafted: tuple[Fakes, Plan], change: Callable[..., Plan], lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fakes, origin = drafted
    undisturbed = change(fakes, origin, start=False, client_request_id="other")
    with monkeypatch.context() as broken:
        broken.setattr(fakes.plans, lost, crashed)
        with pytest.raises(ConnectionError):
            change(fakes, origin, start=False, **ONCE)
    healed = change(fakes, origin, start=False, **ONCE)
    assert fakes.plans.all_files(healed.plan_id) == fakes.plans.all_files(undisturbed.plan_id)
    assert fakes.plans.steps(healed.plan_id) == fakes.plans.steps(undisturbed.plan_id)
    assert logged(fakes, healed) == logged(fakes, undisturbed)
    assert Plan.model_validate_json(fakes.files.read(healed.plan_id, "plan.json")).state == "stopped"


def test_what_was_changed_since_outlives_the_healing_of_a_crash(
    drafted: tuple[Fakes, Plan], monkeypatch: pytest.MonkeyPatch
) -> None:
    fakes, origin = drafted
    with monkeypatch.context() as broken:
        broken.setattr(fakes.plans, "apply", crashed)
        with pytest.raises(ConnectionError):
            edit(fakes, origin, start=False, **ONCE)
    (left,) = (plan for plan in fakes.plans.plans.values() if plan.derived_from)
    edit(fakes, left, "Better.\n")
    healed = edit(fakes, origin, start=False, **ONCE)
    assert fakes.files.read(healed.plan_id, PATH) == b"Better.\n"
    assert fakes.plans.file(healed.plan_id, PATH).sha256 == fakes.files.sha256(healed.plan_id, PATH)


def test_the_log_of_a_derived_plan_says_by_which_call_it_came_to_rest(drafted: tuple[Fakes, Plan]) -> None:
    fakes, origin = drafted
    plan = invalidate(fakes, origin, start=False)
    begun = fakes.ports.log.events_after(plan.plan_id, 0, 1)[0]
    assert begun.data == {"run": 2, "state": "stopped", "reason": "plan_invalidate"}
    assert (
        "plan_invalidate"
        in plan_logs_tail(
            fakes.ports.plan_records, fakes.ports.log, fakes.ports.watch_settings, "acme", plan.plan_id, 9
        )[0].text
    )


@pytest.mark.parametrize(
    "begin",
    [
        lambda fakes, origin: edit(fakes, origin, **ONCE),
        lambda fakes, _: create_plan(
            fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="once"
        ),
    ],
    ids=["derive", "create"],
)
def test_what_was_written_for_a_plan_that_never_came_to_be_is_erased_within_the_hour(
    drafted: tuple[Fakes, Plan], begin: Callable[[Fakes, Plan], Plan], monkeypatch: pytest.MonkeyPatch
) -> None:
    fakes, origin = drafted
    before = dict(fakes.files.contents)
    with monkeypatch.context() as broken:
        broken.setattr(fakes.plans, "add", crashed)
        with pytest.raises(ConnectionError):
            begin(fakes, origin)
    assert len(fakes.files.contents) > len(before)
    fakes.clock.pass_(hours=1, seconds=1)
    (erased,) = erase_deleted(fakes.ports.plan_records, fakes.ports.shares)
    assert fakes.files.contents == before
    plan = begin(fakes, origin)
    assert (plan.plan_id, plan.state) == (erased, "pending")
    fakes.clock.pass_(hours=2)
    assert erase_deleted(fakes.ports.plan_records, fakes.ports.shares) == []


@pytest.fixture
def older(drafted: tuple[Fakes, Plan]) -> tuple[Fakes, Plan]:
    """A plan that another version of the pipeline completed."""
    fakes, origin = drafted
    fakes.plans.plans[origin.plan_id] = origin.model_copy(update={"pipeline_version": PIPELINE_VERSION - 1})
    return fakes, fakes.plans.plans[origin.plan_id]


@pytest.mark.parametrize("change", [edit, invalidate, validate])
def test_no_run_begins_with_what_another_version_of_the_pipeline_made(
    older: tuple[Fakes, Plan], change: Callable[..., Plan]
) -> None:
    fakes, origin = older
    before = dict(fakes.files.contents)
    with pytest.raises(PipelineVersionMismatch, match=r"start false.*force_upgrade") as refused:
        change(fakes, origin)
    assert refused.value.details["plan_version"] == PIPELINE_VERSION - 1
    assert (fakes.files.contents, len(fakes.plans.plans)) == (before, 1)


@pytest.mark.parametrize("change", [edit, invalidate])
def test_a_plan_derived_from_another_version_is_resumed_only_where_that_is_forced(
    older: tuple[Fakes, Plan], change: Callable[..., Plan]
) -> None:
    fakes, origin = older
    plan = change(fakes, origin, start=False)
    with pytest.raises(PipelineVersionMismatch):
        resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    again = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, force_upgrade=True)
    assert (again.state, again.pipeline_version) == ("pending", PIPELINE_VERSION)


def crashed(*_: object) -> None:
    raise ConnectionError("lost")


def logged(fakes: Fakes, plan: Plan) -> list[tuple[str, Any]]:
    return [(entry.type, entry.data) for entry in fakes.ports.log.last_events(plan.plan_id, 500)]


@pytest.mark.parametrize(
    ("meanwhile", "error"),
    [
        (lambda ports, *named: delete_plan(ports.plan_records, ports.shares, ports.billing, *named), PlanNotFound),
        (lambda ports, *named: archive_plan(ports.plan_records, *named), PlanArchived),
        (lambda ports, *named: resume_plan(ports.run_control, ports.models, *named), PlanActive),
    ],
    ids=["deleted", "archived", "resumed"],
)
def test_nothing_is_derived_from_a_plan_that_moves_while_it_is_copied(
    drafted: tuple[Fakes, Plan], monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[..., Any], error: type[Exception]
) -> None:
    fakes, origin = drafted
    stopped = edit(fakes, origin, start=False)
    # many readers copy side by side: the first of them sees it move
    copy, moves = fakes.files.copy, [meanwhile]

    def copying(plan_id: str, path: str, to_plan_id: str) -> bool:
        with suppress(IndexError):
            moves.pop()(fakes.ports, "acme", stopped.plan_id)
        return copy(plan_id, path, to_plan_id)

    monkeypatch.setattr(fakes.files, "copy", copying)
    before = {plan_id for plan_id, _ in fakes.files.contents}

    with pytest.raises(error):
        validate(fakes, stopped)

    assert {plan_id for plan_id, _ in fakes.files.contents} <= before
    assert set(fakes.plans.plans) <= {origin.plan_id, stopped.plan_id}
