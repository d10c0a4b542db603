"""What a model would answer that reads a goal as rules do: the canned answer behind stage 001 in tests."""

from datetime import date

from planloom.planes.strategic.facts.answer import Reading
from planloom.planes.strategic.facts.rules import read_facts


def reading_of(goal: str, today: date = date(2026, 11, 2)) -> Reading:
    """Return the facts that rules read in *goal* as an answer of the model."""
    facts = read_facts(goal, today)
    return Reading(
        title=facts.title,
        subject=facts.subject,
        objective=facts.objective.text[:400],
        kind=facts.kind.words,
        table="none",
        money=[
            {"quote": m.text, "role": m.role, "low": m.low, "high": m.high, "currency": m.currency, "what": m.noun}
            for m in facts.money
        ],
        days=[
            {"quote": d.text, "role": d.role, "earliest": f"{d.earliest}", "latest": f"{d.latest}", "binds": d.label}
            for d in facts.days
        ],
        durations=[
            {"quote": d.text, "role": d.role, "low": d.low, "high": d.high, "unit": d.unit, "what": d.label}
            for d in facts.durations
        ],
        quantities=[
            {"quote": q.text, "low": q.low, "high": q.high, "unit": q.unit, "noun": q.noun, "bound": q.bound}
            for q in facts.quantities
        ],
        people=[{"quote": r.text, "who": r.title, "count": r.count, "part": r.part} for r in facts.roles],
        places=[{"quote": p.text, "name": p.name, "kind": p.kind, "country": p.country or ""} for p in facts.places],
        demands=[{"quote": d.text[:400], "strength": d.strength, "subject": d.subject} for d in facts.demands],
        bans=[{"quote": b.text[:400], "kind": b.kind, "what": b.what} for b in facts.bans],
    )
