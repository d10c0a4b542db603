"""Gates of the project plan without a language model: dated milestones, what the work waits for, and permits."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from planloom.domain.facts import Day
from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, quotable, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.dangers import Danger, dangers, sentence_of
from planloom.knowledge.gates import due_day, gate_day, gate_text, open_day
from planloom.knowledge.package_days import package_start, package_title, packages
from planloom.knowledge.success import targets
from planloom.knowledge.tables import Package, Permit, Risk
from planloom.knowledge.timetable import outline_timetable
from planloom.knowledge.tracing import stems
from planloom.stages.parts.plan_answer import Dependency, Milestone, PermitRow

_MONEY = re.compile(r"\b(?:loan|grant|fund\w*|invest\w*|credit|money|budget|savings|subsid\w*)\b", re.IGNORECASE)
_PAPER = re.compile(r"\b(?:permit|permission|licen[cs]e|consent|approval|certificat\w+|clearance|tender\w*)\b", re.I)
_WISH = re.compile(r"^(?:we|i|they)\s+(?:will|(?:want|plan|aim|need|would like|intend|hope)\s+to)\s+", re.IGNORECASE)
#: Working days per calendar day.
_WEEK = 7 / 5


def slug(text: str) -> str:
    """Return *text* as an id: lower case, digits and hyphens, at most 50 characters, at least two."""
    made = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:48].strip("-")
    return made if len(made) > 1 else f"item-{made}"


def milestone_rows(brief: Brief) -> list[Milestone]:
    """Return the prompt's dates as they are, the gates of the phases, and decisions that the prompt puts first."""
    stated = list(_stated(brief))
    gates = [g for g in _gates(brief) if not any(abs((s.day - g.day).days) < 4 and s.phase == g.phase for s in stated)]
    rows = {m.id: m for m in (*_decisions(brief), *gates, *stated, *_measured(brief))}
    return sorted(rows.values(), key=lambda m: (m.day, m.id))[:20]


def _stated(brief: Brief) -> Iterator[Milestone]:
    for day in brief.facts.days:
        if day.role not in ("milestone", "deadline") or day.latest < brief.start:
            continue
        said = sentence_of(brief.facts, day)
        shown = bool(quotable(brief.facts, [said, day]))
        phase = "launch" if day.role == "deadline" else _phase_at(brief, day.latest)
        yield Milestone(
            id=slug(f"stated {day.label or day.text}"),
            title=clip(_label(brief, day), 160),
            day=day.latest,
            phase=phase,
            proof=clip(brief.phase(phase).exit if day.role == "deadline" else _proof(day), 300),
            role=brief.role_title("lead"),
            basis=clip(f"From the goal: {quote(said if shown else day, 120)}{_computed(brief, day)}", 200),
        )


def _computed(brief: Brief, day: Day) -> str:
    """The day on which the schedule reaches what the goal wants by *day*, where it is another one."""
    times = outline_timetable(brief)
    target = next((target for target in times.targets if target.source == day.source), None)
    if target is None:
        return ""
    reached = max(times.solved.tasks[name].end for name in target.tasks)
    late = f", {(reached - target.day).days} calendar days late" if reached > target.day else ""
    return f"; computed: {day_text(reached)}{late}" if reached != target.day else ""


def _label(brief: Brief, day: Day) -> str:
    label = day.label or ("deadline of the goal" if day.role == "deadline" else day.text)
    label = _WISH.sub("", label) if quotable(brief.facts, [day]) else "date of the goal"
    return label[:1].upper() + label[1:]


def _measured(brief: Brief) -> Iterator[Milestone]:
    """The days on which the goal wants a figure of success, where it sets them."""
    for target in targets(brief):
        if target.dated:
            yield Milestone(
                id=slug(f"measured {target.text}"),
                title=clip(f"Measured: {target.text}", 160),
                day=target.when,
                phase=_phase_at(brief, target.when),
                proof=clip(f"{target.threshold}, shown by: {target.method}", 300),
                role=target.role,
                basis=clip(f"From the goal: {quote(target.said, 150)}, counted from the launch", 200),
            )


def _proof(day: Day) -> str:
    return f"What the goal asks by {day_text(day.latest)} is there and shown to whoever asked: {day.label or day.text}"


