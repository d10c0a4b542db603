"""An implementation plan from a finished strategic plan: a step for each task of its work breakdown.

A task leaves a record of its result in the repository, which is its action, and the record is there, which is its
verification: what else a task does the schema has no types for. Dates, durations, slack and owners go into
``metadata.tasks``, by step, and as far as people read them into ``notes``.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from planloom.implementation.markdown_told import cut
from planloom.implementation.schema import VERSION, Document
from planloom.stages.parts.risk import Risk
from planloom.stages.parts.schedule_result import Schedule, ScheduledLeaf, ScheduledTask
from planloom.stages.wbs import Package, Wbs

_TITLE, _TEXT = 140, 4000

#: Of a package's kind; what is not here is implementation.
_KINDS: Mapping[str, str] = {
    "research": "discovery",
    "design": "design",
    "test": "testing",
    "communication": "docs",
    "operate": "rollout",
    "handover": "rollout",
}


def implementation_of(
    *, plan_id: str, run: int, title: str, prompt: str, schedule: Schedule, wbs: Wbs, risks: Sequence[Risk]
) -> Document:
    """Return a valid plan: the tasks in order of the work breakdown, each after those that it waits for."""
    ids = {leaf.id: f"S{n}" for n, leaf in enumerate(schedule.leaves, 1)}
    tasks = {task.id: task for task in schedule.tasks}
    packages = {package.id: package for package in wbs.packages}
    after = _waits(schedule, ids)
    steps = [
        _step(leaf, tasks[leaf.task], packages[leaf.task], ids[leaf.id], after[leaf.id]) for leaf in schedule.leaves
    ]
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
            "assumptions": [schedule.verdict_text],
        },
        "constraints": {"nonGoals": [], "compat": [], "qualityGates": []},
        "acceptanceCriteria": _criteria(schedule, packages),
        "risks": [_risk(risk) for risk in risks],
        "steps": steps,
        "metadata": {
            "origin": {"type": "strategic-plan", "planId": plan_id, "run": run},
            "schedule": schedule.model_dump(
                mode="json", include={"start", "end", "last_day", "deadline", "p50", "p80", "verdict", "critical_path"}
            ),
            "tasks": {ids[leaf.id]: _facts(leaf, tasks[leaf.task]) for leaf in schedule.leaves},
        },
    }


def _waits(schedule: Schedule, ids: Mapping[str, str]) -> dict[str, list[str]]:
    """Return what each task waits for: the one before it in its package, or the last ones of the packages before."""
    of_package: dict[str, list[str]] = {}
    for leaf in schedule.leaves:
        of_package.setdefault(leaf.task, []).append(leaf.id)
    waits: dict[str, list[str]] = {}
    for task in schedule.tasks:
        leaves = of_package.get(task.id, [])
        last = [ids[of_package[name][-1]] for name in task.predecessors if of_package.get(name)]
        for n, name in enumerate(leaves):
            waits[name] = [ids[leaves[n - 1]]] if n else sorted(set(last), key=lambda step: int(step[1:]))
    return waits


def _step(leaf: ScheduledLeaf, task: ScheduledTask, package: Package, step: str, after: list[str]) -> Document:
    record = f"plan/{leaf.id}.md"
    kind = _KINDS.get(package.kind, "implementation")
    return {
        "id": step,
        "kind": kind,
        "title": cut(leaf.title, _TITLE) if len(leaf.title) > 2 else f"Task {leaf.id}",
        "intent": cut(f"{leaf.title}. Done when: {leaf.test}", _TEXT),
        "dependsOn": after,
        "targets": [{"type": "path", "value": record}],
        "actions": [{"type": "add_doc", "path": record, "instruction": f"Record the result: {leaf.test}"}],
        "verification": [{"type": "run_command", "command": f"test -s {record}", "expect": "success"}],
        "outputs": [{"type": "note", "value": f"{task.title}: {task.test}"}],
        "notes": f"{leaf.id}, {leaf.owner}, {leaf.start} to {leaf.end}{', on the critical path' * task.critical}",
        "ui": {
            "status": "todo",
            "group": task.deliverable_title,
            "lane": leaf.owner,
            "orderHint": leaf.start.toordinal(),
        },
    }


def _criteria(schedule: Schedule, packages: Mapping[str, Package]) -> list[str]:
    """Return the tests of acceptance, then the days to hold."""
    tests = [f"{package.title}: {package.test}" for package in packages.values() if package.key == "acceptance"]
    days = [
        f"{milestone.title} by {milestone.target or milestone.day}"
        for milestone in schedule.milestones
        if milestone.kind != "phase"
    ]
    return [*tests, *days]


def _risk(risk: Risk) -> Document:
    level = "high" if risk.score >= 15 else "medium" if risk.score >= 6 else "low"
    return {
        "id": risk.id,
        "level": level,
        "title": risk.title,
        "mitigation": f"{risk.action} ({risk.owner}, by {risk.by})",
    }


def _facts(leaf: ScheduledLeaf, task: ScheduledTask) -> dict[str, Any]:
    days = {"optimistic": task.optimistic, "likely": task.likely, "pessimistic": task.pessimistic}
    return {
        "wbs": leaf.id,
        "owner": leaf.owner,
        "start": leaf.start.isoformat(),
        "end": leaf.end.isoformat(),
        "package": {"id": task.id, "title": task.title, "owner": task.owner, "workingDays": task.duration, **days},
        "totalSlack": task.total_slack,
        "critical": task.critical,
    }
