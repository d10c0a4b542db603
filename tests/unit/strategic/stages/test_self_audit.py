"""Programs answer the checks that figures decide; the model's answers count where its evidence does."""

import asyncio
from datetime import date
from typing import Any

from planloom.models.model import Question
from planloom.planes.strategic.compute.compute import compute
from planloom.planes.strategic.spine.rows import Condition, Criterion, Demand, Role
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.results import (
    AuditCheck,
    Chapter,
    MainDocument,
    Review,
    Ruling,
    Schedule,
    SelfAudit,
)
from planloom.planes.strategic.stages.self_audit import CHECKS, STAGE, TEXT_SECTIONS, by_program
from tests.unit.strategic.stages.contexts import make_context
from tests.unit.strategic.stages.plans import SPINE

TEXTS = {name: f"# {name}\n\nThe {name} says what it says." for name in TEXT_SECTIONS} | {
    "budget": "# Budget\n\nThe hull costs **EUR 400,000** of EUR 900,000."
}
REVIEW = Review(
    spine=SPINE, rulings=(Ruling(finding="E7", verdict="open", reason="Unclear.", question="Q1 Who relieves?"),)
)

OPENING = Chapter(name="opening", title="Summary", text="Sixty bicycles cross in nine minutes.", words=6)
DOCUMENT = MainDocument(opening=OPENING, chapters=())


def scheduled(spine: Spine = SPINE) -> Schedule:
    return Schedule(spine=spine, computed=compute(spine, (), runs=50))


def audited(checks: list[dict[str, Any]] | None = None, **given: Any) -> SelfAudit:
    results = {"schedule": scheduled(), "review_plan": REVIEW, "main_document": DOCUMENT}
    answers = {} if checks is None else {"audit": {"checks": checks}}
    return asyncio.run(STAGE.draft(make_context("self_audit", results=results, texts=TEXTS, answers=answers, **given)))


def check(name: str, verdict: str = "passes", **fields: Any) -> dict[str, Any]:
    return {"check": name, "verdict": verdict, **fields}


def named(result: SelfAudit, name: str) -> AuditCheck:
    return next(check for check in result.checks if check.title == CHECKS[name])  # type: ignore[index]


def test_one_call_sees_every_chapter_the_findings_and_what_the_review_left_open() -> None:
    asked: list[Question[Any]] = []
    audited([check("exit")], asked=asked)
    assert len(asked) == 1
    shown = "\n".join(part.text for part in asked[0].context)
    assert all(f"The {name} says" in shown for name in TEXT_SECTIONS if name != "budget")
    assert all(finding.id in shown for finding in scheduled().computed.findings)
    assert "Who relieves?" in shown
    assert OPENING.text in shown


def test_every_check_is_listed_once_whatever_the_answer_repeats_or_leaves_out() -> None:
    result = audited([check("exit", "fails", fix="Add one"), check("exit", "partly"), check("ethics", "partly")])
    assert [found.title for found in result.checks] == list(CHECKS.values())
    assert named(result, "exit").verdict == "fails"
    assert named(result, "good_will").verdict == "not_checked"


def test_a_quote_is_looked_up_in_the_document() -> None:
    right = check("budget", quote="The hull costs EUR 400,000", place="Budget", evidence="It is in the table.")
    wrong = check("ethics", quote="Everybody is insured", evidence="As said.")
    result = audited([right, wrong])
    assert "not found" not in named(result, "budget").evidence
    assert "(Budget)" in named(result, "budget").evidence
    assert "not found" in named(result, "ethics").evidence


def test_what_passes_without_evidence_was_not_checked() -> None:
    assert named(audited([check("ethics")]), "ethics").verdict == "not_checked"


def test_what_does_not_pass_is_shown_first_with_its_fix() -> None:
    page = STAGE.pages(audited([check("exit", "fails", missing="What is left over?", fix="Sell the hull")]))[
        "self_audit"
    ]
    assert page.index("Sell the hull") < page.index("## Evidence")


def test_a_lost_answer_leaves_the_checks_of_programs() -> None:
    result = audited()
    assert result.checks == tuple(by_program(scheduled()).values())
    assert len(result.missing) == 1


def test_without_a_model_programs_check_what_figures_decide_and_nothing_else() -> None:
    asked: list[Question[Any]] = []
    result = audited(outline_only=True, asked=asked)
    assert asked == []
    open_ = {found.title for found in result.checks if found.verdict == "not_checked"}
    assert open_ == {CHECKS["possible"], CHECKS["good_will"], CHECKS["ethics"]}


def test_a_plan_that_says_all_passes_the_checks_of_programs() -> None:
    criterion = Criterion(id="S1", measure="Bicycles", baseline="0", target="60", by=date(2028, 5, 1), read_how="Count")
    gate = SPINE.gates[0].model_copy(
        update={"conditions": [Condition(measure="Drawing", value="signed")], "if_failed": "Stop"}
    )
    roles = tuple(role.model_copy(update={"second": "Deputy"}) for role in SPINE.roles)
    kept = tuple(row.model_copy(update={"kept_by": ["P3"]}) for row in SPINE.constraints)
    tables = {"criteria": (criterion,), "gates": (gate,), "roles": roles, "constraints": kept}
    checks = by_program(scheduled(SPINE.model_copy(update=tables)))
    passed = {name for name, found in checks.items() if found.verdict == "passes"}
    assert passed >= {"measurable", "exit", "demands", "odds", "single_points"}


def test_programs_name_what_is_missing() -> None:
    demand = Demand(id="N2", text="Carry wheelchairs")
    checks = by_program(
        scheduled(
            SPINE.model_copy(
                update={"demands": (*SPINE.demands, demand), "roles": (*SPINE.roles, Role(id="R3", title="Clerk"))}
            )
        )
    )
    assert (checks["demands"].verdict, "Carry wheelchairs" in checks["demands"].missing) == ("partly", True)
    assert (checks["single_points"].verdict, "Clerk" in checks["single_points"].missing) == ("partly", False)
    assert checks["measurable"].verdict == "fails"
