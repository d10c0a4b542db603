"""Questions of those who do the work, of those it is made for, and of those whose leave is needed."""

import re
from collections.abc import Iterator

from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first
from planloom.stages.parts.plan_answer import PermitRow
from planloom.stages.parts.questions_answer import QuestionRow
from planloom.stages.parts.questions_sources import Sources, asked, unsaid

_DETERMINED = re.compile(r"(?:the|our|a|an|each|every|both|all|any|no)\b", re.IGNORECASE)
_PLAIN_LIMIT = 30


def about_people(s: Sources) -> Iterator[QuestionRow]:
    """Ask who decides, who is missing, and what the team's review found."""
    for body in s.governance.bodies.bodies[:2]:
        limit = "" if body.limit.lower() in body.decides.lower() else f" Limit: {lower_first(body.limit).rstrip('.')}."
        yield asked(
            f"What is left to {the(body.title)} to decide?",
            f"{body.decides.rstrip('.')}.{limit} Meets: {lower_first(body.cadence).rstrip('.')}.",
            "Governance",
        )
    missing = [role for role in s.team.roles if role.member.hire != "existing"]
    if missing:
        told = "; ".join(f"{lower_first(r.member.title)} ({r.member.count}), {r.detail.needed_by}" for r in missing[:5])
        yield asked(f"Which of {len(s.team.roles)} roles are not there yet, and needed by when?", f"{told}.", "Team")
    for finding in s.team.review.findings[:1]:
        about, colon, text = finding.text.partition(":")
        named = f" of {lower_first(about)}" if colon and len(about) < _PLAIN_LIMIT * 2 else ""
        yield asked(
            f"What about the {finding.kind}{named}?",
            f"{(text if named else finding.text).strip().rstrip('.')}. {finding.action.rstrip('.')}: {finding.role}, "
            f"{finding.when}.",
            "Team",
        )


def about_use(s: Sources) -> Iterator[QuestionRow]:
    """Ask how success is seen, and what is known least of those it is made for."""
    for criterion in s.plan.plan.criteria[:2]:
        yield asked(
            f"How will anybody know that “{clip(criterion.text, 120)}” came true?",
            f"{criterion.measure.rstrip('.')}. It passes at {lower_first(criterion.threshold).rstrip('.')}, measured "
            f"{lower_first(criterion.when)} by {lower_first(criterion.role)}.",
            "Project Plan",
        )
    for row in s.data.data.items[:1]:
        yield asked(
            f"What is known least about {s.brief.words.get('customers', 'those it is made for')}?",
            f"{row.question.rstrip('?')}? It decides: {lower_first(row.decides).rstrip('.')}. {row.role} finds out by "
            f"{day_text(row.deadline)}.",
            "Data Collection",
        )


def about_leave(s: Sources) -> Iterator[QuestionRow]:
    """Ask what follows a no or a late answer, and what those with power want."""
    permits = sorted(s.plan.plan.permits, key=lambda p: (-p.pessimistic, p.title))
    for permit in permits[:2]:
        yield _refused(permit)
    if not permits:
        yield unsaid(
            s,
            f"Whose permission does {s.brief.facts.subject} need?",
            "No permit was found in the goal or its field.",
            "ask the authority in charge and write down its answer, also where it is none",
        )
    for who in [row for row in s.plan.plan.stakeholders if row.power == "high"][:2]:
        yield asked(
            f"What concerns {the(who.name)}, and who talks to them?",
            f"{who.interest.rstrip('.')}. {who.role} tells them: {lower_first(who.tell).rstrip('.')}.",
            "Project Plan",
        )


def _refused(permit: PermitRow) -> QuestionRow:
    return asked(
        f"What if this is refused or late: {lower_first(permit.title)}?",
        f"{permit.needed_for.rstrip('.')} cannot start without it. {permit.role} applies by "
        f"{day_text(permit.apply_by)}; {lower_first(permit.authority)} takes {permit.optimistic} to "
        f"{permit.pessimistic} working days, {permit.likely} likely.",
        "Project Plan",
    )


def the(title: str) -> str:
    """Return *title* to stand within a sentence, with an article where it has no determiner."""
    return lower_first(title) if _DETERMINED.match(title) else f"the {lower_first(title)}"
