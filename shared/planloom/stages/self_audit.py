"""Stage 029: the plan audited against itself: verdict, evidence quoted from it, what is missing, the fix."""

import asyncio

from planloom.models.model import Part
from planloom.stages.desk import Desk
from planloom.stages.governance import Governance
from planloom.stages.parts.audited import Audited
from planloom.stages.parts.review_answer import ReviewPlan
from planloom.stages.parts.schedule_result import Schedule
from planloom.stages.parts.self_audit_answer import ChecksAnswer, SelfAudit
from planloom.stages.parts.self_audit_outline import audit
from planloom.stages.premortem import Premortem
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.stage import Stage
from planloom.stages.team import Team
from planloom.stages.text import table
from planloom.stages.wbs import Wbs

#: One call per theme, side by side.
THEMES = {
    "feasible": "can it be done: physics, law, permits, lead times, the time frame, the skills named",
    "paid": "can it be paid: lines against scope, contingency, funding in time, what happens when money runs out",
    "carried": "will it be carried: single points of failure, dependence on others' good will, who may decide and stop",
    "judged": "can it be judged: measures of success, the goal's demands and bans, ethics and safety, a way out",
}

INSTRUCTIONS = """\
Audit the plan on one theme: {theme}. Ask three to six checks that matter for this goal; each is a question that "yes"
answers well.

- verdict: yes only with evidence; partly where a part is missing; no where the plan is silent or wrong.
- evidence: the words or figures of the plan, quoted, with the section in place. No evidence, no yes.
- missing: what a stranger who had to carry the plan out would have to ask.
- fix: which role does what by which date or gate of the plan. Empty only where the verdict is yes.
Use the review's findings and the premortem's stories: a check that ignores what they found is worthless.
Avoid: checks that every plan passes, verdicts out of kindness.
"""


async def draft(desk: Desk) -> SelfAudit:
    """One call per theme, one round."""
    audited = Audited(
        brief=desk.brief,
        plan=desk.read("project_plan", ProjectPlan),
        schedule=desk.read("schedule", Schedule),
        wbs=desk.read("wbs", Wbs),
        team=desk.read("team", Team),
        governance=desk.read("governance", Governance),
        review=desk.read("review_plan", ReviewPlan),
        premortem=desk.read("premortem", Premortem),
        texts=desk.texts,
        titles={name: stage.title for name, stage in desk.needs.items()},
    )
    context = (
        desk.excerpt("project_plan", 6000),
        desk.excerpt("schedule", 3000),
        desk.excerpt("review_plan", 4000),
        desk.excerpt("premortem", 4000),
        desk.excerpt("governance", 2500),
    )
    answers = await asyncio.gather(*(_ask(desk, audited, theme, context) for theme in THEMES))
    return SelfAudit(checks=tuple(check for answer in answers for check in answer.checks))


async def _ask(desk: Desk, audited: Audited, theme: str, context: tuple[Part, ...]) -> ChecksAnswer:
    return await desk.ask(
        theme, INSTRUCTIONS.format(theme=THEMES[theme]), context, ChecksAnswer, lambda: audit(audited, theme)
    )


def markdown(result: SelfAudit) -> str:
    """The count, what is not yes first, then all evidence."""
    open_ = [check for check in result.checks if check.verdict != "yes"]
    parts = [
        "# Self-Audit",
        f"{len(result.checks)} checks: {result.count('yes')} yes, {result.count('partly')} partly, "
        f"{result.count('no')} no.",
    ]
    if open_:
        parts += [
            "## To mend",
            table(
                ["check", "verdict", "missing", "fix"],
                [(check.check, check.verdict, check.missing, check.fix) for check in open_],
            ),
        ]
    return "\n\n".join([*parts, "## Evidence", table(["check", "verdict", "evidence", "section"], _rows(result))])


def _rows(result: SelfAudit) -> list[tuple[str, str, str, str]]:
    return [(check.check, check.verdict, check.evidence, check.place) for check in result.checks]


STAGE = Stage(
    number=29,
    name="self_audit",
    title="Self-Audit",
    needs=(
        "assumptions",
        "data_collection",
        "documents",
        "governance",
        "locations",
        "premortem",
        "project_plan",
        "review_plan",
        "risks",
        "schedule",
        "team",
        "wbs",
    ),
    version=2,
    result=SelfAudit,
    draft=draft,
    markdown=markdown,
)
