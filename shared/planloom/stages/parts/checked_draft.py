"""The finished stages as the quality checks read them: plain shapes out of typed results."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from planloom.knowledge.sequence import Order
from planloom.knowledge.targets import Step, fixed_day
from planloom.knowledge.work_calendars import work_calendars
from planloom.knowledge.work_network import network_tasks, on_the_day
from planloom.stages.assumptions import Assumptions
from planloom.stages.desk import Desk
from planloom.stages.documents import Documents
from planloom.stages.parts.checked import draft as shapes
from planloom.stages.parts.schedule_result import Schedule
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.risks import RiskRegister
from planloom.stages.task_dependencies import TaskDependencies
from planloom.stages.task_durations import TaskDurations
from planloom.stages.team import Team
from planloom.stages.wbs import Wbs

#: How the stages name what makes an action complete; the first name that a row has is read.
_TEXT = ("action", "fix", "removed_by", "verify", "purpose", "question", "ask", "test")
_ROLE = ("role", "owner")
_BY = ("by", "when", "deadline")
_CHECK = ("check", "trigger", "sample", "approval", "kills")
#: Rows of the success criteria that say what must stay as it is: checked at the gates, not measured by a task.
_LIMITS = ("Kept:", "Ruled out:")


def checked_draft(desk: Desk, pages: Mapping[str, str]) -> shapes.Draft:
    """Return the draft on *desk*; *pages* are the stages' Markdown by stage name."""
    plan, wbs = desk.read("project_plan", ProjectPlan), desk.read("wbs", Wbs)
    risks, documents = desk.read("risks", RiskRegister), desk.read("documents", Documents)
    files = {name: stage.markdown_path for name, stage in desk.needs.items()}
    posts = tuple(shapes.Post(p.title, p.count) for p in plan.plan.people)
    team = tuple(shapes.Post(r.member.title, r.member.count) for r in desk.read("team", Team).roles)
    return shapes.Draft(
        prompt=desk.prompt,
        facts=desk.brief.facts,
        today=desk.brief.today,
        pages={files[name]: pages[name] for name in sorted(pages, key=lambda name: desk.needs[name].number)},
        titles={files[name]: desk.needs[name].title for name in pages},
        schedule=_schedule(desk, wbs),
        budget=plan.budget,
        gates=tuple(shapes.Gate(m.title, m.day, m.basis) for m in plan.plan.milestones),
        actions=tuple(_actions(desk)),
        owned=tuple(_owned(desk, wbs)),
        posts=posts,
        team=team,
        roles=frozenset(_roles(desk, posts, team, plan)),
        claims=tuple(desk.register),
        risks=tuple(shapes.RiskRow(r.id, r.title, r.score, r.owner, r.action, r.cost) for r in risks.risks),
        documents=tuple(d.document.title for d in documents.documents if d.document.kind == "create"),
        criteria=tuple(c.text for c in plan.plan.criteria if not c.text.startswith(_LIMITS)),
        missing={files[name]: result.missing for name, result in desk.results.items() if result.missing},
    )


def _schedule(desk: Desk, wbs: Wbs) -> shapes.Schedule:
    made = desk.read("schedule", Schedule)
    waits = desk.read("task_dependencies", TaskDependencies).dependencies
    calendars = _calendars(desk, wbs)
    return shapes.Schedule(
        start=made.start,
        deadline=made.deadline,
        end=made.end,
        verdict=made.verdict,
        verdict_text=made.verdict_text,
        jobs=tuple(
            shapes.Job(t.id, t.title, t.owner, t.start, t.end, t.duration, t.test, *calendars[t.id])
            for t in made.tasks
            if t.id in calendars
        ),
        waits=tuple(shapes.Wait(w.task, w.after, w.lag) for w in waits),
        bars=tuple(shapes.Bar(m.title, m.day, m.target, m.spare) for m in made.milestones),
        leaves=(
            *(f"{leaf.title} {leaf.test}" for leaf in made.leaves),
            *(f"{deliverable.title} {deliverable.result}" for deliverable in wbs.deliverables),
        ),
    )


def _calendars(desk: Desk, wbs: Wbs) -> dict[str, tuple[Any, Any]]:
    """Return for each package the calendar of its work and that of its first day, as the schedule took them."""
    phases = {p.id: d.phase for d in wbs.deliverables for p in d.packages}
    steps = [Step(p.id, p.key, p.title, phases[p.id], p.kind, p.outdoor, p.fixed) for p in wbs.packages]
    on_day = fixed_day(desk.brief)
    points = {e.task: e.points for e in desk.read("task_durations", TaskDurations).estimates}
    none: list[Order] = []
    tasks = network_tasks(steps, none, work_calendars(desk.brief), on_the_day(points, steps, on_day), on_day)
    return {task.id: (task.calendar, task.opens) for task in tasks}


def _actions(desk: Desk) -> Iterator[shapes.Action]:
    """Yield every row of every result that names what is done, by whom, by when and how one sees it."""
    for name, result in desk.results.items():
        file = desk.needs[name].markdown_path
        for row in _rows(result.model_dump(mode="python", exclude={"claims"})):
            text, role, by, check = (_first(row, names) for names in (_TEXT, _ROLE, _BY, _CHECK))
            if None in (text, role, by, check) or row.get("kind") == "find":
                continue
            day = by if isinstance(by, date) else None
            seen = f"approved by {check}" if "approval" in row else str(check)
            yield shapes.Action(file, str(text), str(role), str(by), seen, day)


def _rows(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from _rows(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _rows(part)


def _first(row: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((row[name] for name in names if name in row), None)


def _owned(desk: Desk, wbs: Wbs) -> Iterator[shapes.Owned]:
    for package in wbs.packages:
        yield shapes.Owned(shapes.WBS_FILE, package.title, package.owner)
    for risk in desk.read("risks", RiskRegister).risks:
        yield shapes.Owned(shapes.RISKS_FILE, f"{risk.id} {risk.title}", risk.owner)
    for assumption in desk.read("assumptions", Assumptions).assumptions:
        yield shapes.Owned(desk.needs["assumptions"].markdown_path, assumption.text, assumption.owner)
    for action in _actions(desk):
        if action.file not in (shapes.RISKS_FILE, desk.needs["assumptions"].markdown_path):
            yield shapes.Owned(action.file, action.text, action.role)


def _roles(desk: Desk, posts: Iterable[shapes.Post], team: Iterable[shapes.Post], plan: ProjectPlan) -> Iterator[str]:
    """Yield every role that the plan or the goal knows: posts, what they act as, the goal's people and bodies."""
    yield from (post.title for post in (*posts, *team))
    for person in plan.plan.people:
        yield from person.acts_as
    yield from (role.title for role in desk.brief.facts.roles)
    yield from (row.name for row in plan.plan.stakeholders)
