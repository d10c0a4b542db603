"""The audit's first themes: can it be done, and can it be paid."""

from collections.abc import Iterator

from planloom.domain.wording import amount_text, day_text
from planloom.facts.quoting import clip, lower_first
from planloom.stages.parts.audited import Audited
from planloom.stages.parts.fitted import fitted
from planloom.stages.parts.permit_waits import days_short, waiting_permits
from planloom.stages.parts.self_audit_answer import CheckRow, Verdict

_HOLDS: dict[str, Verdict] = {"holds": "yes", "tight": "partly", "late": "no", "open": "partly"}
#: Below this share of packages beside the critical path, work waits that need not.
_BESIDE = 0.25


def feasible(a: Audited) -> Iterator[CheckRow]:
    """Check the end, the permits, closed days, and what runs side by side."""
    yield _end(a)
    yield from _permits(a)
    yield from _closed(a)
    yield _side_by_side(a)


def _end(a: Audited) -> CheckRow:
    s = a.schedule
    verdict = _HOLDS[s.verdict]
    if s.deadline is None:
        check, missing = "Does the goal say by when it must be done?", "The latest day that the owner accepts"
        fix = a.fix(f"names the latest day; {day_text(s.p80)} is the date at 80% confidence")
    else:
        check = f"Does the computed schedule end before {day_text(s.deadline)}?"
        missing = (
            f"{(s.p80 - s.deadline).days} calendar days, from {day_text(s.deadline)} to the date at 80% confidence"
        )
        fix = s.advice[0] if s.advice else a.fix("agrees another date in writing")
    done = verdict == "yes"
    return fitted(
        CheckRow,
        check=check,
        verdict=verdict,
        evidence=s.verdict_text,
        place="Schedule",
        missing="" if done else missing,
        fix="" if done else fix,
    )


def _permits(a: Audited) -> Iterator[CheckRow]:
    pairs = waiting_permits(a.plan, a.schedule)
    if not pairs:
        return
    short = [(permit, task) for permit, task in pairs if days_short(permit, task.start) > 0]
    permit, task = max(short or pairs, key=lambda pair: (days_short(pair[0], pair[1].start), pair[0].title))
    late = days_short(permit, task.start)
    yield fitted(
        CheckRow,
        check="Is each permit there before the work that needs it, even if it takes as long as it can?",
        verdict="yes" if not short else "partly" if len(short) * 2 <= len(pairs) else "no",
        evidence=f"{len(pairs) - len(short)} of {len(pairs)} are; the tightest is "
        f"{lower_first(clip(permit.title, 120))}: apply by {day_text(permit.apply_by)}, up to {permit.pessimistic} "
        f"working days, and {task.id} {lower_first(clip(task.title, 80))} starts on {day_text(task.start)}.",
        place="Project Plan",
        missing=f"Up to {late} working days. Short are: {'; '.join(lower_first(p.title) for p, _ in short)}"
        if short
        else "",
        fix=a.fix(f"asks for a dated answer, and plans what of {task.id} can go on without it", permit.role)
        if short
        else "",
    )


def _closed(a: Audited) -> Iterator[CheckRow]:
    """Closed days: the schedule computes with them, so that the evidence is its dates."""
    if not a.schedule.closed:
        return
    closed, waiting = a.schedule.closed, [task for task in a.schedule.tasks if task.waits_for_season]
    first = closed[0]
    # surveys and drawings of work outdoors are made in any season
    kinds = {package.id: package.kind for package in a.wbs.packages}
    builds = {t.id for t in a.schedule.tasks if t.outdoor and kinds.get(t.id) not in ("research", "design")}
    bound = [(t, c) for t in a.schedule.tasks for c in closed if t.id in builds or not c.outdoor]
    inside = [t for t, c in bound if c.first <= t.start <= c.last]
    waits = (
        f"; {waiting[0].id} {lower_first(clip(waiting[0].title, 80))} waits for {day_text(waiting[0].start)}"
        if waiting
        else ""
    )
    yield fitted(
        CheckRow,
        check="Does all work lie on days that the goal leaves open?",
        verdict="no" if inside else "yes",
        evidence=f"{len(closed)} closed periods, first {day_text(first.first)} to {day_text(first.last)} "
        f"(“{clip(first.reason, 120)}”); {len(inside)} packages start in one{waits}.",
        place="Schedule",
        missing=f"An open day for {', '.join(task.id for task in inside[:5])}" if inside else "",
        fix=a.fix("moves the start of these packages") if inside else "",
    )


