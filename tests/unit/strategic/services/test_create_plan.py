"""Accepting a request: stored once, started once, or refused with nothing stored."""

from dataclasses import replace
from typing import Any

import pytest

from planloom.core.artifacts import PROMPT as PROMPT_PATH
from planloom.core.errors import (
    InvalidArgument,
    ModelProfilesUnavailable,
    PermissionDenied,
    PlanNotFound,
    RequestConflict,
)
from planloom.models.endpoint import Endpoint
from planloom.models.profiles import Models
from planloom.planes.strategic.services.create_plan import PROMPT_CHARACTERS, create_plan
from planloom.planes.strategic.services.delete_plan import delete_plan
from planloom.planes.strategic.services.stop_plan import stop_plan
from planloom.planes.strategic.services.watch_plans import watch_plans
from tests.fake_ports import PROMPT, make_fakes


def test_a_plan_is_stored_with_its_prompt_and_started_once() -> None:
    fakes = make_fakes()
    plan = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", f"  {PROMPT}\n")
    assert fakes.plans.get(plan.plan_id) == plan
    assert fakes.files.read(plan.plan_id, PROMPT_PATH) == PROMPT.encode()
    assert fakes.pipeline.started == [(plan.plan_id, 1, "build_plan")]
    assert (plan.state, plan.account) == ("pending", "acme")


def test_8_1_two_calls_make_two_plans() -> None:
    fakes = make_fakes()
    assert (
        create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT).plan_id
        != create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT).plan_id
    )


def test_6_2_a_repeat_with_the_same_request_id_is_the_same_plan() -> None:
    fakes = make_fakes()
    first = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1")
    assert create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1") == first
    assert (
        create_plan(fakes.ports.run_control, fakes.ports.models, "other", PROMPT, client_request_id="r1").plan_id
        != first.plan_id
    )
    assert len(fakes.pipeline.started) == 2


@pytest.mark.parametrize("other", [{"prompt": "Open a bar."}, {"model_profile": "custom"}, {"detail": "brief"}])
def test_a_request_id_that_comes_again_with_another_body_leaves_the_first_plan_alone(other: dict[str, Any]) -> None:
    fakes = make_fakes()
    fakes = replace(fakes, ports=replace(fakes.ports, models=Models(Endpoint("http://models.test", "", "some"))))
    first = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1")
    with pytest.raises(RequestConflict, match=first.plan_id):
        create_plan(
            fakes.ports.run_control, fakes.ports.models, "acme", **{"prompt": PROMPT, **other}, client_request_id="r1"
        )
    assert fakes.files.read(first.plan_id, PROMPT_PATH) == PROMPT.encode()
    assert fakes.plans.get(first.plan_id) == first


def test_a_plan_names_the_one_that_it_comes_from_and_starts_from_its_own_prompt() -> None:
    fakes = make_fakes()
    origin = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT).plan_id
    plan = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", "Open a bar.", derived_from=origin.upper())
    assert (plan.derived_from, plan.run, plan.first_run, plan.steps_finished) == (origin, 1, 0, {})
    assert fakes.files.paths(plan.plan_id) == [PROMPT_PATH, "plan.json"]
    assert fakes.files.read(plan.plan_id, PROMPT_PATH) == b"Open a bar."


@pytest.mark.parametrize(
    ("account", "origin", "error", "says"),
    [
        ("other", None, PermissionDenied, "another account"),
        ("acme", "9b2f1c0e-0000-4000-8000-00000000abcd", PlanNotFound, "9b2f1c0e"),
        ("acme", "the first one", InvalidArgument, "derived_from must be"),
    ],
)
def test_an_origin_that_is_not_the_callers_is_refused_and_nothing_is_stored(
    account: str, origin: str | None, error: type[Exception], says: str
) -> None:
    fakes = make_fakes()
    mine = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT).plan_id
    with pytest.raises(error, match=says):
        create_plan(fakes.ports.run_control, fakes.ports.models, account, PROMPT, derived_from=origin or mine)
    assert set(fakes.plans.plans) == {mine}
    assert {plan_id for plan_id, _ in fakes.files.contents} == {mine}


def test_a_repeat_names_the_same_origin_though_that_was_deleted_since() -> None:
    fakes = make_fakes()
    origin = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT).plan_id
    first = create_plan(
        fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1", derived_from=origin
    )
    with pytest.raises(RequestConflict, match=first.plan_id):
        create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1")
    stop_plan(fakes.ports.run_control, "acme", origin)
    delete_plan(fakes.ports.plan_records, fakes.ports.shares, fakes.ports.billing, "acme", origin)
    assert (
        create_plan(
            fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1", derived_from=origin
        )
        == first
    )


def test_a_crash_before_start_is_healed_by_resubmitting() -> None:
    fakes = make_fakes()
    fakes.pipeline.broken = True
    with pytest.raises(ConnectionError):
        create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1")
    fakes.pipeline.broken = False
    plan = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1")
    assert fakes.pipeline.started == [(plan.plan_id, 1, "build_plan")]


def test_a_crash_before_start_is_healed_by_the_watchdog() -> None:
    fakes = make_fakes()
    fakes.pipeline.broken = True
    with pytest.raises(ConnectionError):
        create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT)
    fakes.pipeline.broken = False
    (plan_id,) = fakes.plans.plans
    assert watch_plans(fakes.ports.run_control) == {}  # a start may still be in progress
    fakes.clock.pass_(minutes=1)
    assert watch_plans(fakes.ports.run_control) == {plan_id: "started"}
    assert fakes.pipeline.started == [(plan_id, 1, "build_plan")]


@pytest.mark.parametrize(
    ("prompt", "says"),
    [
        ("", "empty"),
        (" \n\t ", "empty"),
        ("x" * 1_000_000, "1,000,000 characters"),
        ("x" * (PROMPT_CHARACTERS + 1), "at most"),
        ("Open a café\x00\x01", "control characters"),
        ("Open a \udcff café", "control characters"),
    ],
)
def test_a_prompt_that_cannot_be_planned_from_is_refused_and_nothing_is_stored(prompt: str, says: str) -> None:
    fakes = make_fakes()
    with pytest.raises(InvalidArgument, match=says):
        create_plan(fakes.ports.run_control, fakes.ports.models, "acme", prompt)
    assert (fakes.plans.plans, fakes.files.contents, fakes.pipeline.started) == ({}, {}, [])


def test_a_profile_without_a_model_is_refused_and_nothing_is_stored() -> None:
    fakes = make_fakes()
    with pytest.raises(ModelProfilesUnavailable, match="Available profiles: baseline"):
        create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, "frontier")
    assert (fakes.plans.plans, fakes.files.contents) == ({}, {})
