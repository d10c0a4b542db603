"""The map of the pipeline says what the stages say of themselves, and spares doors the import of them."""

import subprocess
import sys

import pytest

from planloom.domain.pipeline_map import STEPS, Step, step_with_key
from planloom.stages.pipeline import PIPELINE


def test_the_map_is_the_registry() -> None:
    assert [Step(stage.number, stage.name, stage.title, stage.needs) for stage in PIPELINE] == list(STEPS)
    assert [(stage.key, stage.step) for stage in PIPELINE] == [(step.key, step.step) for step in STEPS]


def test_a_step_is_found_by_its_key() -> None:
    assert step_with_key("016") == STEPS[7]
    assert step_with_key("031") is None


@pytest.mark.parametrize("door", ["api", "authorizer", "on_plan_event", "on_run_ended", "watchdog"])
def test_a_door_that_drafts_nothing_imports_no_stage_and_no_library_it_does_not_need(door: str) -> None:
    unwanted = ["planloom.stages", "planloom.compute", "mcp", "jinja2", "pydantic_ai", "openai", "aws_xray_sdk"]
    code = f"import sys, functions.{door}.handler; print([name for name in {unwanted} if name in sys.modules])"
    environment = {"POWERTOOLS_TRACE_DISABLED": "true", "POWERTOOLS_METRICS_NAMESPACE": "planloom"}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert found.stdout.strip() == "[]"
