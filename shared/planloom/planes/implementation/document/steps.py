"""The steps of a plan as a graph: who waits for whom, in which circles, who comes before whom.

Reads plans that may be malformed: what is no step, and ids that are taken, are passed over.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from planloom.planes.implementation.document.cycles import strongly_connected_components
from planloom.planes.implementation.document.schema import Document


@dataclass(frozen=True)
class Step:
    """A step with its place in ``steps[]``; *after* are the ids it waits for, with their places in ``dependsOn[]``."""

    index: int
    id: str
    after: Mapping[str, int]
    fields: Document


def read_steps(plan: Document) -> Iterator[Step]:
    """Yield what can be read as a step: an object with an id."""
    listed = plan.get("steps")
    for index, fields in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(fields, dict) and isinstance(fields.get("id"), str):
            yield Step(index, fields["id"], _after(fields.get("dependsOn")), fields)


def _after(listed: Any) -> dict[str, int]:
    places = [(name, n) for n, name in enumerate(listed) if isinstance(name, str)] if isinstance(listed, list) else []
    return dict(reversed(places))


class StepGraph:
    """The graph of a plan's steps; of steps with the same id it knows the first."""

    def __init__(self, steps: list[Step]) -> None:
        self.steps: dict[str, Step] = {}
        for step in steps:
            self.steps.setdefault(step.id, step)
        self._after = {
            step.id: [name for name in step.after if name in self.steps and name != step.id]
            for step in self.steps.values()
        }

    @cached_property
    def _sorted(self) -> tuple[list[str], set[str]]:
        """Return ids in an order in which each follows what it waits for, and those that are in no order."""
        waiting = {name: len(after) for name, after in self._after.items()}
        followers: dict[str, list[str]] = {name: [] for name in self._after}
        for name, after in self._after.items():
            for earlier in after:
                followers[earlier].append(name)
        order = [name for name, count in waiting.items() if not count]
        for name in order:  # grows while it is walked
            for follower in followers[name]:
                waiting[follower] -= 1
                if not waiting[follower]:
                    order.append(follower)
        return order, {name for name, count in waiting.items() if count}

    @property
    def order(self) -> list[str]:
        """Ids so that each follows what it waits for; without those in or behind a circle."""
        return self._sorted[0]

    @property
    def stuck(self) -> set[str]:
        """Ids of steps in a circle or behind one."""
        return self._sorted[1]

    @cached_property
    def cycles(self) -> list[list[str]]:
        """One cycle for each strongly connected component; each step waits for the next, the last for the first.

        Each begins with the step of its component that is first in the plan, and is the shortest through that step.
        """
        graph = {name: self._after[name] for name in self.steps if name in self.stuck}
        components = [set(found) for found in strongly_connected_components(graph)]
        firsts = {min(each, key=lambda name: self.steps[name].index): each for each in components if len(each) > 1}
        return [self._shortest_cycle(name, firsts[name]) for name in self.steps if name in firsts]

    def _shortest_cycle(self, start: str, among: set[str]) -> list[str]:
        came_from: dict[str, str] = {}
        queue = [start]
        for name in queue:
            for earlier in self._after[name]:
                if earlier == start:
                    return _way(came_from, start, name)
                if earlier in among and earlier not in came_from:
                    came_from[earlier] = name
                    queue.append(earlier)
        raise AssertionError("every step of a strongly connected component is on a cycle")

    @cached_property
    def _before(self) -> dict[str, int]:
        """Return for each step a bit mask of the places in ``order`` of all that come before it."""
        place = {name: n for n, name in enumerate(self.order)}
        before: dict[str, int] = {}
        for name in self.order:
            mask = 0
            for earlier in self._after[name]:
                mask |= before[earlier] | 1 << place[earlier]
            before[name] = mask
        self._place = place
        return before

    def comes_before(self, first: str, then: str) -> bool:
        """Say whether *then* waits for *first*, directly or not; both are in ``order``."""
        return bool(self._before[then] >> self._place[first] & 1)

    def orphans(self) -> list[str]:
        """Return the ids of steps that neither wait nor are waited for, where there are others."""
        awaited = {earlier for after in self._after.values() for earlier in after}
        alone = [name for name, step in self.steps.items() if not step.after and name not in awaited]
        return alone if len(self.steps) > 1 else []

    def blocked(self) -> list[str]:
        """Return the ids of steps that can never start since they wait, through others, for a circle or for nothing."""
        causes = {name for cycle in self.cycles for name in cycle}
        causes |= {step.id for step in self.steps.values() if any(name not in self.steps for name in step.after)}
        reached, queue = set(causes), list(causes)
        followers: dict[str, list[str]] = {name: [] for name in self._after}
        for name, after in self._after.items():
            for earlier in after:
                followers[earlier].append(name)
        for name in queue:
            fresh = [follower for follower in followers[name] if follower not in reached]
            reached.update(fresh)
            queue += fresh
        return [name for name in self.steps if name in reached - causes]


def _way(came_from: Mapping[str, str], start: str, last: str) -> list[str]:
    way = [last]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]