def _gates(brief: Brief) -> Iterator[Milestone]:
    for phase in brief.phases:
        day = gate_day(brief, phase.id)
        yield Milestone(
            id=slug(f"gate {phase.id}"),
            title=clip(f"Gate: {phase.title}", 160),
            day=day,
            phase=phase.id,
            proof=clip(phase.exit, 300),
            role=brief.role_title("lead"),
            basis="Computed: the day on which the last package of the phase ends",
        )


def _decisions(brief: Brief) -> Iterator[Milestone]:
    for danger in _approvals(brief):
        day, why = _decided_by(brief, danger)
        phase = _phase_at(brief, day)
        before = f", before {danger.gate}" if danger.gate else ""
        party = f" by {danger.party}" if danger.party else ""
        yield Milestone(
            id=slug(f"decided {danger.thing}"),
            title=clip(f"Decided: {danger.thing}{party}{before}", 160),
            day=day,
            phase=phase,
            proof=clip(f"Dated, signed decision on {danger.thing} on file, its conditions turned into tasks", 300),
            role=brief.role_title("finance" if _MONEY.search(danger.thing) else "legal"),
            basis=clip(f"Computed: two weeks before {why}", 200),
        )


def dependency_rows(brief: Brief) -> list[Dependency]:
    """Return what the prompt makes the work wait for, then the permits with the longest lead times."""
    rows = [_wait(brief, danger) for danger in _approvals(brief)]
    permits = sorted(brief.rows("permits", Permit), key=lambda p: -p.days[2])
    said = {row.if_late for row in rows}
    for permit in permits[: 8 - len(rows)]:
        row = _permit_wait(brief, permit)
        if row.if_late in said:
            row = row.model_copy(update={"if_late": clip(_without(brief, permit.needed_for, len(said)), 300)})
        said.add(row.if_late)
        rows.append(row)
    fixed = [p for p in packages(brief).values() if p.fixed and p.kind not in ("permit",)]
    rows += [_lead_time(brief, package) for package in fixed[:3]]
    return rows[:12]


def _wait(brief: Brief, danger: Danger) -> Dependency:
    due, _ = _decided_by(brief, danger)
    phase = _phase_at(brief, due)
    day = day_text(due)
    return Dependency(
        what=clip(
            f"{danger.thing[:1].upper()}{danger.thing[1:]}, decided by {danger.who}: {quote(danger.said, 170)}", 300
        ),
        holds_up=clip(danger.gate or f"the gate after {brief.phase(phase).title}", 200),
        by=day,
        role=brief.role_title("finance" if _MONEY.search(danger.thing) else "legal"),
        if_late=clip(_instead(brief, danger, phase), 300),
    )


def _instead(brief: Brief, danger: Danger, phase: str) -> str:
    category = "financial" if _MONEY.search(danger.thing) else "regulatory"
    words = stems(f"{danger.thing} {danger.gate}")
    fitting = [r for r in brief.rows("risks", Risk) if r.category == category]
    risk = max(fitting, key=lambda r: len(words & stems(f"{r.title} {r.cause} {r.event} {r.action}")), default=None)
    held = danger.gate or brief.phase(phase).exit
    action = f" Meanwhile: {risk.action}" if risk else ""
    end = day_text(brief.end_assumed)
    return f"Nothing is signed or paid that presumes it ({held}); each week late moves {end} by a week.{action}"


def _permit_wait(brief: Brief, permit: Permit) -> Dependency:
    held = package_title(brief, permit.needed_for)
    risk = next((r for r in brief.rows("risks", Risk) if r.package == permit.needed_for), None)
    late = risk.action if risk else _without(brief, permit.needed_for)
    return Dependency(
        what=clip(f"{permit.title} from {permit.authority}: {_days(permit)} from complete papers", 300),
        holds_up=clip(held, 200),
        by=day_text(package_start(brief, permit.needed_for)),
        role=brief.role_title("legal"),
        if_late=clip(late, 300),
    )


def _without(brief: Brief, package_id: str, n: int = 0) -> str:
    """What can go on while *package_id* waits: packages of about that time that do not come after it, from the nth."""
    day = package_start(brief, package_id)
    known = packages(brief)
    free = [p for p in known.values() if package_id not in p.after and p.id != package_id and not p.fixed]
    near = sorted(free, key=lambda p: abs((package_start(brief, p.id) - day).days))[n : n + 2]
    going = " and ".join(f"“{p.title}”" for p in near)
    return f"{package_title(brief, package_id)} moves day for day; {going} go on meanwhile"


