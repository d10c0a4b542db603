"""The state machine has each stage of the registry once, after all that it needs."""

import json
import re
from collections import Counter
from datetime import timedelta

import pytest

from planloom.planes.strategic.stages.pipeline import PIPELINE, stage_named
from planloom.planes.strategic.watch_settings import WatchSettings
from tests.infra import asl
from tests.infra.conftest import Template, of_type

BUILDS = ("build_plan", "build_plan_and_validate")
VALIDATED = {"expert_criticism", "review_plan", "self_audit", "report"}

#: What Step Functions and Lambda themselves report: docs.aws.amazon.com/step-functions, "Handling errors" and
#: "Handle Lambda service exceptions".
AWS_ERRORS = {
    "Lambda.TooManyRequestsException",
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    "Lambda.ClientExecutionTimeoutException",
    "Lambda.Unknown",
    "Sandbox.Timedout",
    "Runtime.ExitError",
}


@pytest.mark.parametrize("target", BUILDS)
def test_7_1_a_build_passes_every_stage_of_the_registry_exactly_once(target: str) -> None:
    walked = Counter(visit.stage for visit in asl.visits(target))

    assert walked == Counter(stage.name for stage in PIPELINE)


def test_7_1_a_validation_passes_its_four_stages_exactly_once() -> None:
    walked = Counter(visit.stage for visit in asl.visits("validate_plan"))

    assert walked == Counter(VALIDATED)


@pytest.mark.parametrize("target", [*BUILDS, "validate_plan"])
def test_what_a_stage_needs_has_ended_before_it_starts(target: str) -> None:
    needs = {stage.name: set(stage.needs) for stage in PIPELINE}
    walked = asl.visits(target)
    # A validation reads what an earlier run made, so only its own stages have to be waited for
    made_by_this_run = {visit.stage for visit in walked}

    missing = {v.stage: sorted((needs[v.stage] & made_by_this_run) - v.ended) for v in walked}

    assert {stage: names for stage, names in missing.items() if names} == {}


def test_start_has_ended_before_any_other_stage_of_a_build() -> None:
    assert [v.stage for v in asl.visits("build_plan") if "start" not in v.ended] == ["start"]


def test_only_errors_of_aws_are_retried_and_never_all() -> None:
    retried = {name for _, task in asl.tasks() for retrier in task["Retry"] for name in retrier["ErrorEquals"]}

    assert retried == AWS_ERRORS


def test_every_failure_is_caught_at_the_top_and_ends_in_fail() -> None:
    states = asl.load()["States"]
    for name, state, top in asl.every_state():
        if state["Type"] not in {"Task", "Parallel"}:
            continue
        if not top:
            assert "Catch" not in state, f"{name}: a failure inside a branch belongs to its Parallel"
            continue
        (catch,) = state["Catch"]
        assert catch["ErrorEquals"] == ["States.ALL"], name
        assert states[catch["Next"]]["Type"] == "Fail", name


def test_the_machine_says_why_it_failed() -> None:
    states = asl.load()["States"]
    failure = states["start"]["Catch"][0]["ResultPath"]

    assert states["run_failed"] == {
        "Type": "Fail",
        "ErrorPath": f"{failure}.Error",
        "CausePath": f"{failure}.Cause",
    }


def test_state_names_are_unique_in_the_whole_machine() -> None:
    names = Counter(name for name, _, _ in asl.every_state())

    assert [name for name, count in names.items() if count > 1] == []


def test_every_task_hands_on_ids_alone_and_leaves_the_state_as_it_was() -> None:
    for name, task in asl.tasks():
        assert task["Parameters"]["Payload"] == {"plan_id.$": "$.plan_id", "run.$": "$.run"}, name
        assert task["ResultPath"] is None, name
    for name, state, _ in asl.every_state():
        if state["Type"] == "Parallel":
            assert state["ResultPath"] is None, name


def test_a_task_times_out_half_a_minute_after_its_lambda_and_a_run_after_its_tasks() -> None:
    # later than the Lambda, so that Lambda reports the timeout, which is retried
    follows = {name: stage_named(asl.stage_of(task)).timeout_seconds + 30 for name, task in asl.tasks()}

    assert {name: task["TimeoutSeconds"] for name, task in asl.tasks()} == follows
    assert max(follows.values()) < asl.load()["TimeoutSeconds"]


def test_a_silent_plan_is_not_ended_while_a_lost_worker_is_being_replaced() -> None:
    for name, task in asl.tasks():
        (lost,) = (retry for retry in task["Retry"] if "Sandbox.Timedout" in retry["ErrorEquals"])
        waits = lost["MaxAttempts"] * lost["IntervalSeconds"]
        attempts = 1 + lost["MaxAttempts"]
        assert timedelta(seconds=attempts * task["TimeoutSeconds"] + waits) < WatchSettings().inactive_after, name


def test_the_placeholders_are_those_that_the_stack_fills(template: Template) -> None:
    machines = of_type(template, "AWS::StepFunctions::StateMachine")
    (machine,) = [found for name, found in machines.items() if name.startswith("Pipeline")]
    definition = machine["Properties"]["DefinitionString"]

    asked = set(re.findall(r"\$\{(\w+)\}", definition))

    assert json.loads(definition) == asl.load()
    assert asked == set(machine["Properties"]["DefinitionSubstitutions"])
    assert asked == {f"stage_{stage.name}" for stage in PIPELINE}


@pytest.mark.parametrize("target", BUILDS)
def test_only_the_first_look_is_spent_on_before_screening_has_ended(target: str) -> None:
    unscreened = {visit.stage for visit in asl.visits(target) if "screening" not in visit.ended}

    assert unscreened == {"start", "screening", "premise_attack"}
