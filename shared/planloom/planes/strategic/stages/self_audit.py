"""Stage 029: ten checks over the finished main document; programs answer what they can, one call the rest."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import Field

from planloom.core.frozen import Answer
from planloom.core.wording import amount_text, day_text
from planloom.models.model import Part
from planloom.planes.strategic.compute.found import chance_text, verdict
from planloom.planes.strategic.facts.quoting import clip
from planloom.planes.strategic.spine.fields import title
from planloom.planes.strategic.spine.rows import Row
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.findings_shown import by_severity, counted, findings_text
from planloom.planes.strategic.stages.results import AuditCheck, MainDocument, Review, Schedule, SelfAudit
from planloom.planes.strategic.stages.stage import Section, Stage
from planloom.planes.strategic.stages.text import bullets, table

Check = Literal[
    "possible", "budget", "timeline", "single_points", "good_will", "measurable", "ethics", "exit", "demands", "odds"
]
Verdict = Literal["passes", "partly", "fails", "not_checked"]

CHECKS: Mapping[Check, str] = {
    "possible": "Is it physically and legally possible as described, on its hardest day too?",
    "budget": "Does the money cover the whole scope, with tax, running cost and contingency, when it is due?",
    "timeline": "Do the dates leave time for permits, meetings, deliveries and seasons?",
    "single_points": "Does it survive the loss of any one person, supplier, permit or payment?",
    "good_will": "Does it rest on what others are bound to do, rather than on their good will?",
    "measurable": "Can a stranger measure whether it succeeded, from a baseline, on a day?",
    "ethics": "Is nobody harmed or left out, and is safety somebody's task, with the means for it?",
    "exit": "Can it be stopped at each gate, at a known price, and what remains afterwards?",
    "demands": "Is each demand, limit and ban of the goal met by something that the plan does?",
    "odds": "Are the odds and ranges that the plan prints believable, given what they rest on?",
}
TEXT_SECTIONS = ("project_plan", "levers", "calendar", "budget", "approvals", "team", "risks", "next_steps")

INSTRUCTIONS = """\
Audit this plan as somebody who did not write it and has to sign for it. You are shown the facts of the goal, the main
document, what programs found and summed up, what the review left open, and which checks programs answered. Answer each
of these checks once:

{checks}

- check: its name. verdict: passes only with evidence in the document; partly where a part is missing; fails where the
  plan is silent or wrong.
- quote: the words or figures of the document that decide, copied exactly, one passage; place: the chapter they are in.
- evidence: what the quote shows, in one or two sentences, with arithmetic where figures decide it. A check by a program
  may be confirmed or overruled, with the reason.
- missing: what a stranger who has to carry the plan out would have to ask. Empty only where the verdict is passes.
- fix: which role does what by which day or gate of the plan, and how one sees it. Empty only where the verdict is
  passes.
