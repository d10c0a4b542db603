"""Stage 010: go, no-go or not yet; what blocks, what removes it, and the actions of the first two weeks."""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.domain.claims import Claim
from planloom.domain.frozen import Answer
from planloom.domain.wording import day_text
from planloom.facts.quoting import clip
from planloom.stages.assumptions import Assumptions
from planloom.stages.desk import Desk
from planloom.stages.excerpt import Excerpt, Pick
from planloom.stages.locations import Locations
from planloom.stages.parts.assessment_outline import outline_assessment
from planloom.stages.parts.blocker import Blocker, FirstAction
from planloom.stages.risks import RiskRegister
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import bullets, table

INSTRUCTIONS = """\
Decide whether work on this plan may begin: go, no_go or not_yet. You sign for it.

- verdict: go only where nothing stands between the first working day and the first commitment of money but work that
  is planned. no_go where the goal contradicts itself or its limits (money, time, law, physics) so that no test in the
  first weeks could mend it. not_yet otherwise. reason: two to four sentences with the numbers that decide, ids of the
  risks and assumptions beside them, and what changes the verdict.
- blockers: only what must be gone before money is committed, with the highest risks and heaviest assumptions first.
  text says what is missing today; removed_by the event that removes it (a paper, a count, a test passed), not an
  activity; check how somebody else sees it; unblocks what may start then. source: ids, or the words of the goal.
- go_if: the conditions on which you would sign, each checkable by an outsider. no_go_if: what would end it, each with a
  day, so that stopping needs no courage later.
- actions: six to ten of the first two weeks, from the first working day on, in order of date. Each takes one role less
  than three days, has a check that somebody else can make, and serves a blocker, risk or assumption by id. Cheap tests
  that could kill the plan come first; nothing in them may commit money that the goal wants held back.
- decide_by: the day of the next verdict, at the latest the first gate.
Avoid: "set up a project office", "kick-off meeting" without a result; blockers that are tasks; a go with a dozen ifs.
"""


#: The highest risks with their chains, the heaviest assumptions with their tests, and what rules a place out.
READS = (
    Excerpt(
        "risks",
        5600,
        (
            Pick(
                "Risk register", ("Id", "Risk", "Score", "After", "Owner", "Response in place by"), rows=8, prose=False
            ),
            *(Pick(f"R{n}:") for n in range(1, 6)),
        ),
    ),
    Excerpt(
        "assumptions",
        4000,
        (
            Pick("The three that matter most"),
            Pick("What the review says"),
            Pick("All", ("Id", "Assumption", "Weight", "Test", "Owner", "By"), rows=8),
        ),
    ),
    Excerpt(
        "locations",
        2400,
        (
            Pick("Locations", ("Place", "Check first", "Role", "By"), prose=False),
            Pick("What a place must offer", ("Strength", "Requirement", "How one sees it")),
        ),
    ),
)


class Assessment(Answer):
    """The verdict and what follows from it."""

    verdict: Literal["go", "no_go", "not_yet"]
    reason: str = Field(min_length=20, max_length=700)
    go_if: list[str] = Field(min_length=1, max_length=7, description="Conditions, each checkable, on which it is a go")
    no_go_if: list[str] = Field(min_length=1, max_length=5, description="What would end it before money is committed")
    blockers: list[Blocker] = Field(default_factory=list, max_length=8)
    actions: list[FirstAction] = Field(min_length=4, max_length=12)
    decide_by: date = Field(description="The day of the next verdict")


class PreProjectAssessment(StageResult):
    """Stage 010's result. Claims: ``pre_project_assessment.verdict`` and ``pre_project_assessment.decide-by``."""

    assessment: Assessment


async def draft(desk: Desk) -> PreProjectAssessment:
    """One call, from locations, risks and assumptions."""
    risks = desk.read("risks", RiskRegister)
    assumptions = desk.read("assumptions", Assumptions)
    places = desk.read("locations", Locations)
    answer = await desk.ask(
        "assessment",
        INSTRUCTIONS,
        desk.excerpts(*READS),
        Assessment,
        lambda: Assessment.model_validate(
            outline_assessment(desk.brief, risks.risks, assumptions.assumptions, places.places.locations)
        ),
    )
    return PreProjectAssessment(assessment=answer, claims=_claims(desk, answer))


def _claims(desk: Desk, answer: Assessment) -> tuple[Claim, ...]:
    owner = desk.brief.role_title("lead")
    return (
        Claim(
            id="pre_project_assessment.verdict",
            text=clip(f"{_VERDICTS[answer.verdict]}: {answer.reason}", 400),
            kind="computed",
            value=answer.verdict,
            source="stage:pre_project_assessment",
            owner=owner,
        ),
        Claim(
            id="pre_project_assessment.decide-by",
            text=f"The next go or no-go is decided on {day_text(answer.decide_by)}",
            kind="assumption",
            value=answer.decide_by.isoformat(),
            unit="date",
            source="stage:pre_project_assessment",
            owner=owner,
            test="The verdict of that day is on file, signed",
        ),
    )


_VERDICTS = {"go": "Go", "no_go": "No-go", "not_yet": "Not yet"}


def markdown(result: PreProjectAssessment) -> str:
    """Verdict and conditions, then blockers, then the first two weeks."""
    found = result.assessment
    blockers = [
        (b.id, b.text, b.removed_by, b.check, b.unblocks, b.source, b.role, day_text(b.by)) for b in found.blockers
    ]
    actions = [(a.id, day_text(a.by), a.role, a.action, a.check, a.serves) for a in found.actions]
    parts = [
        f"# Pre-project assessment: {_VERDICTS[found.verdict].lower()}",
        f"{found.reason} The next verdict falls on {day_text(found.decide_by)}.",
        "## It is a go if",
        bullets(found.go_if),
        "## It ends if",
        bullets(found.no_go_if),
        "## Blockers" if blockers else "",
        table(("Id", "What is missing", "Removed by", "Check", "Unblocks", "From", "Role", "By"), blockers),
        "## The first two weeks",
        table(("Id", "By", "Role", "Action", "Done when", "Serves"), actions),
    ]
    return "\n\n".join(part.rstrip() for part in parts if part)


STAGE = Stage(
    number=10,
    name="pre_project_assessment",
    title="Pre-project Assessment",
    needs=("locations", "risks", "assumptions"),
    version=4,
    result=PreProjectAssessment,
    draft=draft,
    markdown=markdown,
)