def _lead_time(brief: Brief, package: Package) -> Dependency:
    low, likely, high = package.days
    waiting = [p.title for p in packages(brief).values() if package.id in p.after]
    risk = next((r for r in brief.rows("risks", Risk) if r.package == package.id), None)
    late = risk.action if risk else f"{package.leaves[0].title}; what does not depend on it goes on"
    return Dependency(
        what=clip(
            f"{package.title}: {low:g} to {high:g} working days set by others, {likely:g} likely (to verify)", 300
        ),
        holds_up=clip(", ".join(waiting[:3]) or brief.phase("launch").title, 200),
        by=day_text(package_start(brief, package.id)),
        role=brief.role_title(package.role),
        if_late=clip(late, 300),
    )


def permit_rows(brief: Brief) -> list[PermitRow]:
    """Return the permits that apply, with the day to apply by; where the start is too late already, that is said."""
    return [_permit(brief, permit) for permit in brief.rows("permits", Permit)][:12]


def _permit(brief: Brief, permit: Permit) -> PermitRow:
    low, likely, high = (round(d) for d in permit.days)
    needed = package_start(brief, permit.needed_for)
    latest = needed - timedelta(days=round(high * _WEEK))
    first = due_day(brief, 0)
    short = (first + timedelta(days=round(high * _WEEK)) - needed).days
    strained = f"; in the pessimistic case it comes {short} calendar days after it is needed" if short > 0 else ""
    named, law = _named_authority(brief, permit), _law(brief, permit)
    source = named or law
    return PermitRow(
        title=clip(permit.title, 160),
        authority=clip(f"{named.party[:1].upper()}{named.party[1:]}" if named else permit.authority, 160),
        optimistic=low,
        likely=likely,
        pessimistic=high,
        needed_for=clip(f"{package_title(brief, permit.needed_for)} ({day_text(needed)})", 200),
        apply_by=open_day(brief, max(latest, first)),
        papers=clip(permit.papers, 300),
        role=brief.role_title("legal"),
        basis=clip(
            f"From the goal: {quote(source.said, 100)}; lead time assumed{strained}"
            if source
            else f"Assumed lead time, to verify with the authority{strained}",
            200,
        ),
    )


def _named_authority(brief: Brief, permit: Permit) -> Danger | None:
    """The prompt's own words on who gives *permit*, where it names the party."""
    return next((d for d in _approvals(brief) if d.party and _shared(permit.title, d.thing)), None)


def _law(brief: Brief, permit: Permit) -> Danger | None:
    """The prompt's words on a law that *permit* answers to."""
    words = stems(f"{permit.title} {permit.authority}")
    return next((d for d in dangers(brief.facts) if d.kind == "law" and len(words & stems(d.thing)) > 1), None)


def _approvals(brief: Brief) -> list[Danger]:
    found = {d.thing.lower(): d for d in reversed(dangers(brief.facts)) if d.kind == "approval" and d.thing}
    return list(found.values())[::-1][:5]


def _decided_by(brief: Brief, danger: Danger) -> tuple[date, str]:
    """When a decision must be there, and before what: the work that its permit is for, else the gate of its phase."""
    permit = next((p for p in brief.rows("permits", Permit) if _shared(p.title, danger.thing)), None)
    if permit and not _MONEY.search(danger.thing):
        start = package_start(brief, permit.needed_for)
        return open_day(brief, start - timedelta(days=14)), package_title(brief, permit.needed_for)
    paper = _PAPER.search(f"{danger.thing} {danger.gate}")
    phase = brief.phases[0].id if _MONEY.search(danger.thing) else "design" if paper else "build"
    return open_day(brief, gate_day(brief, phase) - timedelta(days=14)), gate_text(brief, phase)


def _shared(title: str, thing: str) -> bool:
    """Whether *title* names *thing* by more than the word permit."""
    return bool((stems(title) & stems(thing)) - {"permit", "permis", "consen", "approv", "licenc", "author"})


def _phase_at(brief: Brief, day: date) -> str:
    return next((p.id for p in brief.phases if day <= gate_day(brief, p.id)), brief.phases[-1].id)


def _days(permit: Permit) -> str:
    low, likely, high = permit.days
    return f"{low:g} to {high:g} working days, {likely:g} likely"