A finding of a program that is still there cannot be passed over: the check that it belongs to says what it means.
Avoid: verdicts out of kindness, evidence that would fit any plan, the same fix twice. If all checks pass, look again.
""".format(checks="\n".join(f"- {name}: {question}" for name, question in CHECKS.items()))


class CheckAnswer(Answer):
    """One check of the audit."""

    check: Check
    verdict: Literal["passes", "partly", "fails"]
    quote: str = Field(default="", max_length=300, description="Copied exactly from the document")
    place: str = Field(default="", max_length=80, description="Chapter of the quote")
    evidence: str = Field(default="", max_length=500)
    missing: str = Field(default="", max_length=400)
    fix: str = Field(default="", max_length=400)


class Checks(Answer):
    """The audit."""

    checks: list[CheckAnswer] = Field(min_length=1, max_length=14)


@dataclass(frozen=True)
class _Seen:
    """What a check of a program found."""

    verdict: Verdict
    evidence: str
    missing: str = ""
    fix: str = ""


async def draft(context: StageContext) -> SelfAudit:
    """Check by program, then ask once; a check that the answer leaves out is that of the program."""
    schedule = context.read("schedule", Schedule)
    checked = by_program(schedule)
    if context.about.outline_only:
        return SelfAudit(checks=tuple(checked.values()))
    opening = context.read("main_document", MainDocument).opening
    said = opening.text if opening else ""
    chapters = "\n\n".join(filter(None, (said, *(context.text(name) for name in TEXT_SECTIONS))))
    answer = await context.ask_part("audit", INSTRUCTIONS, _parts(context, schedule, checked, chapters), Checks)
    given: dict[Check, CheckAnswer] = {}
    for check in answer.checks if answer else ():
        given.setdefault(check.check, check)
    merged = (_audited(given[name], chapters) if name in given else checked[name] for name in CHECKS)
    return context.with_missing(SelfAudit(checks=tuple(merged)))


def _parts(
    context: StageContext, schedule: Schedule, checked: Mapping[Check, AuditCheck], chapters: str
) -> tuple[Part, ...]:
    computed, review = schedule.computed, context.read("review_plan", Review)
    open_ = [f"{r.finding}: {r.question or r.reason}" for r in review.rulings if r.verdict == "open"]
    sums = [f"{found.name.replace('_', ' ')}: {found.amount:,.2f}" for found in computed.sums]
    answered = [f"{name}: {c.verdict}. {c.evidence} {c.missing}" for name, c in checked.items() if c.evidence]
    return (
        context.facts(),
        Part("the main document", chapters),
        Part("what programs find in the tables", findings_text(by_severity(computed.findings)) or "Nothing."),
        Part("what the review left open", bullets(open_) or "Nothing."),
        Part("sums in the currency of the plan", bullets(sums)),
        Part("checks that programs answered", bullets(answered)),
    )


def _audited(given: CheckAnswer, chapters: str) -> AuditCheck:
    """Return *given* with its quote looked up; what passes without any evidence was not checked."""
    found = given.quote and _plain(given.quote) in _plain(chapters)
    said = f"“{given.quote}”{f' ({given.place})' if given.place else ''}" if given.quote else ""
    if given.quote and not found:
        said += " [these words were not found in the document]"
    evidence = " ".join(filter(None, (said, given.evidence)))
    verdict: Verdict = given.verdict if evidence or given.verdict != "passes" else "not_checked"
    return AuditCheck(
        title=CHECKS[given.check], verdict=verdict, evidence=evidence, missing=given.missing, fix=given.fix
    )


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[*_`|“”\"'’\\]", " ", text).split()).casefold()


def by_program(schedule: Schedule) -> dict[Check, AuditCheck]:
    """Return every check as programs answer it; what needs judgement was not checked."""
    checks: dict[Check, AuditCheck] = {}
    for name in get_args(Check):
        seen = _PROGRAMS[name](schedule) if name in _PROGRAMS else _Seen("not_checked", "")
        checks[name] = AuditCheck(
            title=CHECKS[name],
            verdict=seen.verdict,
            evidence=seen.evidence,
            missing=clip(seen.missing, 600),
            fix=clip(seen.fix, 600) if seen.missing else "",
        )
    return checks


def _by_findings(schedule: Schedule, families: Sequence[str], evidence: str) -> _Seen:
    """Return the verdict that findings of *families* give: one that is high fails, any other passes partly."""
    found = [f for f in by_severity(schedule.computed.findings) if f.check.split(".")[0] in families]
    worst = found[0].severity if found else ""
    verdict: Verdict = "fails" if worst == "high" else "partly" if worst == "medium" else "passes"
    severe = [finding for finding in found if finding.severity != "low"]
    missing, fix = (" ".join(dict.fromkeys(texts)) for texts in ((f.text for f in severe), (f.advice for f in severe)))
    return _Seen(verdict, f"{evidence} Programs: {counted(found)}.", missing, fix)


def _budget(schedule: Schedule) -> _Seen:
    frame, computed = schedule.spine.frame, schedule.computed
    sums = {found.name: amount_text(found.amount, frame.currency) for found in computed.sums}
    if not schedule.spine.lines:
        return _Seen("not_checked", "", "The plan has no lines of cost.")
    limit = f", limit {amount_text(frame.budget, frame.currency)}" if frame.budget else ""
    gap = f"; deepest gap {amount_text(computed.gap, frame.currency)}" if computed.gap else ""
    return _by_findings(schedule, ("money",), f"Total {sums.get('total', 'unknown')}{limit}{gap}.")


def _timeline(schedule: Schedule) -> _Seen:
    due = schedule.spine.frame.end
    asked = f", end asked by the goal {day_text(due)}" if due else ""
    said = f"End of all work {day_text(schedule.computed.end)}{asked}."
    return _by_findings(schedule, ("time", "order", "approvals"), said)


def _single_points(schedule: Schedule) -> _Seen:
    seconds = {role.id: role.second for role in schedule.spine.roles}
    hit = [found for found in schedule.computed.without if found.days_later > 0]
    if not hit:
        return _Seen("not_checked", "")
    worst = max(hit, key=lambda found: found.days_later)
    said = (
        f"{len(hit)} of {len(seconds)} roles move the end if they are away for 20 working days, "
        f"most of all {_named(schedule, worst.role)}: by {worst.days_later} calendar days."
    )
    names = ", ".join(_named(schedule, found.role) for found in hit if not seconds.get(found.role))
    missing = f"No second holder: {names}." if names else ""
    return _Seen("partly" if names else "passes", said, missing, "Name a deputy for each of them.")


def _measurable(schedule: Schedule) -> _Seen:
    rows = schedule.spine.criteria
    if not rows:
        return _Seen(
            "fails", "The plan has no criterion.", "How success is measured.", "Add a criterion with target and day."
        )
    short = [row for row in rows if not (row.target and row.baseline and row.read_how and row.by)]
    return _complete("criteria have baseline, target, day and reader", rows, short)


def _exit(schedule: Schedule) -> _Seen:
    rows = schedule.spine.gates
    if not rows:
        return _Seen("fails", "The plan has no gate.", "A day to stop.", "Add a gate before the first large order.")
    short = [row for row in rows if not (row.conditions and row.decided_by and row.if_failed)]
    return _complete("gates have conditions, somebody who decides, and what follows a no", rows, short)


def _demands(schedule: Schedule) -> _Seen:
    demands, constraints = schedule.spine.demands, schedule.spine.constraints
    rows: list[Row] = [*demands, *constraints]
    if not rows:
        return _Seen("not_checked", "")
    short = [*(row for row in demands if not row.met_by), *(row for row in constraints if not row.kept_by)]
    return _complete("demands and limits name the rows that meet or keep them", rows, short)


def _complete(what: str, rows: Sequence[Row], short: Sequence[Row]) -> _Seen:
    missing = f"Not: {', '.join(f'{row.id} {clip(title(row), 60)}' for row in short)}." if short else ""
    verdict: Verdict = "passes" if not short else "fails" if len(short) == len(rows) else "partly"
    return _Seen(verdict, f"{len(rows) - len(short)} of {len(rows)} {what}.", missing, "Complete these rows.")


def _odds(schedule: Schedule) -> _Seen:
    chances = [odds for odds in schedule.computed.odds if odds.chance is not None]
    if not chances:
        return _Seen("not_checked", "", "Nothing in the plan is due on a day.")
    least = min(chances, key=lambda odds: odds.chance or 0)
    said = f"{chance_text(least.chance or 0)} for {_named(schedule, least.what)} ({verdict(least.chance or 0)}), "
    said += f"the least of {len(chances)}. "
    said += least.rests_on
    late = [_named(schedule, odds.what) for odds in chances if odds.due and odds.stressed > odds.due]
    stressed = f"With all durations a quarter longer these are late: {', '.join(late)}." if late else ""
    return _Seen("partly" if late else "passes", said, stressed)


def _named(schedule: Schedule, row_id: str) -> str:
    row = schedule.spine.by_id().get(row_id)
    return f"{row_id} {clip(title(row), 60)}" if row else "the end asked by the goal"


_PROGRAMS: Mapping[Check, Callable[[Schedule], _Seen]] = {
    "budget": _budget,
    "timeline": _timeline,
    "single_points": _single_points,
    "measurable": _measurable,
    "exit": _exit,
    "demands": _demands,
    "odds": _odds,
}


def pages(result: SelfAudit) -> Mapping[str, str]:
    """Return the count, then what does not pass with its fix, then all evidence."""
    named = {"passes": "pass", "partly": "pass in part", "fails": "fail", "not_checked": "were not checked"}
    verdicts = [check.verdict for check in result.checks]
    said = ", ".join(f"{verdicts.count(v)} {words}" for v, words in named.items() if v in verdicts)
    open_ = [check for check in result.checks if check.verdict in ("partly", "fails")]
    rows = ((check.title, check.verdict, check.missing, check.fix) for check in open_)
    parts = ["# Self-audit", f"{len(result.checks)} checks: {said}."]
    if open_:
        parts += ["## What to repair", table(("Check", "Verdict", "Missing", "Fix"), rows).rstrip()]
    evidence = (
        (c.title, c.verdict.replace("_", " "), c.evidence or "A person has to judge it.") for c in result.checks
    )
    parts += ["## Evidence", table(("Check", "Verdict", "Evidence"), evidence).rstrip()]
    return {"self_audit": "\n\n".join(parts)}


STAGE = Stage(
    number=29,
    name="self_audit",
    title="Self-audit",
    needs=("start", "review_plan", "schedule", "main_document"),
    version=19,
    result=SelfAudit,
    draft=draft,
    pages=pages,
    sections=(Section("self_audit", "Self-audit"),),
)
