"""When each work package is done, computed from the work, its order, its durations and the prompt's calendar."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, lru_cache
from itertools import accumulate

from planloom.domain.confidence import Confidence, simulate
from planloom.domain.critical_path import Network
from planloom.domain.pert import ThreePoint
from planloom.domain.tasks import CriticalPath, Task
from planloom.knowledge.brief import BRIEFS, Brief
from planloom.knowledge.just_in_time import held_back, set_up, toward_their_day
from planloom.knowledge.observations import windows, within
from planloom.knowledge.pace import Pace, pace
from planloom.knowledge.sequence import ACCEPTANCE, Order, orders, successors
from planloom.knowledge.targets import LOOKS_BACK, FixedDay, Step, Target, fixed_day, goals, targets, upstream
from planloom.knowledge.work_breakdown import Work, works
from planloom.knowledge.work_calendars import WorkCalendars, work_calendars
from planloom.knowledge.work_network import network_tasks, on_the_day, step_of


@dataclass(frozen=True)
class Timetable:
    """The work with its dates: ``early`` as soon as can be, ``solved`` with what is ``held`` back; keys are ids (2.3).

    ``goals`` are the packages that the deadline asks for, ``leading`` they and all before them; ``path`` is the chain
    that drives the end; ``phases`` says in which phase each package is worked, ``phase_order`` how they follow.
    """

    orders: tuple[Order, ...]
    estimates: Mapping[str, ThreePoint]
    calendars: WorkCalendars
    early: CriticalPath
    solved: CriticalPath
    network: Network
    loose: Network
    goals: tuple[str, ...]
    leading: frozenset[str]
    path: tuple[str, ...]
    held: Mapping[str, date]
    phases: Mapping[str, str]
    phase_order: tuple[str, ...]
    targets: tuple[Target, ...]
    on_day: FixedDay | None

    @cached_property
    def sure(self) -> Confidence:
        """By when the goals are reached in how many simulated runs."""
        return simulate(self.loose, self.estimates, self.goals)

    @cached_property
    def gates(self) -> Mapping[str, tuple[date, str]]:
        """The day on which each phase ends, with the package that ends it; looks back months later left out.

        No phase ends before the one before it: a gate that is passed asks for all that came first.
        """
        looking_back = {order.task for order in self.orders if order.lag >= LOOKS_BACK}
        found: dict[str, tuple[date, str]] = {}
        for name, phase in self.phases.items():
            end = self.solved.tasks[name].end
            if name not in looking_back and (phase not in found or end > found[phase][0]):
                found[phase] = (end, name)
        reached = [phase for phase in self.phase_order if phase in found]
        return dict(zip(reached, accumulate((found[phase] for phase in reached), max), strict=True))


def timetable(
    brief: Brief, steps: Sequence[Step], links: Sequence[Order], estimates: Mapping[str, ThreePoint]
) -> Timetable:
    """Compute all dates. Raises CycleFound or UnknownTask where *links* cannot be."""
    on_day = fixed_day(brief)
    observed = windows(brief, steps)
    points = within(on_the_day(estimates, steps, on_day), observed)
    calendars = work_calendars(brief)
    ends = goals(brief, steps, links)
    tasks = network_tasks(steps, links, calendars, points, on_day, observed)
    early = Network(tasks, brief.start).solve(ends)
    held = held_back(steps, links, early, ends) | toward_their_day(steps, early, targets(brief, steps, links))
    # who collects on a day is trained before it, however long the work after it can wait
    held = {name: day for name, day in held.items() if name not in upstream(links, observed)}
    # a set-up can begin earlier than planned, so that its late start is no cause of lateness
    last = set_up(steps, early, ends) if on_day else {}
    network = _network(brief, tasks, held | last)
    solved = network.solve(ends)
    return Timetable(
        orders=tuple(links),
        estimates=points,
        calendars=calendars,
        early=early,
        solved=solved,
        network=network,
        loose=_network(brief, tasks, held),
        goals=ends,
        leading=upstream(links, ends),
        path=_tightest(early, network.tasks) if on_day else solved.path,
        held=held | last,
        phases=_phases_of_work(brief, steps, links, solved, held | last),
        phase_order=tuple(phase.id for phase in brief.phases),
        targets=targets(brief, steps, links),
        on_day=on_day,
    )


@lru_cache(maxsize=BRIEFS)
def outline_timetable(brief: Brief) -> Timetable:
    """Return the dates that the tables alone give, before any stage has drafted: what gates and due days can rest on.

    Without a language model they are the schedule's own.
    """
    steps = [step_of(work) for work in outline_works(brief)]
    return timetable(brief, steps, _orders(brief), outline_pace(brief).estimates)


@lru_cache(maxsize=BRIEFS)
def outline_pace(brief: Brief) -> Pace:
    """Return the estimates that the tables alone give, at the pace of the prompt's days."""
    return pace(brief, outline_works(brief), _orders(brief))


