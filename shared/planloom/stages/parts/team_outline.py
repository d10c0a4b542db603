"""The team without a language model: the plan's posts, what each answers for in work packages, and where it strains."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from planloom.domain.budget import BudgetLine
from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first
from planloom.knowledge.brief import Brief
from planloom.knowledge.gates import due_day, open_day
from planloom.knowledge.package_days import package_start, packages, packages_about
from planloom.knowledge.posts import Post as Person
from planloom.knowledge.posts import posts
from planloom.knowledge.tables import Package
from planloom.knowledge.tracing import stems
from planloom.stages.parts.plan_money import line_text, title_words
from planloom.stages.parts.team_answer import Member, MemberDetail, MembersAnswer
from planloom.stages.project_plan import Post, ProjectPlan

_FEES = re.compile(r"\b(?:fee|advice|design|engineer|architect|adviser|audit|consult|inspect)", re.I)
_ALREADY = "existing"


def members(brief: Brief, plan: ProjectPlan) -> MembersAnswer:
    """Return the posts of the plan as roles, each with its work and who pays."""
    known = {p.id: p for p in posts(brief)}
    return MembersAnswer(members=[_member(plan, post, known.get(post.id)) for post in plan.plan.people[:20]])


def _member(plan: ProjectPlan, post: Post, person: Person | None) -> Member:
    return Member(
        id=post.id,
        title=post.title,
        count=post.count,
        hire=post.hire,
        work=clip(person.work if person else post.basis, 400),
        without=clip(person.without if person else f"Nobody does the work of the {lower_first(post.title)}", 400),
        load=post.load,
        paid_from=clip(_paid_from(plan, post), 160),
    )


def _paid_from(plan: ProjectPlan, post: Post) -> str:
    line = pay_line(plan, post.id)
    if line:
        return f"{line.title}: {line_text(plan.budget, line.amount)}"
    if post.hire == "volunteer":
        return "unpaid; expenses from the lines of the work itself"
    if post.hire == _ALREADY:
        return "no line of this budget: own time or the payroll of whoever sends them (to verify)"
    unpaid = [line for line in plan.budget.lines if line.pay is None]
    wanted = title_words(f"{post.title} {' '.join(post.acts_as)}")
    fees = [*(x for x in unpaid if wanted & title_words(x.title)), *(x for x in unpaid if _FEES.search(x.title))]
    if fees and post.hire == "contract":
        return f"within “{fees[0].title}” ({line_text(plan.budget, fees[0].amount)}), by offer"
    return f"no line yet: from “{plan.budget.lines[0].title}” or contingency, decided before the first order"


def pay_line(plan: ProjectPlan, post_id: str) -> BudgetLine | None:
    """Return the line of the budget that pays the post *post_id*, or None."""
    return next((line for line in plan.budget.lines if line.pay and post_id in line.pay.posts), None)


def detail(brief: Brief, plan: ProjectPlan, found: MembersAnswer, member: Member) -> MemberDetail:
    """Return what *member* answers for, how it is found and who stands in."""
    work = _work(brief, member)
    needed = _needed(plan, member)
    return MemberDetail(
        answers_for=clip(_answers(brief, member, work), 400),
        must_know=clip(_must_know(member, work), 400),
        found=clip(_found(brief, member, needed), 400),
        needed_by=day_text(needed),
        cover=clip(_cover(found, member, plan), 300),
        first_month=clip(_first_month(brief, work, needed), 400),
    )


def _work(brief: Brief, member: Member) -> list[Package]:
    """The packages that the functions of *member* own; for a role that owns none, those that its work speaks of."""
    person = next((p for p in posts(brief) if p.id == member.id), None)
    functions = person.functions if person else ()
    owned = [p for p in packages(brief).values() if p.role in functions]
    return owned or packages_about(brief, member.work)


def _answers(brief: Brief, member: Member, work: Sequence[Package]) -> str:
    if not work:
        return f"No package of its own; what it does shows in others' results by the dates that they set. {member.work}"
    dated = sorted((package_start(brief, p.id), p.title) for p in work)
    more = f"; and {len(dated) - 4} further packages" if len(dated) > 4 else ""
    return "; ".join(f"{title} (from {day_text(day)})" for day, title in dated[:4]) + more


def _must_know(member: Member, work: Sequence[Package]) -> str:
    if not work:
        shown = "Has done it before at this size: two places where it can be seen, and one that went wrong"
        return f"{shown}. {member.without}"
    hardest = max(work, key=lambda p: p.days[2] - p.days[0])
    leaf = hardest.leaves[-1]
    return (
        f"Has carried “{lower_first(hardest.title)}” before. Trial: {lower_first(leaf.title)}; passed when "
        f"{lower_first(leaf.test)}. Two references are asked for the one time it failed."
    )


def _found(brief: Brief, member: Member, needed: date) -> str:
    place = brief.place or "the region"
    weeks = {"employee": 10, "contract": 5, "volunteer": 6}.get(member.hire, 2)
    first = due_day(brief, 1)
    by, until = max(open_day(brief, needed - timedelta(weeks=weeks)), first), day_text(needed)
    heads = f"{member.count} {'person' if member.count == 1 else 'people'}"
    late = first + timedelta(weeks=weeks) > needed
    short = f"; until then {lower_first(brief.role_title('lead'))} carries what cannot wait" if late else ""
    if member.hire == _ALREADY:
        peak = max((load.fte for load in member.load), default=0)
        freed = f"how {peak:g} full-time equivalents are freed in the fullest phase, and what is given up elsewhere"
        return f"Already there ({heads}). By {day_text(by)} it is written down {freed}."
    if member.hire == "contract":
        offers = f"Three offers with a fixed scope from {place} and beyond"
        return f"{offers}, asked for by {day_text(by)}; paid by result{short}."
    if member.hire == "volunteer":
        call = f"{heads} called for in {place} by {day_text(by)}"
        return f"{call} with hours, end date and one contact; a third more, since some leave."
    signed = f"signed within {weeks} weeks" if late else f"signed before {until}"
    return f"{heads}, advertised in {place} by {day_text(by)} with pay band and trial task; contracts {signed}{short}."


def _needed(plan: ProjectPlan, member: Member) -> date:
    first = next((load.phase for load in member.load if load.fte > 0), plan.phases[0].id)
    return plan.window(first).first


def _cover(found: MembersAnswer, member: Member, plan: ProjectPlan) -> str:
    if member.count > 2:
        return f"{member.count} heads: the others carry one absence for two weeks by longer shifts, not two at once"
    if member.count == 2:
        return "The other one carries both loads for one week, with the open list handed over; then a paid stand-in"
    busiest = max(member.load, key=lambda load: load.fte).phase
    title = plan.window(busiest).title
    if member.hire == "contract":
        return f"A second person named in the offer, who has read the file before “{title}” begins"
    words = stems(f"{member.title} {member.work}")
    others = [m for m in found.members if m.id != member.id and m.hire in (_ALREADY, "employee")]
    near = max(others, key=lambda m: (len(words & stems(f"{m.title} {m.work}")), -_load(m, busiest)), default=None)
    if near is None:
        return "Nobody: two weeks of absence stop the work; a second person is agreed before the first order"
    room = f"{_load(near, busiest):g} full-time equivalents of its own in “{title}”"
    return f"{near.title} for one week ({room}), with the open list handed over every Friday; then a paid stand-in"


def _load(member: Member, phase: str) -> float:
    return sum(load.fte for load in member.load if load.phase == phase)


def _first_month(brief: Brief, work: Sequence[Package], needed: date) -> str:
    end = day_text(open_day(brief, needed + timedelta(days=30)))
    if not work:
        reader = lower_first(brief.role_title("lead"))
        return f"By {end}: one page with open points and the first date that is in danger, read by the {reader}."
    first = min(work, key=lambda p: package_start(brief, p.id))
    steps = "; ".join(f"{lower_first(leaf.title)} (check: {lower_first(leaf.test)})" for leaf in first.leaves[:2])
    return f"By {end}: {steps}."
