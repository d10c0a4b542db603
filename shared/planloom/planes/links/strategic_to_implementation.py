"""An implementation plan from a finished strategic plan: a step for each work package.

A package leaves a record of its result in the repository, which is its action, and the record is there, which is its
verification: what else a package does the schema has no types for. Dates, durations, slack and owners go into
``metadata.tasks``, by step, and as far as people read them into ``notes``.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from planloom.core.wording import day_text
from planloom.planes.implementation.document.markdown_metadata import cut
from planloom.planes.implementation.document.schema import VERSION, Document
from planloom.planes.strategic.compute.computed import Dated
from planloom.planes.strategic.spine.rows import Criterion, Package, Risk
from planloom.planes.strategic.stages.computed_plan import ComputedPlan
from planloom.planes.strategic.stages.results import Schedule
from planloom.planes.strategic.stages.schedule import verdict, verdict_text

_TITLE, _TEXT = 140, 4000

#: Of a package's kind; what is not here is implementation.
_KINDS: Mapping[str, str] = {
    "decision": "discovery",
    "research": "discovery",
    "design": "design",
    "test": "testing",
    "trial": "testing",
    "communication": "docs",
    "opening": "rollout",
    "operation": "rollout",
    "handover": "rollout",
    "closing": "rollout",
}
#: Expected loss of a risk as a share of all cost, and in calendar days, from which it is of a level.
_LEVELS = (("high", 0.02, 20.0), ("medium", 0.005, 5.0))


def implementation_of(*, plan_id: str, run: int, title: str, prompt: str, schedule: Schedule) -> Document:
    """Return a valid plan: the packages in order of their start, each after those that it needs."""
    plan = ComputedPlan(schedule.spine, schedule.computed)
    packages = [package for package in plan.in_order if package.id in plan.dated]
    ids = {package.id: f"S{n}" for n, package in enumerate(packages, 1)}
    return {
        "schemaVersion": VERSION,
        "planId": None,
        "title": cut(title, _TITLE),
        "goal": cut(" ".join(prompt.split()), _TEXT),
        "planType": "feature",
        "context": {
            "repo": f"strategic-plan/{plan_id}",
            "ref": f"run-{run}",
            "stack": ["documents"],
            "assumptions": [verdict_text(plan)],
        },
        "constraints": {"nonGoals": list(schedule.spine.frame.out_of_scope), "compat": [], "qualityGates": []},
        "acceptanceCriteria": [*map(_criterion, schedule.spine.criteria), *_days(plan)],
        "risks": [_risk(plan, risk, n) for n, risk in enumerate(schedule.spine.risks, 1)],
        "steps": [_step(plan, package, ids) for package in packages],
        "metadata": {
            "origin": {"type": "strategic-plan", "planId": plan_id, "run": run},
            "schedule": _schedule(plan),
            "tasks": {ids[package.id]: _facts(plan, package) for package in packages},
        },
    }


def _step(plan: ComputedPlan, package: Package, ids: Mapping[str, str]) -> Document:
    record = f"plan/{package.id}.md"
    dated, owner = plan.dated[package.id], plan.title(package.owner)
    result = package.done_when or f"{package.title} is done"
    critical = ["on the critical path"] * dated.critical
    return {
        "id": ids[package.id],
        "kind": _KINDS.get(package.kind, "implementation"),
        "title": cut(package.title, _TITLE) if len(package.title) > 2 else f"Package {package.id}",
        "intent": cut(f"{package.title}. Done when: {result}", _TEXT),
        "dependsOn": _waits(plan, package, ids),
        "targets": [{"type": "path", "value": record}],
        "actions": [{"type": "add_doc", "path": record, "instruction": f"Record the result: {result}"}],
        "verification": [{"type": "run_command", "command": f"test -s {record}", "expect": "success"}],
        "outputs": [{"type": "note", "value": result}],
        "notes": ", ".join([package.id, *filter(None, [owner]), f"{dated.start} to {dated.end}", *critical]),
        "ui": {
            "status": "todo",
            "group": plan.title(package.deliverable) or "Packages",
            "lane": owner,
            "orderHint": dated.start.toordinal(),
        },
    }


def _waits(plan: ComputedPlan, package: Package, ids: Mapping[str, str]) -> list[str]:
    """Return the steps whose end *package* waits for; one that it may start beside is none of them.

    Approvals and gates are no steps: what makes their papers, and what they need, goes before what they free.
    """
    before = [need.id for need in package.needs if need.kind == "finish_start"]
    before += [name for approval in plan.spine.approvals if package.id in approval.frees for name in approval.papers]
    before += [name for gate in plan.spine.gates if package.id in gate.frees for name in gate.needs]
    return sorted({ids[name] for name in before if name in ids}, key=lambda step: int(step[1:]))


def _criterion(criterion: Criterion) -> str:
    by = f" by {day_text(criterion.by)}" if criterion.by else ""
    return f"{criterion.measure}: {criterion.target}{by}"


def _days(plan: ComputedPlan) -> Iterator[str]:
    for demand in plan.spine.demands:
        if demand.due:
            yield f"{demand.text} (by {day_text(demand.due)})"


def _risk(plan: ComputedPlan, risk: Risk, number: int) -> Document:
    total = plan.sums.get("total", 0)
    money, days = (risk.odds * risk.cost / total if total else 0), risk.odds * risk.days
    level = next((name for name, share, lost in _LEVELS if money >= share or days >= lost), "low")
    who = [plan.title(risk.owner)] if risk.owner else []
    when = [f"by {day_text(risk.trigger_by)}"] if risk.trigger_by else []
    handled = f" ({', '.join([*who, *when])})" if who or when else ""
    return {
        "id": f"R{number}",
        "level": level,
        "title": f"{risk.id} {risk.event or risk.cause}",
        "mitigation": f"{risk.response or 'No response is planned'}{handled}",
    }


def _schedule(plan: ComputedPlan) -> dict[str, Any]:
    end, due = plan.end, plan.spine.frame.end
    return {
        "start": plan.computed.start.isoformat(),
        "end": plan.computed.end.isoformat(),
        "deadline": due.isoformat() if due else None,
        "p50": end.p50.isoformat() if end else None,
        "p80": end.p80.isoformat() if end else None,
        "chance": end.chance if end else None,
        "verdict": verdict(plan.computed),
        "critical_path": list(plan.computed.path),
    }


def _facts(plan: ComputedPlan, package: Package) -> dict[str, Any]:
    dated: Dated = plan.dated[package.id]
    return {
        "package": package.id,
        "owner": plan.title(package.owner),
        "start": dated.start.isoformat(),
        "end": dated.end.isoformat(),
        "days": dated.days,
        "estimate": {"low": package.low, "likely": package.likely, "high": package.high},
        "effort": dated.effort,
        "totalSlack": dated.slack,
        "critical": dated.critical,
    }
