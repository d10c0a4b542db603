"""The audit without a model: checks computed from the plan, and checks of its field with the best evidence found."""

import re
from collections.abc import Callable, Iterator

from planloom.knowledge.tables import Audit
from planloom.stages.parts.audit_carried import carried, judged
from planloom.stages.parts.audit_evidence import WHOLE, find_evidence
from planloom.stages.parts.audit_feasible import feasible, paid
from planloom.stages.parts.audited import Audited
from planloom.stages.parts.fitted import fitted
from planloom.stages.parts.self_audit_answer import CheckRow, ChecksAnswer, Verdict

MOST_CHECKS = 7
#: Which theme asks the checks of the field, by the section in which their evidence should stand.
_THEME_OF = {
    "project_plan": "feasible",
    "schedule": "feasible",
    "wbs": "feasible",
    "team": "carried",
    "governance": "carried",
}
#: Checks of closed days are computed where there are any.
_CLOSED = re.compile(r"\b(?:closed|window|season|forbidden)", re.IGNORECASE)
_OWN: dict[str, Callable[[Audited], Iterator[CheckRow]]] = {
    "feasible": feasible,
    "paid": paid,
    "carried": carried,
    "judged": judged,
}


def audit(a: Audited, theme: str) -> ChecksAnswer:
    """Return the checks of *theme*: computed ones first, then those of the field."""
    rows = [row for row in a.brief.rows("audits", Audit) if _THEME_OF.get(row.look_in, "judged") == theme]
    if a.schedule.closed:
        rows = [row for row in rows if not (row.look_in == "schedule" and _CLOSED.search(row.check))]
    checks = [*_OWN[theme](a), *(_from_table(a, row) for row in rows)]
    return ChecksAnswer(checks=checks[:MOST_CHECKS])


def _from_table(a: Audited, row: Audit) -> CheckRow:
    found = find_evidence(row.check, a.texts, row.look_in)
    belongs = a.titles.get(row.look_in, "the plan")
    verdict: Verdict = "no" if found is None else "yes" if found.share >= WHOLE else "partly"
    settled = verdict == "yes"
    return fitted(
        CheckRow,
        check=row.check,
        verdict=verdict,
        evidence=f"“{found.text}”"
        if found
        else f"No sentence of the plan answers it in its own words; it belongs in {belongs}.",
        place=a.titles.get(found.section, belongs) if found else belongs,
        missing="" if settled else "The rest of the answer" if found else f"A sentence in {belongs} that answers it",
        fix="" if settled else f"{row.fix.rstrip('.')}, before {a.gate('design')}.",
    )
