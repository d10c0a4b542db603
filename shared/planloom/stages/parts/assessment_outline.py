"""The outline of the assessment: blockers from what the prompt waits for and the highest risks; first actions."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from planloom.domain.wording import amount_text, day_text
from planloom.facts.quoting import clip, lower_first
from planloom.knowledge.brief import Brief
from planloom.knowledge.figures import figure
from planloom.knowledge.from_prompt import PromptRow, prompt_rows
from planloom.knowledge.gates import due_day, gate_day
from planloom.stages.assumptions import Assumption
from planloom.stages.parts.blocker import Blocker, FirstAction
from planloom.stages.parts.place import Location
from planloom.stages.parts.risk import Risk

#: A risk from this score on stands before money does; of 25.
_CRITICAL = 16
_MOST_BLOCKERS, _MOST_ACTIONS, _TWO_WEEKS = 6, 9, 9
#: Less than this part of the usual shortest time is taken for a contradiction, not for a risk.
_IMPOSSIBLE = 0.4


def outline_assessment(
    brief: Brief, risks: Sequence[Risk], assumptions: Sequence[Assumption], places: Sequence[Location]
) -> dict[str, Any]:
    """Return the fields of the assessment."""
    known = _ids(risks, assumptions)
    blockers = _blockers(brief, risks, known)
    verdict = _verdict(brief, blockers)
    return {
        "verdict": verdict,
        "reason": _reason(brief, verdict, blockers, risks, assumptions),
        "go_if": _go_if(brief, blockers),
        "no_go_if": _stops(brief),
        "blockers": blockers,
        "actions": _actions(brief, assumptions, places, known),
        "decide_by": gate_day(brief, "prepare"),
    }


def _ids(risks: Sequence[Risk], assumptions: Sequence[Assumption]) -> dict[str, list[str]]:
    """Ids of risks and assumptions by the words of the prompt that call them."""
    found: dict[str, list[str]] = {}
    for risk in risks:
        found.setdefault(risk.source, []).append(risk.id)
    for each in assumptions:
        found.setdefault(each.basis, []).append(each.id)
    return found


def _verdict(brief: Brief, blockers: Sequence[Blocker]) -> str:
    if brief.deadline and brief.months < _IMPOSSIBLE * brief.archetype.months[0]:
        return "no_go"
    return "not_yet" if blockers else "go"


def _reason(
    brief: Brief, verdict: str, blockers: Sequence[Blocker], risks: Sequence[Risk], assumptions: Sequence[Assumption]
) -> str:
    low = sum(each.confidence == "low" for each in assumptions)
    first, heavy = risks[0], assumptions[0]
    top = f"The highest risk is {first.id}, {lower_first(first.title)} ({first.score} of 25)"
    top += f"; the heaviest assumption is {heavy.id} ({heavy.weight} of 15)."
    top += f" {low} of {len(assumptions)} assumptions have low confidence."
    if verdict == "no_go":
        months, shortest = brief.months, brief.archetype.months[0]
        text = f"{months:.1f} months to {day_text(brief.end_assumed)} are less than half of the {shortest:g} that the "
        text += f"shortest work of this kind takes: either the day or the extent must change first. {top}"
    elif verdict == "not_yet":
        text = f"{len(blockers)} things are missing before money may be committed, first {blockers[0].id}: "
        text += f"{lower_first(blockers[0].text)} {top} It turns to go when the blockers are gone."
    else:
        text = f"Nothing outside the plan stands between {day_text(brief.start)} and the first commitment. {top}"
    fund = figure(brief, "funding")
    return clip(f"{text} {fund.text}." if fund else text, 700)


def _blockers(brief: Brief, risks: Sequence[Risk], known: dict[str, list[str]]) -> list[Blocker]:
    rows = prompt_rows(brief, "blockers")
    found = [_from_prompt(brief, row, known) for row in rows]
    covered = {id_ for blocker in found for id_ in blocker.source.split(", ")}
    found += [_from_risk(brief, risk) for risk in risks if _blocks(brief, risk) and risk.id not in covered]
    return [blocker.model_copy(update={"id": f"B{n}"}) for n, blocker in enumerate(found[:_MOST_BLOCKERS], 1)]


def _blocks(brief: Brief, risk: Risk) -> bool:
    """A high risk whose response must stand before the first gate; a later one is the plan's business."""
    return risk.score >= _CRITICAL and risk.by <= gate_day(brief, "prepare")


