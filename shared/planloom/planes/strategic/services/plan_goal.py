"""The goal of a plan with what was understood of it, and the file that corrected facts make of its first step."""

import json
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from planloom.core.artifacts import PROMPT, sha256_of
from planloom.core.errors import ArtifactNotFound
from planloom.planes.strategic.facts.fact import Facts
from planloom.planes.strategic.facts.given import FactsGiven, apply_given
from planloom.planes.strategic.outline.choose import kinds
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.report.goal_marks import Segment, segments
from planloom.planes.strategic.services.own_plan import own_plan

#: Where the first step keeps the facts.
START = "001-1-start.json"


@dataclass(frozen=True)
class PlanGoal:
    """A goal in segments. ``facts`` and the hash of their file are None until the first step has read the goal.

    ``content`` is the file with corrected facts, for an edit of it; empty where nothing was corrected.
    """

    plan_id: str
    goal: tuple[Segment, ...]
    facts: Facts | None
    sha256: str | None
    content: str = ""


def plan_goal(plan_records: PlanRecords, account: str, plan_id: str) -> PlanGoal:
    """Return the goal of a plan and its facts. Raises InvalidArgument, PlanNotFound, PermissionDenied."""
    plan = own_plan(plan_records, account, plan_id)
    goal = (plan_records.files.read(plan.plan_id, PROMPT) or b"").decode()
    content = plan_records.files.read(plan.plan_id, START)
    facts = _facts(content)
    if content is None or facts is None:
        return PlanGoal(plan.plan_id, (Segment(text=goal),) if goal else (), None, None)
    return PlanGoal(plan.plan_id, segments(goal, facts), facts, sha256_of(content))


def corrected_goal(plan_records: PlanRecords, account: str, plan_id: str, given: FactsGiven) -> PlanGoal:
    """Return the goal as it is understood with the corrections *given*, and the file to store; nothing is changed.

    Raises InvalidArgument, PlanNotFound, PermissionDenied; ArtifactNotFound where the plan has no facts yet.
    """
    plan = own_plan(plan_records, account, plan_id)
    content = plan_records.files.read(plan.plan_id, START)
    before = _facts(content)
    if content is None or before is None:
        raise ArtifactNotFound(
            "This plan has no facts to correct: its first step has not finished, or another version of planloom "
            "drafted it. Wait for the first step, or create the plan anew with corrected facts.",
            path=START,
        )
    facts = apply_given(before, given, kinds())
    start = _loaded(content) | {"facts": facts.model_dump(mode="json")}
    goal = (plan_records.files.read(plan.plan_id, PROMPT) or b"").decode()
    text = json.dumps(start, ensure_ascii=False, indent=2)
    return PlanGoal(plan.plan_id, segments(goal, facts), facts, sha256_of(content), text)


def _facts(content: bytes | None) -> Facts | None:
    """Return the facts in *content*; None where there are none, or where another version of planloom wrote them."""
    try:
        return Facts.model_validate(_loaded(content).get("facts"))
    except ValidationError:
        return None


def _loaded(content: bytes | None) -> dict[str, Any]:
    try:
        found = json.loads(content or b"{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
