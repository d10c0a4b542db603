"""The outline of the risk register: the prompt's own risks, then those of its kind; costs within the contingency."""

from collections import Counter
from collections.abc import Container, Sequence
from datetime import date

from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first, quotable, quote
from planloom.knowledge import tables
from planloom.knowledge.brief import Brief
from planloom.knowledge.from_prompt import PromptRow, prompt_rows
from planloom.knowledge.funds import contingency
from planloom.knowledge.gates import due_day, gate_day
from planloom.knowledge.nearest import nearest
from planloom.knowledge.tracing import stems
from planloom.stages.parts.risk import Risk

#: Risks before the review, and how many of them the prompt alone may bring.
_MOST, _MOST_OF_PROMPT = 16, 9
#: From this score on, what the goal's words call stands in the register whatever its category.
_HIGH = 16
#: Part of the contingency that responses may take; the rest is for what nobody listed.
_MOST_OF_RESERVE = 0.4


def outline_register(brief: Brief) -> list[Risk]:
    """Return up to sixteen risks: the goal's own, high ones that its words call, one of each category, the highest."""
    mine = [_from_prompt(brief, row) for row in prompt_rows(brief, "risks")][:_MOST_OF_PROMPT]
    rows = [(bool(row.when), _from_row(brief, row)) for row in brief.rows("risks", tables.Risk)]
    fresh = [(called, risk) for called, risk in rows if not any(_alike(risk, own) for own in mine)]
    while fresh and len(mine) < _MOST:
        there = {risk.category for risk in mine}
        pick = min(fresh, key=lambda each: (not (each[0] and each[1].score >= _HIGH), *_rank(each[1], there)))
        fresh.remove(pick)
        mine.append(pick[1])
    return _within_reserve(brief, mine)


def _rank(risk: Risk, there: Container[str]) -> tuple[bool, int]:
    return risk.category in there, -risk.score


def _from_prompt(brief: Brief, row: PromptRow) -> Risk:
    likelihood, severity, left_likelihood, left_severity = row.cells["scores"]
    near, by = row.signal.days[row["near"]], row.signal.days[row["by"]]
    return _risk(
        brief,
        category=row["category"].lower(),
        title=row["title"],
        cause=row["cause"],
        event=row["event"],
        effect=row["effect"],
        source=row.signal.source,
        scores=(likelihood, severity, left_likelihood, left_severity),
        near=near,
        owner=row["owner"].lower(),
        response=row["response"],
        action=row["action"],
        by=by,
        trigger=row["trigger"],
        residual=row["residual"],
        share=float(row.cells["share"]),
    )


def _from_row(brief: Brief, row: tables.Risk) -> Risk:
    called = brief.called_by(row) or nearest(brief, f"{row.cause} {row.event}", row.title, shared=3)
    said = quotable(brief.facts, (called,) if called else ())
    opens = _phase_opens(brief, row.phase)
    left = (max(row.likelihood - 1, 1), row.severity) if row.response != "transfer" else (row.likelihood, 2)
    return _risk(
        brief,
        category=row.category,
        title=row.title,
        cause=row.cause,
        event=row.event,
        effect=row.effect,
        source=quote(said[0], 200) if said else f"assumed: met in {brief.archetype.label}",
        scores=(row.likelihood, row.severity, *left),
        near=opens,
        owner=row.owner,
        response=row.response,
        action=row.action,
        by=opens,
        trigger=row.trigger,
        residual=row.residual,
        share=row.cost_share,
    )


def _phase_opens(brief: Brief, phase_id: str) -> date:
    """The gate before the phase: from then on its risks can strike; for the first phase, two weeks after the start."""
    phases = [phase.id for phase in brief.phases]
    at = phases.index(phase_id) if phase_id in phases else 0
    return gate_day(brief, phases[at - 1]) if at else due_day(brief, 9)


def _risk(
    brief: Brief,
    *,
    category: str,
    title: str,
    cause: str,
    event: str,
    effect: str,
    source: str,
    scores: tuple[int, int, int, int],
    near: date,
    owner: str,
    response: str,
    action: str,
    by: date,
    trigger: str,
    residual: str,
    share: float,
) -> Risk:
    """*scores* are likelihood and severity before the response, then after it; *owner* is the id of a role."""
    return Risk.model_validate(
        {
            "id": "R1",
            "category": category,
            "title": clip(title, 140),
            "cause": clip(cause, 360),
            "event": clip(event, 360),
            "effect": clip(effect, 360),
            "source": clip(source, 300),
            "likelihood": scores[0],
            "severity": scores[1],
            "near": near,
            "owner": brief.role_title(owner),
            "response": response,
            "action": clip(action, 500),
            "by": min(by, near),
            "trigger": clip(trigger, 360),
            "residual": clip(residual, 360),
            "residual_likelihood": scores[2],
            "residual_severity": scores[3],
            "cost": share * brief.total.high if brief.total else 0.0,
        }
    )


def _within_reserve(brief: Brief, risks: Sequence[Risk]) -> list[Risk]:
    """Costs in whole hundreds (below 1,000 in tens), cut in proportion where they would take too much contingency."""
    if not brief.total:
        return list(risks)
    room = _MOST_OF_RESERVE * contingency(brief)[0] * brief.total.high
    asked = sum(risk.cost for risk in risks)
    scale = min(1.0, room / asked) if asked else 1.0
    step = 10 ** max(len(str(int(brief.total.high))) - 4, 0)
    return [r.model_copy(update={"cost": float(int(r.cost * scale / step) * step)}) for r in risks]


def _alike(one: Risk, other: Risk) -> bool:
    """Whether two risks say the same: most telling words of one title stand in the other, or one cause and event."""
    if one.source == other.source and one.source.startswith("“") and one.category == other.category:
        told = stems(f"{one.title} {one.cause} {one.event}"), stems(f"{other.title} {other.cause} {other.event}")
        return len(told[0] & told[1]) >= 3
    short, long = sorted((one, other), key=lambda risk: len(stems(risk.title)))
    words = stems(short.title)
    return len(words) > 1 and len(words & stems(f"{long.title} {long.cause}")) * 3 >= len(words) * 2


def outline_review(brief: Brief, risks: Sequence[Risk]) -> tuple[list[str], str]:
    """Return the ids of risks that repeat a higher one, and what the first three have in common."""
    drop = [risk.id for n, risk in enumerate(risks) if any(risk.title == other.title for other in risks[:n])]
    first = [risk for risk in risks if risk.id not in drop][:3]
    titles = "; ".join(f"{lower_first(clip(risk.title, 90))} ({risk.score})" for risk in first)
    owners = Counter(risk.owner for risk in first)
    busiest, count = owners.most_common(1)[0]
    soonest = min(first, key=lambda risk: risk.by)
    shared = (
        f"{count} of the three lie with one role, the {lower_first(busiest)}: a stand-in is named before "
        f"{day_text(soonest.by)}."
        if count > 1
        else f"They lie with {len(owners)} roles, so they are read together at each gate, first on "
        f"{day_text(gate_day(brief, 'prepare'))}."
    )
    start = f"First by score: {titles}. {shared}"
    return drop, clip(f"{start} What lowers most at once comes first in time: {lower_first(soonest.action)}", 700)
