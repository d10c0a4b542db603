"""Stage 014: the roles that the work needs, when and how much of each, and where they overlap or fall short."""

import asyncio
from functools import partial

from planloom.facts.quoting import clip
from planloom.models.model import Part
from planloom.stages.desk import Desk
from planloom.stages.excerpt import Pick
from planloom.stages.parts.plan_sections import AMOUNTS, CHASED, FRAME, PAY, PERMITS, RESOURCES, of_plan
from planloom.stages.parts.team_answer import Member, MemberDetail, MembersAnswer, ReviewAnswer, Team, TeamRole
from planloom.stages.parts.team_outline import detail, members
from planloom.stages.parts.team_review import review
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.stage import Stage
from planloom.stages.text import bullets, table

__all__ = ["STAGE", "Member", "Team", "TeamRole"]

MEMBERS = """\
List the roles of the team. The posts of the project plan come first, all of them, with the same ids, titles, head
counts, kind of contract and load: they are settled, and the budget pays for them. Then add a role only where a piece
of the plan's work would otherwise belong to nobody, and say which; a function that somebody can carry beside their own
is no new role. Boards, customers and those whom the project serves are not the team.

Each role: the work that needs it, in this project's own things; what goes wrong without it, as an event, not as a
quality; full-time equivalents for each phase of all heads together, zero where there is nothing to do; and the budget
line that pays it, or who pays otherwise.
"""

DETAIL = """\
Describe the one role that you are shown.

Answers for: results, not activities, each with its gate or date. Must know: the skill, licence or experience without
which the work fails here, and the trial task or paper by which it is tested. Found: where people of this kind are in
this place, by which way, until when; for people who are already there, how their time is freed. Needed by: the date
from which a day of delay is a day lost. Cover: who stands in, for how long that holds, and what is done then. First
month: two or three results with a check each.
Pay, head counts and dates are the plan's: repeat them, do not set new ones.
"""

REVIEW = """\
Review the team as a whole, as someone who has seen such teams fail. Look for: an overlap (two roles that both believe
they decide the same), a gap (work of the plan without a role, a check without a second person), a strain (a phase in
which the load of one person passes what one person can do, pay that would not hire anybody here), a single point of
failure (one head whose absence of two weeks moves a gate). Each finding: names the roles, the phase and the figure,
and an action with role, date or gate, and check. Worst first. Do not praise.
"""


#: The posts with their load in every phase, and the lines that pay them: both are settled.
ROLES_READS = of_plan(5000, Pick("People"), PAY, AMOUNTS, RESOURCES, CHASED)
DETAIL_READS = of_plan(900, CHASED)
REVIEW_READS = of_plan(3600, Pick("People"), PAY, CHASED, PERMITS)


async def draft(desk: Desk) -> Team:
    """Three rounds: the roles; each role on its own, side by side; then the whole."""
    plan = desk.read("project_plan", ProjectPlan)
    brief = desk.brief
    frame = desk.excerpt(FRAME)
    mine = (frame, desk.excerpt(DETAIL_READS))
    found = await desk.ask(
        "roles", MEMBERS, (frame, desk.excerpt(ROLES_READS)), MembersAnswer, lambda: members(brief, plan)
    )
    details = await asyncio.gather(
        *(
            desk.ask(
                f"role-{n:02}",
                DETAIL,
                (*mine, _part(member)),
                MemberDetail,
                partial(detail, brief, plan, found, member),
            )
            for n, member in enumerate(found.members, 1)
        )
    )
    roles = tuple(TeamRole(member=m, detail=d) for m, d in zip(found.members, details, strict=True))
    overview = Part("team", "\n".join(_line(m) for m in found.members))
    checked = await desk.ask(
        "review",
        REVIEW,
        (frame, desk.excerpt(REVIEW_READS), overview),
        ReviewAnswer,
        lambda: review(brief, plan, found),
    )
    return Team(roles=roles, review=checked)


def _line(member: Member) -> str:
    load = ", ".join(f"{part.phase} {part.fte:g}" for part in member.load if part.fte)
    paid = f"paid from {member.paid_from}"
    return f"{member.id}: {member.title}, {member.count} x {member.hire}; FTE {load or 'none'}; {paid}"


def _part(member: Member) -> Part:
    return Part("role", f"{_line(member)}\nWork: {member.work}\nWithout it: {member.without}")


def markdown(result: Team) -> str:
    """Return the roles in one table, each role's details, and the review."""
    phases = list(dict.fromkeys(load.phase for role in result.roles for load in role.member.load))
    parts = [
        "# Team",
        table(
            ("Role", "Heads", "As", *(f"FTE {phase}" for phase in phases), "Paid from"),
            (
                (
                    r.member.title,
                    r.member.count,
                    r.member.hire,
                    *(_fte(r.member, p) for p in phases),
                    r.member.paid_from,
                )
                for r in result.roles
            ),
        ),
        f"Heads in all: {sum(r.member.count for r in result.roles)}. FTE counts all heads of a role together.",
        *(_role(role) for role in result.roles),
        "## Review of the team",
        table(
            ("Kind", "Finding", "Action", "Who", "When", "Check"),
            ((f.kind, f.text, f.action, f.role, f.when, f.check) for f in result.review.findings),
        ),
    ]
    return "\n\n".join(part.rstrip() for part in parts)


def _fte(member: Member, phase: str) -> str:
    return f"{round(sum(load.fte for load in member.load if load.phase == phase), 2):g}"


def _role(role: TeamRole) -> str:
    member, detail = role.member, role.detail
    lines = (
        f"Work: {member.work}",
        f"Without it: {member.without}",
        f"Answers for: {detail.answers_for}",
        f"Must know: {detail.must_know}",
        f"Found: {detail.found}",
        f"Needed by: {detail.needed_by}",
        f"Cover: {detail.cover}",
        f"First month: {detail.first_month}",
    )
    return f"## {clip(member.title, 80)}\n\n{bullets(lines)}"


STAGE = Stage(
    number=14,
    name="team",
    title="Team",
    needs=("project_plan",),
    version=5,
    result=Team,
    draft=draft,
    markdown=markdown,
)
