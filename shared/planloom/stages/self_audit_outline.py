"""The audit without a model: checks computed from the plan, and checks of its field with the best evidence found."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from planloom.knowledge.brief import Brief, amount_text, day_text
from planloom.knowledge.gates import due_day, gate_text
from planloom.knowledge.quoting import clip, lower_first
from planloom.knowledge.tables import Audit
from planloom.knowledge.tracing import stems
from planloom.stages.governance import Governance
from planloom.stages.premortem import Premortem
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.review_answer import ReviewPlan
from planloom.stages.schedule_result import Schedule
from planloom.stages.self_audit_answer import CheckRow, ChecksAnswer, Verdict
from planloom.stages.team import Team
from planloom.stages.wbs import Wbs

#: Words that a line of the plan must share with a check to be evidence for it, and to be half of it.
ENOUGH, HALF = 3, 2
MOST_CHECKS = 6
#: Which theme asks the checks of the field, by the section in which their evidence should stand.
THEME_OF = {
    "project_plan": "feasible",
    "schedule": "feasible",
    "wbs": "feasible",
    "team": "carried",
    "governance": "carried",
}
HOLDS: dict[str, Verdict] = {"holds": "yes", "tight": "partly", "late": "no", "open": "partly"}


@dataclass(frozen=True)
class Audited:
    """The plan, as results and as texts."""

    brief: Brief
    plan: ProjectPlan
    schedule: Schedule
    wbs: Wbs
    team: Team
    governance: Governance
    review: ReviewPlan
    premortem: Premortem
    texts: Mapping[str, str]
    titles: Mapping[str, str]

    def fix(self, action: str, role: str | None = None) -> str:
        """Return *action* with who does it and by when."""
        who = role or self.plan.plan.people[0].title
        return clip(f"By {day_text(due_day(self.brief, 15))}, {lower_first(who)} {action}", 400)


def audit(a: Audited, theme: str) -> ChecksAnswer:
    """Return the checks of *theme*: computed ones first, then those of the field."""
    own: dict[str, Callable[[Audited], Iterator[CheckRow]]] = {
        "feasible": _feasible,
        "paid": _paid,
        "carried": _carried,
        "judged": _judged,
    }
    rows = [row for row in a.brief.rows("audits", Audit) if THEME_OF.get(row.look_in, "judged") == theme]
    checks = [*own[theme](a), *(_from_table(a, row) for row in rows)]
    return ChecksAnswer(checks=checks[:MOST_CHECKS])


def _feasible(a: Audited) -> Iterator[CheckRow]:
    s = a.schedule
    verdict = HOLDS[s.verdict]
    when = day_text(s.deadline) if s.deadline else "a date that the owner can name"
    yield CheckRow(
        check=f"Does the computed schedule end before {when}?",
        verdict=verdict,
        evidence=clip(s.verdict_text, 500),
        place="Schedule",
        missing="" if verdict == "yes" else f"Room between the date at 80% confidence, {day_text(s.p80)}, and {when}",
        fix="" if verdict == "yes" else a.fix(lower_first(s.advice[0]) if s.advice else "agrees the date in writing"),
    )
    permits = a.plan.plan.permits
    late = [p for p in permits if p.apply_by < s.start]
    if permits:
        first = min(permits, key=lambda p: (p.apply_by, p.title))
        yield CheckRow(
            check="Is every permit applied for early enough for its longest lead time?",
            verdict="no" if late else "yes",
            evidence=f"{len(permits)} permits; first: {clip(first.title, 120)}, apply by {day_text(first.apply_by)}, "
            f"{first.optimistic} to {first.pessimistic} working days at {lower_first(clip(first.authority, 100))}.",
            place="Project Plan",
            missing=clip(f"Too late from the first day: {', '.join(p.title for p in late)}", 400) if late else "",
            fix=a.fix("asks the authority for a dated answer and plans what can go on without it", late[0].role)
            if late
            else "",
        )
    parallel = len(s.tasks) - len(s.critical_path)
    yield CheckRow(
        check="Does work that need not wait run side by side?",
        verdict="yes" if parallel >= len(s.tasks) / 4 else "partly",
        evidence=f"{parallel} of {len(s.tasks)} packages lie beside the critical path of {len(s.critical_path)}.",
        place="Schedule",
        missing="" if parallel >= len(s.tasks) / 4 else "Few packages can start before the one above them ends",
        fix="" if parallel >= len(s.tasks) / 4 else a.fix("splits the two longest packages of the critical path"),
    )


def _paid(a: Audited) -> Iterator[CheckRow]:
    b = a.plan.budget
    if b.currency is None:
        yield CheckRow(
            check="Is there a total that lines can be held against?",
            verdict="no",
            evidence=f"The budget shows {len(b.lines)} shares; the goal states no total.",
            place="Project Plan",
            missing="The amount that may be spent, and the most that may be lost",
            fix=a.fix("has the owner write down both amounts"),
        )
    else:
        total = sum(line.amount for line in b.lines) + b.contingency
        yield CheckRow(
            check=f"Do lines and contingency add up to {amount_text(b.total, b.currency)}?",
            verdict="yes" if total == b.total and not b.overrun else "no",
            evidence=f"{len(b.lines)} lines of {amount_text(total - b.contingency, b.currency)} and a contingency of "
            f"{amount_text(b.contingency, b.currency)} make {amount_text(total, b.currency)}.",
            place="Project Plan",
            missing=f"The goal's own amounts exceed the total by {amount_text(b.overrun, b.currency)}"
            if b.overrun
            else "",
            fix=a.fix("decides with the owner which stated amount is cut") if b.overrun else "",
        )
        funded = bool(b.funding) and b.gap <= 0
        yield CheckRow(
            check="Is it known where all the money comes from?",
            verdict="yes" if funded else "partly" if b.funding else "no",
            evidence="; ".join(f"{f.title}: {amount_text(f.amount, b.currency)}" for f in b.funding[:4])
            or "No source of money is named in the goal.",
            place="Project Plan",
            missing="" if funded else f"A source for {amount_text(max(b.gap, 0), b.currency)}",
            fix=""
            if funded
            else a.fix("names the source, its amount and its condition", a.brief.role_title("finance")),
        )
    stated = [line for line in b.lines if line.stated]
    yield CheckRow(
        check="Do the largest lines rest on more than a share of the total?",
        verdict="partly" if stated else "no",
        evidence=f"{len(stated)} of {len(b.lines)} lines are stated in the goal; the others are planning values of "
        f"AACE class {b.estimate_class}.",
        place="Project Plan",
        missing="Quotes for the lines that the goal does not state",
        fix=a.fix("collects three quotes for each of the three largest", a.brief.role_title("finance")),
    )


def _carried(a: Audited) -> Iterator[CheckRow]:
    owners = Counter(task.owner for task in a.schedule.tasks if task.critical)
    owner, count = min(owners.items(), key=lambda e: (-e[1], e[0])) if owners else ("nobody", 0)
    much = count > max(sum(owners.values()) * 0.4, 1)
    yield CheckRow(
        check="Could the plan go on if its busiest person fell out for a month?",
        verdict="partly" if much else "yes",
        evidence=f"{owner} owns {count} of {sum(owners.values())} packages on the critical path.",
        place="Schedule",
        missing=f"A stand-in who has worked with {lower_first(owner)} on one of them" if much else "",
        fix=a.fix("names the stand-in and the package they share") if much else "",
    )
    others = a.plan.plan.dependencies
    chased = [row for row in others if row.role and row.by]
    first = others[0] if others else None
    yield CheckRow(
        check="Does somebody chase everything that depends on others?",
        verdict="yes" if others and len(chased) == len(others) else "partly",
        evidence=f"{len(others)} dependencies; first: {clip(first.what, 200)}, chased by {lower_first(first.role)} "
        f"until {first.by}."
        if first
        else "No dependency on others is named.",
        place="Project Plan",
        missing="" if others else "What must come from outside before work can go on",
        fix="" if others else a.fix("lists what others must give and who asks for it"),
    )
    rows = a.governance.escalation.rows
    yield CheckRow(
        check="Is it settled who decides when plans change, and within how many days?",
        verdict="yes" if len(rows) > 1 else "partly",
        evidence=f"{len(rows)} steps of escalation; first: {clip(rows[0].matter, 160)} goes to "
        f"{lower_first(rows[0].to)} within {rows[0].within}.",
        place="Governance",
        missing="" if len(rows) > 1 else "What goes on while a decision is waited for",
        fix="" if len(rows) > 1 else a.fix("adds the second step"),
    )
    stories = a.premortem.stories
    yield CheckRow(
        check="Does somebody watch each way in which it could fail?",
        verdict="yes",
        evidence=f"{len(stories)} failure stories, each with a tripwire; first: {clip(stories[0].tripwire, 200)}, "
        f"watched by {lower_first(stories[0].watcher)}.",
        place="Premortem",
    )


def _judged(a: Audited) -> Iterator[CheckRow]:
    criteria = a.plan.plan.criteria
    measured = [c for c in criteria if any(ch.isdigit() for ch in c.threshold)]
    vague = [c for c in criteria if c not in measured]
    yield CheckRow(
        check="Can a stranger tell from figures whether it succeeded?",
        verdict="yes" if not vague else "partly",
        evidence=f"{len(measured)} of {len(criteria)} measures have a figure; first: {clip(criteria[0].text, 140)}, "
        f"{lower_first(clip(criteria[0].threshold, 120))}.",
        place="Project Plan",
        missing=clip(f"A figure for: {'; '.join(c.text for c in vague[:2])}", 400) if vague else "",
        fix=a.fix("writes the value that passes", vague[0].role) if vague else "",
    )
    open_ = [trace for trace in a.wbs.traces if not trace.packages]
    if a.wbs.traces:
        yield CheckRow(
            check="Does some work package serve each demand of the goal?",
            verdict="yes" if not open_ else "partly",
            evidence=f"{len(a.wbs.traces) - len(open_)} of {len(a.wbs.traces)} demands are traced; first: "
            f"“{clip(a.wbs.traces[0].demand, 150)}” by {', '.join(a.wbs.traces[0].packages) or 'none'}.",
            place="Work Breakdown Structure",
            missing=clip(f"Work for “{open_[0].demand}”", 400) if open_ else "",
            fix=a.fix("adds the package or names the test that shows it is kept") if open_ else "",
        )
    bans = a.brief.facts.bans
    if bans:
        out = a.plan.plan.scope_out
        yield CheckRow(
            check="Are the goal's bans kept as limits of scope?",
            verdict="yes" if out else "no",
            evidence=f"{len(bans)} bans in the goal; out of scope: {clip('; '.join(r.text for r in out[:3]), 360)}.",
            place="Project Plan",
            missing="" if out else "What is out of scope",
            fix="" if out else a.fix("writes down what is out"),
        )
    contradictions = [f for f in a.review.findings if f.kind == "contradiction"]
    yield CheckRow(
        check="Do the sections agree with each other?",
        verdict="no" if contradictions else "yes",
        evidence=clip(contradictions[0].text, 500)
        if contradictions
        else f"The review holds: {clip(a.review.sound[0], 300)}",
        place="Review of the Plan",
        missing=clip(f"{len(contradictions)} contradictions to settle", 400) if contradictions else "",
        fix=clip(f"{contradictions[0].action} {contradictions[0].role}, {contradictions[0].by}.", 400)
        if contradictions
        else "",
    )


def _from_table(a: Audited, row: Audit) -> CheckRow:
    line, place, shared = _evidence(a, row)
    verdict: Verdict = "yes" if shared >= ENOUGH else "partly" if shared >= HALF else "no"
    title = a.titles.get(place, "the plan")
    return CheckRow(
        check=row.check,
        verdict=verdict,
        evidence=f"“{clip(line, 400)}”"
        if shared >= HALF
        else f"Nothing in the plan speaks of it; it belongs in {title}.",
        place=title,
        missing="" if verdict == "yes" else clip(f"What this check asks for, in {title}, with a figure or a date", 400),
        fix="" if verdict == "yes" else clip(f"{row.fix.rstrip('.')}, before {gate_text(a.brief, 'design')}.", 400),
    )


def _evidence(a: Audited, row: Audit) -> tuple[str, str, int]:
    """Return the line of the plan that shares most words with the check: in its own section if that has any."""
    wanted = stems(f"{row.check} {row.fix}")
    best = ("", row.look_in if row.look_in in a.texts else "project_plan", 0)
    for name in dict.fromkeys([row.look_in, *sorted(a.texts)]):
        for line in _lines(a.texts.get(name, "")):
            shared = len(stems(line) & wanted)
            if shared > best[2]:
                best = (line, name, shared)
        if best[2] >= ENOUGH:
            break
    return best


def _lines(text: str) -> list[str]:
    plain = re.sub(r"[*#`|]+", " ", text)
    return [line for each in plain.splitlines() if 20 < len(line := " ".join(each.split())) < 600]
