"""What was read, without spans, in a form that a test can state whole."""

from planloom.domain.facts import Facts


def summary(facts: Facts) -> dict[str, object]:
    """Return every fact of *facts* by kind, each as a short tuple; spans are checked for all texts elsewhere."""
    return {
        "language": facts.language,
        "title": facts.title,
        "subject": facts.subject,
        "objective": facts.objective.text,
        "sentences": len(facts.sentences),
        "money": [(m.text, m.low, m.high, m.currency, m.role, m.noun, m.assumed) for m in facts.money],
        "days": [(d.text, str(d.earliest), str(d.latest), d.role, d.label, d.ambiguous) for d in facts.days],
        "durations": [(d.text, d.low, d.high, d.unit, d.role, d.label) for d in facts.durations],
        "places": [(p.name, p.kind, p.country) for p in facts.places],
        "organisations": [o.name for o in facts.organisations],
        "quantities": [(q.text, q.low, q.high, q.unit, q.noun, q.bound) for q in facts.quantities],
        "demands": [(d.strength, d.subject, d.text) for d in facts.demands],
        "bans": [(b.kind, b.what) for b in facts.bans],
        "closures": [(c.forbidden, c.outdoor, c.months, c.weekdays, c.first, c.last) for c in facts.closures],
        "roles": [(r.count, r.title) for r in facts.roles],
    }
