"""The review of the team without a language model: strains, single heads, pay and gaps, each with its figure."""

from collections.abc import Iterator
from datetime import timedelta

from planloom.domain.budget import BudgetLine
from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first
from planloom.knowledge.brief import Brief
from planloom.knowledge.gates import due_day, gate_text, open_day
from planloom.knowledge.posts import posts
from planloom.knowledge.tables import Role
from planloom.stages.parts.plan_money import line_text
from planloom.stages.parts.team_answer import Finding, MembersAnswer, ReviewAnswer
from planloom.stages.parts.team_outline import pay_line
from planloom.stages.project_plan import ProjectPlan

#: From this share of full time on, two weeks of absence cannot be made up by others.
_NEEDED = 0.8


def review(brief: Brief, plan: ProjectPlan, found: MembersAnswer) -> ReviewAnswer:
    """Return what strains, hangs on one head, or is missing; worst first."""
    rows = [
        *_strains(brief, plan),
        *_single(brief, plan, found),
        *_pay(brief, plan),
        *_unpaid(plan, found),
        *_judges(brief, found),
    ]
    if not rows:
        rows = [_first_week(brief, found)]
    return ReviewAnswer(findings=rows[:10])


def _strains(brief: Brief, plan: ProjectPlan) -> Iterator[Finding]:
    """Posts whose functions ask for more than their heads can give."""
    functions = {f.id: f for f in brief.rows("roles", Role)}
    for post in (p for p in posts(brief) if p.stated and p.hire != "employee"):
        asked = {
            phase.id: round(sum(functions[f].fte.get(phase.id, 0.0) for f in post.functions if f in functions), 2)
            for phase in plan.phases
        }
        worst = max(plan.phases, key=lambda phase: asked[phase.id])
        given = post.fte.get(worst.id, 0.0)
        if asked[worst.id] > given:
            yield Finding(
                kind="strain",
                text=clip(
                    f"{post.title} ({post.count}) carry {', '.join(post.acts_as[:4]) or 'all functions'}: "
                    f"{asked[worst.id]:g} full-time equivalents are asked for in “{worst.title}”, {given:g} are there",
                    400,
                ),
                action=clip(f"Give one of these away or cut it: {', '.join(post.acts_as[-2:])}", 300),
                role=brief.role_title("lead"),
                when=clip(f"by {day_text(open_day(brief, worst.first - timedelta(days=28)))}", 80),
                check=f"Load in “{worst.title}” at or below {post.count} per week in the roster",
            )


def _single(brief: Brief, plan: ProjectPlan, found: MembersAnswer) -> Iterator[Finding]:
    alone = [m for m in found.members if m.count == 1 and max(part.fte for part in m.load) >= _NEEDED]
    for member in sorted(alone, key=lambda m: -sum(part.fte for part in m.load))[:3]:
        busiest = max(member.load, key=lambda load: load.fte)
        phase = plan.window(busiest.phase)
        by = max(phase.first, due_day(brief, 15))
        yield Finding(
            kind="single point of failure",
            text=clip(
                f"{member.title}: one head at {busiest.fte:g} in “{phase.title}”. If it is missing: "
                f"{lower_first(member.without)}",
                400,
            ),
            action=clip(f"Second person who has done one full handover of this work: {lower_first(member.work)}", 300),
            role=member.title,
            when=f"by {day_text(by)}",
            check="The second person has run it for three days alone, with the open list kept",
        )


def _pay(brief: Brief, plan: ProjectPlan) -> Iterator[Finding]:
    """The rate that a line implies is the first thing to test: it may hire nobody."""
    lines = [line for line in plan.budget.lines if line.pay and plan.budget.currency]
    for line in sorted(lines, key=lambda x: x.rate)[:2]:
        yield Finding(
            kind="gap",
            text=clip(_rate_text(plan, line), 400),
            action="Compare with three advertisements and one pay table for the post and place, then change the line",
            role=brief.role_title("finance"),
            when=clip(f"by {day_text(due_day(brief, 15))}", 80),
            check="Rate beside its source in the budget; the sum of lines is still the total",
        )


def _rate_text(plan: ProjectPlan, line: BudgetLine) -> str:
    assert line.pay
    rate, amount = line_text(plan.budget, line.rate), line_text(plan.budget, line.amount)
    return (
        f"“{line.title}” pays {line.pay.heads} heads for {line.pay.fte_months:g} full-time months from {amount}: "
        f"{rate} a month implied at full employer cost, not checked against what such people earn"
    )


def _unpaid(plan: ProjectPlan, found: MembersAnswer) -> Iterator[Finding]:
    for member in found.members:
        if member.hire == "employee" and pay_line(plan, member.id) is None:
            yield Finding(
                kind="gap",
                text=f"{member.title}: {member.count} to be employed, and no line of the budget pays for it",
                action=f"Give the work to a post that is paid, or take a line from “{plan.budget.lines[0].title}”",
                role=member.title,
                when=clip(f"before {day_text(plan.phases[0].last)}", 80),
                check="Each employed post stands in exactly one line of pay",
            )


def _judges(brief: Brief, found: MembersAnswer) -> Iterator[Finding]:
    """Whoever builds and checks in one person finds nothing."""
    for post in posts(brief):
        if "quality" in post.functions and len(post.functions) > 1:
            yield Finding(
                kind="overlap",
                text=clip(f"{post.title} also act as {', '.join(post.acts_as)}: they check their own work", 400),
                action="One check at each gate by somebody outside this post, from a list written by the post",
                role=brief.role_title("lead"),
                when=clip(gate_text(brief, "design"), 80),
                check="The outsider's signature stands on the gate record",
            )
    assumed = [p.title for p in posts(brief) if not p.stated and p.hire != "contract"]
    stated = [p.title for p in posts(brief) if p.stated]
    if assumed and stated:
        yield Finding(
            kind="overlap",
            text=clip(
                f"The goal names {', '.join(lower_first(t) for t in stated[:6])}; added: {', '.join(assumed[:4])}. "
                "Whether the named ones carry that work too is not settled",
                400,
            ),
            action="Walk through the packages of each added role and strike those that a named post takes",
            role=brief.role_title("lead"),
            when=f"by {day_text(due_day(brief, 10))}",
            check=f"{len(found.members)} roles or fewer, each package with one owner",
        )


def _first_week(brief: Brief, found: MembersAnswer) -> Finding:
    return Finding(
        kind="gap",
        text=f"{len(found.members)} roles stand on paper and none is confirmed by a person",
        action="Write beside each role who takes it, for how many days a week, from when",
        role=brief.role_title("lead"),
        when=f"by {day_text(due_day(brief, 5))}",
        check="No role without a confirmed person or a date for finding one",
    )
