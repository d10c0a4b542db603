"""Every error code of the specification (9.3) as a caller meets it: its isError (9.2), and what to do next (9.4)."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

import pytest

from planloom import wiring
from planloom.accounts.rules import Rules
from planloom.core.artifacts import REPORT, artifact
from planloom.planes import PLANES, SHARED
from planloom.planes.strategic.pipeline_map import CURRENT
from planloom.planes.strategic.services.end_run import end_plan, end_run
from planloom.transports.errors import statuses_of
from planloom_cli.mcp_proxy import RemoteError
from planloom_cli.plan_download import DownloadFailed
from tests.fake_ports import PROMPT, Fakes
from tests.unit.api.calling import ToolAnswer, rpc, tool
from tests.unit.strategic.services.walk import begin


@dataclass(frozen=True)
class Case:
    """A call that ends with *code*; *says* are words of its message."""

    code: str
    call: Callable[[Fakes, pytest.MonkeyPatch], ToolAnswer]
    says: tuple[str, ...]
    is_error: bool = True

    def __str__(self) -> str:
        return self.code


def _ruled(fakes: Fakes, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    ports = replace(fakes.ports, rules=Rules.read(words))
    monkeypatch.setattr(wiring, "ports", lambda: ports)


def _broken(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> ToolAnswer:
    monkeypatch.setattr(fakes.plans, "get", lambda *_: 1 / 0)
    return tool("plan_status", plan_id=str(uuid4()))


def _without_models(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> ToolAnswer:
    monkeypatch.setattr(type(fakes.ports.models), "available", lambda _: {})
    return tool("model_profiles")


def _of_another_pipeline(fakes: Fakes, _: pytest.MonkeyPatch) -> ToolAnswer:
    plan = begin(fakes)
    end_run(fakes.ports.run_control, plan.plan_id, 1, "FAILED")
    found = fakes.plans.plans[plan.plan_id]
    fakes.plans.plans[plan.plan_id] = found.model_copy(update={"pipeline_version": 0})
    return tool("plan_resume", plan_id=plan.plan_id)


def _with_a_wrong_user_key(fakes: Fakes, _: pytest.MonkeyPatch) -> ToolAnswer:
    return tool("plan_create", prompt=PROMPT, user_api_key="pex_nobody")


def _without_a_user_key(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> ToolAnswer:
    _ruled(fakes, monkeypatch, "user_api_key")
    return tool("plan_create", prompt=PROMPT)


def _without_credits(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> ToolAnswer:
    _ruled(fakes, monkeypatch, "credits")
    return tool("plan_create", prompt=PROMPT)


def _of_a_failed_plan(fakes: Fakes, _: pytest.MonkeyPatch) -> ToolAnswer:
    plan = begin(fakes)
    end_run(fakes.ports.run_control, plan.plan_id, 1, "FAILED")
    return tool("plan_file_info", plan_id=plan.plan_id)


def _of_a_lost_file(fakes: Fakes, _: pytest.MonkeyPatch) -> ToolAnswer:
    plan = begin(fakes)
    fakes.plans.files.setdefault(plan.plan_id, {})[REPORT] = artifact(REPORT, b"gone", fakes.clock())
    end_plan(fakes.ports.run_control, fakes.plans.plans[plan.plan_id], "completed")
    return tool("plan_file_info", plan_id=plan.plan_id, artifact="zip")


CASES = [
    Case("INVALID_TOOL", lambda *_: tool("plan_everything"), ("tools/list",)),
    Case("INTERNAL_ERROR", _broken, ("Try again", "exponential backoff")),
    Case("PLAN_NOT_FOUND", lambda *_: tool("plan_status", plan_id=str(uuid4())), ("plan_create", "stop polling")),
    Case("PLAN_NOT_FAILED", lambda fakes, _: tool("plan_retry", plan_id=begin(fakes).plan_id), ("plan_status", "only")),
    Case(
        "PLAN_NOT_RESUMABLE",
        lambda fakes, _: tool("plan_resume", plan_id=begin(fakes).plan_id),
        ("plan_status", "only"),
    ),
    Case("PIPELINE_VERSION_MISMATCH", _of_another_pipeline, ("plan_retry",)),
    Case("INVALID_USER_API_KEY", _with_a_wrong_user_key, ("check your API key",)),
    Case("USER_API_KEY_REQUIRED", _without_a_user_key, ("user_api_key",)),
    Case("INSUFFICIENT_CREDITS", _without_credits, ("operator", str(len(CURRENT)))),
    Case("MODEL_PROFILES_UNAVAILABLE", _without_models, ("operator",)),
    Case("generation_failed", _of_a_failed_plan, ("no report", "plan_status"), is_error=False),
    Case("content_unavailable", _of_a_lost_file, ("Try again in a few seconds",), is_error=False),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_9_3_a_code_comes_with_its_is_error_and_says_what_to_do(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    answer = case.call(fakes, monkeypatch)
    assert (answer.body["error"]["code"], answer.is_error) == (case.code, case.is_error)
    assert answer.body == answer.text
    for words in case.says:
        assert words in answer.body["error"]["message"]


def test_9_3_a_refused_plan_create_stores_nothing(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    for refused in (_with_a_wrong_user_key, _without_a_user_key, _without_credits):
        refused(fakes, monkeypatch)
    assert (fakes.plans.plans, fakes.files.contents) == ({}, {})


def test_9_3_the_guide_names_every_code_and_every_tool(fakes: Fakes) -> None:
    docs = Path(__file__).parents[3] / "docs"
    named = set(re.findall(r"`(\w+)`", (docs / "mcp.md").read_text(encoding="utf-8")))
    guides = [page for page in docs.glob("*.md") if page.name != "reference.md"]
    anywhere = {word for page in guides for word in re.findall(r"`(\w+)`", page.read_text(encoding="utf-8"))}
    codes = {kind.code for kind in (*statuses_of((*PLANES, *SHARED)), RemoteError, DownloadFailed)}
    assert codes - anywhere == set()
    assert {case.code for case in CASES} <= named
    assert {each["name"] for each in rpc("tools/list")["tools"]} - named == set()
