"""The review's last lenses: the goal's demands against work and measures, and what is taken for true."""

from collections.abc import Iterator
from datetime import date

from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first
from planloom.stages.data_collection import DataRow
from planloom.stages.parts.computed_gates import phase_end
from planloom.stages.parts.countable import has_figure
from planloom.stages.parts.review_answer import FindingRow
from planloom.stages.parts.reviewed import Reviewed


def demands(r: Reviewed) -> Iterator[FindingRow]:
    """Find demands without work, and measures of success without a figure."""
    for trace in [trace for trace in r.wbs.traces if not trace.packages][:2]:
        yield r.finding(
            kind="gap",
            title=f"No work package serves “{clip(trace.demand, 100)}”",
            place="the goal",
            against="Work Breakdown, tracing table",
            text=f"No package serves “{clip(trace.demand, 300)}”.",
            consequence="It is kept by luck, or not at all.",
            weight=(4, 3),
            action="Add a package, or name the package whose test shows that it is kept.",
            by=r.gate("design"),
            check="The demand stands beside a package in the tracing table",
        )
    vague = [criterion for criterion in r.plan.plan.criteria if not has_figure(criterion.threshold)]
    for criterion in vague[:1]:
        yield r.finding(
            kind="weakness",
            title=f"No figure says when this is met: {clip(criterion.text, 100)}",
            place=f"Project Plan, {clip(criterion.text, 100)}",
            text=f"Its threshold reads “{clip(criterion.threshold, 160)}”: two honest people could disagree whether it "
            f"is met. {len(vague)} of {len(r.plan.plan.criteria)} measures are like that.",
            consequence="Success is argued about after the money is spent.",
            weight=(3, 4),
            action=f"Write the value that passes. Counted is: {lower_first(clip(criterion.measure, 240))}.",
            role=criterion.role,
            by=r.gate("prepare"),
            check="A number and a unit stand in the threshold",
        )


def demands_sound(r: Reviewed) -> str:
    """Say what holds of the goal's demands."""
    served = sum(bool(trace.packages) for trace in r.wbs.traces)
    bans = len(r.brief.facts.bans)
    kept = f" and {bans} bans are kept as limits of scope" if bans else ""
    return f"{served} of {len(r.wbs.traces)} demands of the goal are traced to work packages{kept}."


def evidence(r: Reviewed) -> Iterator[FindingRow]:
    """Find answers and papers that come after their use, and what is taken for true."""
    yield from _late_answers(r)
    yield from _assumed(r)
    yield from _late_papers(r)


def _late_answers(r: Reviewed) -> Iterator[FindingRow]:
    late = [(row, gate) for row in r.data.data.items if (gate := _needed_at(r, row)) and row.deadline > gate[1]]
    for row, (phase, day) in late[:1]:
        yield r.finding(
            kind="contradiction",
            title=f"Answered after {day_text(day)}, when it is needed: {clip(row.question, 90)}",
            place=f"Data Collection, due {day_text(row.deadline)}",
            against=f"Schedule, {phase} done on {day_text(day)}",
            text=f"“{clip(row.question, 200)}” decides: {clip(lower_first(row.decides), 220).rstrip('.')}. Its answer "
            f"is due {(row.deadline - day).days} calendar days after that phase has ended.",
            consequence=f"{phase} ends on a guess.",
            weight=(4, 3),
            action=f"Bring it forward to {day_text(day)}, or decide on the simulated answer and say so.",
            role=row.role,
            by=day_text(day),
            check="A dated answer, or a decision that names the guess",
        )


def _needed_at(r: Reviewed, row: DataRow) -> tuple[str, date] | None:
    """The phase whose gate the answer is needed for, and its computed end; None where the row names none."""
    phase = next((phase for phase in r.brief.phases if f"the gate after {phase.title}" in row.decides), None)
    return (phase.title, phase_end(r.brief, r.schedule, phase.id)) if phase else None


def _assumed(r: Reviewed) -> Iterator[FindingRow]:
    guesses = [claim for claim in r.register if claim.kind in ("assumption", "guess") and claim.test]
    if not guesses:
        return
    # that the start is assumed is true of every goal that names none: what is this plan's own comes first
    guesses.sort(key=lambda claim: claim.id.startswith("start."))
    claim = guesses[0]
    others = ", ".join(other.id for other in guesses[1:6])
    yield r.finding(
        kind="weakness",
        title=f"{len(guesses)} claims are assumed; first: {clip(claim.text, 90)}",
        place=f"Register of claims, {claim.id}",
        text=f"{clip(claim.text, 280).rstrip('.')}." + (f" Assumed as well: {others}." if others else ""),
        consequence=f"Whatever rests on {claim.id} moves with it.",
        weight=(3, 4),
        action=f"Test it: {clip(lower_first(claim.test or ''), 260).rstrip('.')}.",
        role=claim.owner or r.lead,
        check="The claim's kind reads fact, with its source",
    )


def _late_papers(r: Reviewed) -> Iterator[FindingRow]:
    end: date = r.schedule.last_day
    late = [d.document for d in r.documents.documents if d.document.kind == "create" and d.document.by > end]
    for document in late[:1]:
        yield r.finding(
            kind="contradiction",
            title=f"{clip(document.title, 90)} is due after the last day of the work",
            place=f"Documents, due {day_text(document.by)}",
            against=f"Schedule, last day {day_text(end)}",
            text=f"It serves: {clip(lower_first(document.purpose), 240).rstrip('.')}. By then the work is over.",
            consequence="It is written for the file.",
            weight=(2, 4),
            action=f"Move it before {day_text(end)}, ahead of the package that uses it, or drop it.",
            role=document.role,
            check=f"Its date lies before {day_text(end)}",
        )


def evidence_sound(r: Reviewed) -> str:
    """Say what holds of what the plan rests on."""
    facts = sum(claim.kind == "fact" for claim in r.register)
    return (
        f"{facts} of {len(r.register)} claims are facts with their place in the goal; the others say what they rest on."
    )
