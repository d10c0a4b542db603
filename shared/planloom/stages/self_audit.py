"""Stage 029: the plan audited against itself: verdict, evidence quoted from it, what is missing, the fix."""

from planloom.stages.desk import Desk
from planloom.stages.excerpt import Excerpt, Pick
from planloom.stages.governance import Governance
from planloom.stages.lenses import Lens, parts_through
from planloom.stages.parts.audited import Audited
from planloom.stages.parts.plan_sections import (
    BUDGET,
    CHASED,
    FRAME,
    FUNDING,
    MEASURES,
    PAY,
    PERMITS,
    RESOURCES,
    SCOPE,
    of_plan,
)
from planloom.stages.parts.review_answer import ReviewPlan
from planloom.stages.parts.schedule_result import Schedule
from planloom.stages.parts.schedule_sections import DAYS, PATH, VERDICT
from planloom.stages.parts.self_audit_answer import ChecksAnswer, SelfAudit
from planloom.stages.parts.self_audit_outline import audit
from planloom.stages.premortem import Premortem
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.stage import Stage
from planloom.stages.team import Team
from planloom.stages.text import table
from planloom.stages.wbs import Wbs

#: What every theme must not ignore: what the critique found.
CRITIQUE = (
    Excerpt("review_plan", 1600, (Pick("Review of the Plan", ("#", "finding", "loss", "action", "by")),)),
    Excerpt("premortem", 1300, (Pick("Tripwires", ("#", "failure", "tripwire", "who watches")),)),
)

_COSTLY = Pick("Risk register", ("Risk", "Score", "Response in place by"), rows=6)

#: One call per theme, side by side.
THEMES = (
    Lens(
        "feasible",
        "can it be done: physics, law, permits, lead times, the time frame, the skills named",
        (VERDICT, PATH, of_plan(2600, PERMITS, RESOURCES)),
    ),
    Lens(
        "paid",
        "can it be paid: lines against scope, contingency, funding in time, what happens when money runs out",
        (of_plan(3600, BUDGET, PAY, FUNDING), Excerpt("risks", 800, (_COSTLY,))),
    ),
    Lens(
        "carried",
        "will it be carried: single points of failure, dependence on others' good will, who may decide and stop",
        (
            Excerpt("team", 1600, (Pick("Review of the team", ("Kind", "Finding", "Who")),)),
            Excerpt(
                "governance", 1800, (Pick("Who decides", ("Body", "Decides", "Quorum", "Limit")), Pick("Not settled"))
            ),
            of_plan(1600, CHASED),
        ),
    ),
    Lens(
        "judged",
        "can it be judged: measures of success, the goal's demands and bans, ethics and safety, a way out",
        (
            of_plan(2800, MEASURES, SCOPE),
            Excerpt("wbs", 1400, (Pick("Where each demand"),)),
            Excerpt("assumptions", 800, (Pick("All", ("Assumption", "Confidence", "By"), rows=5),)),
        ),
    ),
)

INSTRUCTIONS = """\
Audit the plan on one theme: {question}.
Ask three to six checks that matter for this goal; each is a question that "yes" answers well.

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
    shared = desk.excerpts(FRAME, DAYS, *CRITIQUE)
    answers = await parts_through(desk, THEMES, INSTRUCTIONS, shared, ChecksAnswer, lambda theme: audit(audited, theme))
    return SelfAudit(checks=tuple(check for answer in answers.values() for check in answer.checks))


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
    version=5,
    result=SelfAudit,
    draft=draft,
    markdown=markdown,
)
