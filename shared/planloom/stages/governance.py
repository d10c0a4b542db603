"""Stage 012: who decides what within which limits, and how one sees that they do."""

import asyncio

from planloom.domain.wording import day_text
from planloom.models.model import Part
from planloom.stages.desk import Desk
from planloom.stages.parts.governance_answer import (
    AuditAnswer,
    BodiesAnswer,
    BodyRow,
    EscalationAnswer,
    GapsAnswer,
    Governance,
    MonitoringAnswer,
    SetupAnswer,
)
from planloom.stages.parts.governance_figures import audit, monitoring
from planloom.stages.parts.governance_gaps import gaps
from planloom.stages.parts.governance_ladder import escalation, setup
from planloom.stages.parts.governance_outline import bodies
from planloom.stages.parts.plan_sections import CHASED, CRITERIA, FRAME, FUNDING, MEASURES, PARTIES, PERMITS, of_plan
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.stage import Stage
from planloom.stages.text import table

__all__ = ["STAGE", "BodyRow", "Governance"]

BODIES = """\
Name the bodies and single deciders of this project: as few as it needs. A café of two partners has no steering
committee; a works contract of public money has one, and a council above it.

Take first what the goal itself says on who decides, signs, meets or can stop something, with its own limits, members
and rhythm, unchanged. Add a body only where a kind of decision would otherwise belong to nobody, and say which.
Each body: what it may decide alone; members by role; how often it meets; the quorum, so that a decision can be void;
its limit in money or days. Limits form one ladder without holes: what one may not decide, exactly one other may.
Then say how a decision is recorded and found again: one place, one number, one date.
"""

AUDIT = """\
Say what is checked by somebody who does not answer for it. Take what would hurt most if it were quietly not so: money
paid above a limit, a cap or a ban of the goal, a condition of a permit, the record from which success is read. Each
row: what, at which evidence the checker looks, who checks, when, and what happens on a finding. No audit without
evidence that will exist by then.
"""

SETUP = """\
Write the steps that set this governance up, in order, each with a role, a date and a check. It must work before the
first money is committed: limits signed, log open, dates of the bodies fixed to the end, deputies named, rights to stop
written down. No step that only announces something.
"""

ESCALATION = """\
Write the ladder: which matter goes from whom to whom, at which limit in money, days or event, within how many working
days it must be decided, and what goes on and what stops meanwhile. Use the limits of the bodies and the goal exactly.
Cover cost, time, success figures at risk, a demand or ban that cannot be kept, a right to stop that is used.
"""

MONITORING = """\
Name the figures that are watched. Each has a source that exists, a rhythm, the value at which somebody acts, what is
done then and by whom. Prefer figures that move before the damage is done over those that count it. The success
criteria and the thresholds of the plan are among them, with the same values.
"""

GAPS = """\
Say what this arrangement does not settle yet: two deciders without a casting vote, a right to stop without a way to
resume, a body without a quorum, a limit without a reply time, people affected whom nobody hears. Each gap: what it
leads to, what closes it, who does that, by when, and how one sees it.
"""


#: Who can stop what, on what money hangs, which figures must hold.
READS = of_plan(3000, PARTIES, CRITERIA, FUNDING)
AUDIT_READS = of_plan(2000, MEASURES, PERMITS, FUNDING)
WATCH_READS = of_plan(2000, MEASURES, CHASED)
GAPS_READS = of_plan(1400, PARTIES)


async def draft(desk: Desk) -> Governance:
    """The bodies first; then five calls beside each other that rest on them."""
    plan = desk.read("project_plan", ProjectPlan)
    brief = desk.brief
    frame = desk.excerpt(FRAME)
    found = await desk.ask("bodies", BODIES, (frame, desk.excerpt(READS)), BodiesAnswer, lambda: bodies(brief, plan))
    named = tuple(f"{b.title}: decides {b.decides}; limit {b.limit}; meets {b.cadence}" for b in found.bodies)
    beside = (frame, Part("bodies", "\n".join(named)))
    watched = desk.excerpt(WATCH_READS)
    checks, steps, ladder, watch, holes = await asyncio.gather(
        desk.ask("audit", AUDIT, (*beside, desk.excerpt(AUDIT_READS)), AuditAnswer, lambda: audit(brief, plan)),
        desk.ask("setup", SETUP, beside, SetupAnswer, lambda: setup(brief, found)),
        desk.ask(
            "escalation", ESCALATION, (*beside, watched), EscalationAnswer, lambda: escalation(brief, plan, found)
        ),
        desk.ask("monitoring", MONITORING, (*beside, watched), MonitoringAnswer, lambda: monitoring(brief, plan)),
        desk.ask("gaps", GAPS, (*beside, desk.excerpt(GAPS_READS)), GapsAnswer, lambda: gaps(brief, plan)),
    )
    return Governance(bodies=found, audit=checks, setup=steps, escalation=ladder, monitoring=watch, gaps=holes)


def markdown(result: Governance) -> str:
    """Return bodies and the five tables that rest on them."""
    parts = [
        "# Governance",
        "## Who decides",
        table(
            ("Body", "Decides", "Members", "Meets", "Quorum", "Limit", "Basis"),
            ((b.title, b.decides, b.members, b.cadence, b.quorum, b.limit, b.basis) for b in result.bodies.bodies),
        ),
        f"**Record.** {result.bodies.record}",
        "## Escalation",
        table(
            ("Matter", "At", "From", "To", "Decided within", "Meanwhile"),
            ((e.matter, e.limit, e.from_role, e.to, e.within, e.meanwhile) for e in result.escalation.rows),
        ),
        "## What is watched",
        table(
            ("Figure", "Source", "How often", "Somebody acts at", "What is done", "Who"),
            ((i.indicator, i.source, i.frequency, i.threshold, i.action, i.role) for i in result.monitoring.indicators),
        ),
        "## What is audited",
        table(
            ("What", "Evidence", "Who checks", "When", "On a finding"),
            ((a.what, a.evidence, a.role, a.when, a.on_finding) for a in result.audit.audits),
        ),
        "## Set-up",
        table(
            ("By", "Step", "Who", "Done when"),
            ((day_text(s.by), s.action, s.role, s.check) for s in result.setup.steps),
        ),
        "## Not settled yet",
        table(
            ("Gap", "Leads to", "Closed by", "Who", "By", "Check"),
            ((g.gap, g.consequence, g.action, g.role, day_text(g.by), g.check) for g in result.gaps.gaps),
        ),
    ]
    return "\n\n".join(part.rstrip() for part in parts)


STAGE = Stage(
    number=12,
    name="governance",
    title="Governance",
    needs=("project_plan",),
    version=5,
    result=Governance,
    draft=draft,
    markdown=markdown,
)