def _from_prompt(brief: Brief, row: PromptRow, known: dict[str, list[str]]) -> Blocker:
    ids = ", ".join(known.get(row.signal.source, [])[:4])
    return Blocker(
        id="B1",
        text=clip(row["text"], 300),
        source=ids if ids else clip(row.signal.source, 300),
        removed_by=clip(row["removed_by"], 360),
        role=brief.role_title(row["role"].lower()),
        by=row.signal.days[row["by"]],
        check=clip(row["check"], 300),
        unblocks=clip(row["unblocks"], 240),
    )


def _from_risk(brief: Brief, risk: Risk) -> Blocker:
    return Blocker(
        id="B1",
        text=clip(f"{risk.title}: {risk.score} of 25, and the response is not in place.", 300),
        source=risk.id,
        removed_by=clip(risk.action, 360),
        role=risk.owner,
        by=min(risk.by, gate_day(brief, "prepare")),
        check=clip(f"Not seen: {lower_first(risk.trigger)}", 300),
        unblocks=clip(f"Money for what {risk.id} could stop, from {day_text(risk.near)} on.", 240),
    )


def _go_if(brief: Brief, blockers: Sequence[Blocker]) -> list[str]:
    lines = [f"{b.id} is gone by {day_text(b.by)}: {lower_first(b.check)}" for b in blockers]
    if not lines:
        lines = [
            f"The first gate, {day_text(gate_day(brief, 'prepare'))}, is passed on its exit: {brief.phases[0].exit}"
        ]
    return [clip(line, 300) for line in lines][:7]


def _stops(brief: Brief) -> list[str]:
    lines = [row["text"] for row in prompt_rows(brief, "stops")]
    if brief.total:
        part = amount_text(round(0.1 * brief.total.high), brief.total.currency)
        lines.append(
            f"{part} spent before the first gate and its exit not in sight: {lower_first(brief.phases[0].exit)}"
        )
    return [clip(line, 300) for line in lines][:5] or [f"The exit of the first gate is not met: {brief.phases[0].exit}"]


def _actions(
    brief: Brief, assumptions: Sequence[Assumption], places: Sequence[Location], known: dict[str, list[str]]
) -> list[FirstAction]:
    made = [_step(brief, row, known) for row in prompt_rows(brief, "steps")]
    soon = [each for each in assumptions[:8] if each.by <= gate_day(brief, "design") and not _served(made, each.id)]
    made += [_test(brief, each, n) for n, each in enumerate(soon[:3])]
    made += [_visit(brief, place) for place in places[:1]]
    made.append(_first_gate(brief))
    kept = sorted(made[:_MOST_ACTIONS], key=lambda action: action.by)
    return [action.model_copy(update={"id": f"N{n}"}) for n, action in enumerate(kept, 1)]


def _served(actions: Sequence[FirstAction], id_: str) -> bool:
    return any(id_ in action.serves.split(", ") for action in actions)


def _step(brief: Brief, row: PromptRow, known: dict[str, list[str]]) -> FirstAction:
    return FirstAction(
        id="N1",
        action=clip(row["action"], 360),
        role=brief.role_title(row["role"].lower()),
        by=_day(brief, int(row.cells["days"])),
        check=clip(row["check"], 240),
        serves=clip(", ".join(known.get(row.signal.source, [])[:4]) or "the first gate", 80),
    )


def _test(brief: Brief, each: Assumption, n: int) -> FirstAction:
    return FirstAction(
        id="N1",
        action=clip(f"Begin the test of {each.id}: {lower_first(each.test)}", 360),
        role=each.owner,
        by=min(_day(brief, 3 + 2 * n), each.by),
        check=clip(
            f"A day for the result, at the latest {day_text(each.by)}, and the result that would prove it false.", 240
        ),
        serves=each.id,
    )


def _visit(brief: Brief, place: Location) -> FirstAction:
    return FirstAction(
        id="N1",
        action=clip(f"{place.id}, {place.name}: {lower_first(place.verify)}", 360),
        role=place.role,
        by=min(place.by, _day(brief, _TWO_WEEKS)),
        check="Notes with date, photographs or letters on file; what would rule it out is marked.",
        serves=place.id,
    )


def _first_gate(brief: Brief) -> FirstAction:
    day, phase = day_text(gate_day(brief, "prepare")), brief.phases[0]
    return FirstAction(
        id="N1",
        action=clip(
            f"Put the first gate, {day}, into every calendar with what must be true to pass it: {phase.exit}", 360
        ),
        role=brief.role_title("lead"),
        by=_day(brief, 3),
        check="All who decide have accepted the day and the exit in writing.",
        serves="the first gate",
    )


def _day(brief: Brief, days: int) -> date:
    return due_day(brief, min(days, _TWO_WEEKS))
