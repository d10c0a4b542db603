"""The steps of the pipeline are what the stages declare, without an import of the stages."""

import subprocess
import sys

import pytest

from infra.pipeline_steps import MODULE, pipeline_steps
from planloom.planes.strategic.pipeline_map import CURRENT, step_with_key
from planloom.planes.strategic.stages.pipeline import PIPELINE
from planloom.planes.strategic.step_paths import step_of


def test_the_steps_are_those_that_the_stages_declare() -> None:
    assert MODULE.read_text(encoding="utf-8") == pipeline_steps(), "run 'python -m infra.pipeline_steps'"
    assert [(stage.key, stage.step) for stage in PIPELINE] == [(step.key, step.step) for step in CURRENT]


def test_a_step_is_found_by_its_key_and_by_each_of_its_names() -> None:
    criticism = CURRENT.steps[7]
    assert step_with_key("016") == criticism
    assert [CURRENT.named(name) for name in ("016", "expert_criticism", "016-expert_criticism")] == [criticism] * 3
    assert (step_with_key("031"), CURRENT.named("criticism")) == (None, None)


def test_steps_before_and_after_follow_the_needs_through_others() -> None:
    assert [step.name for step in CURRENT.before("011")] == ["start", "screening", "premise_attack", "draft", "choice"]
    affected = [step.name for step in CURRENT.affected_by(["025", "029"])]
    assert affected == ["executive_summary", "self_audit", "report"]


@pytest.mark.parametrize(
    ("path", "step"),
    [
        ("016-2-expert_criticism.md", "016"),
        ("016-0-expert_criticism-cost.json", "016"),
        ("steps/016.json", "016"),
        ("plan.json", ""),
        ("edits/016", ""),
        ("1600-x.md", ""),
    ],
)
def test_a_path_names_its_step(path: str, step: str) -> None:
    assert step_of(path) == step


@pytest.mark.parametrize("function", ["api", "authorizer", "on_plan_event", "on_run_ended", "watchdog"])
def test_a_function_that_drafts_nothing_imports_no_stage_and_no_library_it_does_not_need(function: str) -> None:
    unwanted = [
        "planloom.planes.strategic.stages",
        "planloom.planes.strategic.compute",
        "mcp",
        "jinja2",
        "pydantic_ai",
        "openai",
        "aws_xray_sdk",
    ]
    code = f"import sys, functions.{function}.handler; print([name for name in {unwanted} if name in sys.modules])"
    environment = {"POWERTOOLS_TRACE_DISABLED": "true", "POWERTOOLS_METRICS_NAMESPACE": "planloom"}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert found.stdout.strip() == "[]"