@lru_cache(maxsize=BRIEFS)
def outline_works(brief: Brief) -> tuple[Work, ...]:
    """Return the work packages that the tables alone give."""
    return works(brief)


@lru_cache(maxsize=BRIEFS)
def _orders(brief: Brief) -> tuple[Order, ...]:
    return orders(brief, outline_works(brief))


def _network(brief: Brief, tasks: Sequence[Task], held: Mapping[str, date]) -> Network:
    return Network([replace(t, not_before=held.get(t.id, t.not_before)) for t in tasks], brief.start)


def _tightest(early: CriticalPath, tasks: Mapping[str, Task]) -> tuple[str, ...]:
    """Return the chain with the least slack to what takes place on a fixed day: the day itself alone has none."""
    path = [early.path[-1]]
    while after := tasks[path[-1]].after:
        path.append(min((wait.task for wait in after), key=lambda name: (early.tasks[name].total_slack, name)))
    return tuple(reversed(path))


def _phases_of_work(
    brief: Brief, steps: Sequence[Step], links: Sequence[Order], solved: CriticalPath, held: Mapping[str, date]
) -> dict[str, str]:
    """Return by package the id of the phase in which it is worked, which its deliverable's need not be.

    An inspection among the permissions waits for the building; a decision to open among what is handed over comes
    before closing. So: its deliverable's phase, not before its predecessors', before closing where acceptance waits
    for it, and closing where it follows acceptance without being part of the launch. What is held back belongs to the
    last phase that is under way when it starts.
    """
    names = [phase.id for phase in brief.phases]
    accepted = [step.id for step in steps if step.key == ACCEPTANCE]
    accepting = upstream(links, accepted)
    following = successors([(link.task, link.after) for link in links], accepted)

    def own(step: Step) -> int:
        if step.id in following and step.phase != "launch":
            return len(names) - 1
        at = names.index(step.phase) if step.phase in names else 0
        return min(at, len(names) - 2) if step.id in accepting else at

    owns = _with_what_rests_on_them(steps, links, {step.id: own(step) for step in steps})
    at = {step.id: max(owns[name] for name in upstream(links, [step.id])) for step in steps}
    begun = {n: min(solved.tasks[i].start for i in at if at[i] == n and i not in held) for n in _under_way(at, held)}
    at |= {i: max((n for n, day in begun.items() if day <= solved.tasks[i].start), default=at[i]) for i in held}
    return {name: names[n] for name, n in at.items()}


def _with_what_rests_on_them(steps: Sequence[Step], links: Sequence[Order], owns: Mapping[str, int]) -> dict[str, int]:
    """Let a study or a drawing belong to the phase of the first that rests on it: a tariff model to the options."""
    found = dict(owns)
    early = [step.id for step in steps if step.kind in ("research", "design")]
    # each round carries the phase one link further up; no chain of drawings is longer than all of them
    for _ in early:
        earlier = {i: min([found[i], *(found[link.task] for link in links if link.after == i)]) for i in early}
        if all(found[i] == phase for i, phase in earlier.items()):
            break
        found |= earlier
    return found


def _under_way(at: Mapping[str, int], held: Mapping[str, date]) -> list[int]:
    return sorted({n for name, n in at.items() if name not in held})