def _side_by_side(a: Audited) -> CheckRow:
    s = a.schedule
    beside = len(s.tasks) - len(s.critical_path)
    many = beside >= len(s.tasks) * _BESIDE
    longest = sorted((t for t in s.tasks if t.critical), key=lambda t: (-t.duration, t.id))[:2]
    named = " and ".join(f"{t.id} {lower_first(t.title)}" for t in longest)
    return fitted(
        CheckRow,
        check="Does work that need not wait run side by side?",
        verdict="yes" if many else "partly",
        evidence=f"{beside} of {len(s.tasks)} packages lie beside the critical path of {len(s.critical_path)}; its "
        f"longest are {named}.",
        place="Schedule",
        missing="" if many else "Packages that can start before the one above them ends",
        fix="" if many else a.fix(f"splits {named}"),
    )


def paid(a: Audited) -> Iterator[CheckRow]:
    """Check the total, its sources, and what the largest lines rest on."""
    currency = a.plan.budget.currency
    if currency is None:
        yield fitted(
            CheckRow,
            check="Is there a total that lines can be held against?",
            verdict="no",
            evidence=f"The budget shows {len(a.plan.budget.lines)} shares; no total was found in the goal.",
            place="Project Plan",
            missing="The amount that may be spent, and the most that may be lost",
            fix=a.fix("has the owner write down both amounts"),
        )
    else:
        yield _sum(a, currency)
        yield _sources(a, currency)
    yield _rests_on(a)


def _sum(a: Audited, currency: str) -> CheckRow:
    b = a.plan.budget
    total = sum(line.amount for line in b.lines) + b.contingency
    over = f"The goal's own amounts exceed the total by {amount_text(b.overrun, currency)}" if b.overrun else ""
    adds_up = total == b.total and not b.overrun
    return fitted(
        CheckRow,
        check=f"Do lines and contingency add up to {amount_text(b.total, currency)}?",
        verdict="yes" if adds_up else "no",
        evidence=f"{len(b.lines)} lines of {amount_text(total - b.contingency, currency)} and a contingency of "
        f"{amount_text(b.contingency, currency)} make {amount_text(total, currency)}.",
        place="Project Plan",
        missing="" if adds_up else over or f"{amount_text(abs(b.total - total), currency)} between lines and total",
        fix="" if adds_up else a.fix("decides with the owner which stated amount is cut"),
    )


def _sources(a: Audited, currency: str) -> CheckRow:
    b = a.plan.budget
    funded = bool(b.funding) and b.gap <= 0
    return fitted(
        CheckRow,
        check="Is it known where all the money comes from, and what must be true before it can be drawn?",
        verdict="yes" if funded else "partly" if b.funding else "no",
        evidence="; ".join(
            f"{f.title}: {amount_text(f.amount, currency)} ({lower_first(clip(f.condition, 90))})"
            for f in b.funding[:4]
        )
        or "No source of money is named in the goal.",
        place="Project Plan",
        missing="" if funded else f"A source for {amount_text(max(b.gap, 0) or b.total, currency)}",
        fix="" if funded else a.fix("names the source, its amount and its condition", a.brief.role_title("finance")),
    )


def _rests_on(a: Audited) -> CheckRow:
    b = a.plan.budget
    stated = [line for line in b.lines if line.stated]
    guessed = sorted((line for line in b.lines if not line.stated), key=lambda line: (-line.amount, line.id))[:3]
    named = "; ".join(lower_first(line.title) for line in guessed)
    return fitted(
        CheckRow,
        check="Do the largest lines rest on more than a share of the total?",
        verdict="yes" if not guessed else "partly" if stated else "no",
        evidence=f"{len(stated)} of {len(b.lines)} lines are stated in the goal; the others are planning values of "
        f"AACE class {b.estimate_class}.",
        place="Project Plan",
        missing=f"Quotes for {named}" if guessed else "",
        fix=a.fix(f"collects three quotes for each of these: {named}", a.brief.role_title("finance"))
        if guessed
        else "",
    )
