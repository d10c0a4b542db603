"""Programs find what is wrong in a spine, the author repairs it in one patch, and what the goal sets stays."""

import asyncio
import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from planloom.models.model import Question
from planloom.planes.strategic.compute.computed import Computed, Finding
from planloom.planes.strategic.quality_score import Severity
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages import repair
from planloom.planes.strategic.stages.repair import STAGE
from planloom.planes.strategic.stages.results import Repaired, Structured
from tests.unit.strategic.stages.contexts import make_context
from tests.unit.strategic.stages.plans import CHOICE, SPINE

RESULTS = {"spine": Structured(spine=SPINE), "choice": CHOICE}
LIKELY = {"op": "set", "id": "P2", "field": "likely", "value": "100", "reason": "Two shifts"}


def answer(*changes: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"concept": "holds", "concept_because": "One boat is enough.", "changes": list(changes), **fields}


def finding(severity: Severity, check: str = "time.late") -> Finding:
    return Finding(
        id=f"{check}:P2,N1",
        check=check,
        severity=severity,
        ids=("P2", "N1"),
        text="P2 ends 40 days after N1 is due.",
        places=("P2 Build the hull: ends 10 June 2028", "N1 Open: due 1 May 2028"),
        advice="Start P2 before G1.",
    )


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Spine], tuple[Finding, ...]]], None]:
    """Let a function of the spine say what is found in it."""

    def replace(findings: Callable[[Spine], tuple[Finding, ...]]) -> None:
        def computed(spine: Spine, closures: Any) -> Computed:
            day = date(2027, 1, 4)
            return Computed(start=day, end=day, packages=(), path=(), odds=(), findings=findings(spine))

        monkeypatch.setattr(repair, "compute", computed)

    return replace


def repaired(**context: Any) -> Repaired:
    return asyncio.run(STAGE.draft(make_context("repair", results=RESULTS, **context)))


def test_the_author_is_shown_document_tables_computed_values_and_findings_with_both_places(found: Any) -> None:
    found(lambda _: (finding("high"),))
    asked: list[Question[Any]] = []
    repaired(answers={"repair": answer(LIKELY)}, asked=asked)
    shown = "\n".join(part.text for part in asked[0].context)
    for text in ("EUR 900,000", "twelve bicycles", "In ice a bus runs.", "P2 | Build the hull", "time.late:P2,N1"):
        assert text in shown
    assert "ends 10 June 2028" in shown
    assert "due 1 May 2028" in shown
    assert [part.by_id for part in asked[0].context] == [False, False, True, True, False]
    assert asked[0].rows.keys() == {"frame", *SPINE.by_id()}


def test_a_patch_that_repairs_what_was_found_is_applied_and_asked_for_once(found: Any) -> None:
    found(lambda spine: () if spine.by_id()["P2"].likely == 100 else (finding("high"),))
    asked: list[Question[Any]] = []
    result = repaired(answers={"repair": answer(LIKELY)}, asked=asked)
    assert [question.name for question in asked] == ["repair"]
    assert result.spine.by_id()["P2"].likely == 100
    assert (len(result.before), result.after) == (1, ())
    assert "120 working days → 100 working days" in STAGE.pages(result)["repair"]


def test_what_the_patch_leaves_is_kept_for_the_decision_and_not_asked_again(found: Any) -> None:
    found(lambda _: (finding("high"),))
    asked: list[Question[Any]] = []
    result = repaired(answers={"repair": answer(LIKELY)}, asked=asked)
    assert [question.name for question in asked] == ["repair"]
    assert result.after == (finding("high"),)


def test_a_due_day_of_the_goal_is_not_moved_to_repair_a_date(found: Any) -> None:
    found(lambda _: (finding("high"),))
    late = {"op": "set", "id": "N1", "field": "due", "value": '"2028-09-01"', "reason": "Later"}
    result = repaired(answers={"repair": answer(late)})
    assert result.spine == SPINE
    assert "goal" in result.patches[0].refused[0]


def test_what_cannot_hold_is_said_with_options_and_who_decides(found: Any) -> None:
    found(lambda _: (finding("high"),))
    no = {"finding": "time.late:P2,N1", "what": "1 May 2028", "options": ["a second yard"], "who": "council"}
    fails = answer(concept="rethink", concept_because="Two small boats.", cannot_hold=[no | {"by": "2027-03-01"}])
    result = repaired(answers={"repair": fails})
    page = STAGE.pages(result)["repair"]
    for text in ("Two small boats.", "a second yard", "council", "1 March 2027"):
        assert text in page
    assert result.concept.startswith("rethink")


@pytest.mark.parametrize("severity", ["low", None])
def test_nothing_is_asked_where_nothing_severe_is_found(found: Any, severity: Severity | None) -> None:
    found(lambda _: (finding(severity),) if severity else ())
    asked: list[Question[Any]] = []
    result = repaired(asked=asked)
    assert asked == []
    assert result.spine == SPINE


def test_a_lost_answer_leaves_the_spine_as_it_was_and_is_said(found: Any) -> None:
    found(lambda _: (finding("high"),))
    result = repaired()
    assert result.spine == SPINE
    assert result.after == result.before
    assert len(result.missing) == 1


def test_without_a_model_the_findings_of_programs_are_the_result() -> None:
    asked: list[Question[Any]] = []
    result = repaired(outline_only=True, asked=asked)
    assert asked == []
    assert result.before == result.after != ()
    assert all(finding.text in STAGE.pages(result)["repair"] for finding in result.after)


def test_the_spine_is_really_computed_between_two_patches() -> None:
    dear = SPINE.model_copy(
        update={"lines": tuple(line.model_copy(update={"rate": 2_000_000}) for line in SPINE.lines)}
    )
    cheaper = {"op": "set", "id": "L1", "field": "rate", "value": json.dumps(400_000), "reason": "A used hull"}
    context = make_context(
        "repair", results=RESULTS | {"spine": Structured(spine=dear)}, answers={"repair": answer(cheaper)}
    )
    result = asyncio.run(STAGE.draft(context))
    checks = [{finding.check for finding in found} for found in (result.before, result.after)]
    assert "money.above_budget" in checks[0]
    assert "money.above_budget" not in checks[1]
