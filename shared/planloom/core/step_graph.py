"""A directed graph of steps: order, batches, cycles and the critical path, for everything that runs."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter


class GraphHasCycle(ValueError):
    """The steps wait for each other; ``members`` are their ids in order, the first one repeated at the end."""

    def __init__(self, members: Sequence[str]) -> None:
        super().__init__(f"These steps wait for each other: {' → '.join(members)}.")
        self.members = tuple(members)


@dataclass(frozen=True)
class StepGraph:
    """Steps by id in their written order, and for each the ids of the steps that it needs.

    Every needed id is a step of the graph; a graph with a cycle can be made, but not ordered.
    """

    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        unknown = {needed for others in self.needs.values() for needed in others if needed not in self.needs}
        if unknown:
            raise ValueError(f"No step has the id {', '.join(sorted(unknown))}, which other steps need.")

    @classmethod
    def of(cls, steps: Iterable[tuple[str, Iterable[str]]]) -> "StepGraph":
        """Return the graph of pairs of an id and the ids that it needs."""
        return cls({step: tuple(dict.fromkeys(needs)) for step, needs in steps})

    @cached_property
    def dependents(self) -> Mapping[str, tuple[str, ...]]:
        """The steps that need each step directly, in written order."""
        found: dict[str, list[str]] = {step: [] for step in self.needs}
        for step, needs in self.needs.items():
            for needed in needs:
                found[needed].append(step)
        return {step: tuple(others) for step, others in found.items()}

    def after(self, steps: Iterable[str]) -> set[str]:
        """Return all steps that need one of *steps*, directly or through others."""
        found: set[str] = set()
        todo = deque(steps)
        while todo:
            for step in self.dependents[todo.popleft()]:
                if step not in found:
                    found.add(step)
                    todo.append(step)
        return found

    def before(self, steps: Iterable[str]) -> set[str]:
        """Return all steps that *steps* need, directly or through others."""
        found: set[str] = set()
        todo = deque(steps)
        while todo:
            for step in self.needs[todo.popleft()]:
                if step not in found:
                    found.add(step)
                    todo.append(step)
        return found

    def batches(self) -> list[tuple[str, ...]]:
        """Return the steps in topological batches (Kahn): a batch needs only earlier ones. Raises GraphHasCycle."""
        batches = list(self._batches())
        if sum(map(len, batches)) < len(self.needs):
            raise GraphHasCycle(self._cycle())
        return batches

    def _batches(self) -> Iterator[tuple[str, ...]]:
        waits = {step: len(needs) for step, needs in self.needs.items()}
        place = {step: number for number, step in enumerate(self.needs)}
        ready = [step for step, count in waits.items() if not count]
        while ready:
            yield tuple(ready)
            freed = []
            for step in ready:
                for other in self.dependents[step]:
                    waits[other] -= 1
                    if not waits[other]:
                        freed.append(other)
            ready = sorted(freed, key=place.__getitem__)

    def order(self) -> tuple[str, ...]:
        """Return every step after the steps that it needs. Raises GraphHasCycle."""
        return tuple(step for batch in self.batches() for step in batch)

    def _cycle(self) -> list[str]:
        try:
            TopologicalSorter(self.needs).prepare()
        except CycleError as error:
            # graphlib names them from the needed to the one that needs it
            members: list[str] = error.args[1]
            return members
        raise AssertionError("a graph that cannot be ordered has a cycle")

    def critical_path(self, lengths: Mapping[str, float]) -> tuple[str, ...]:
        """Return the chain of steps with the greatest sum of *lengths* (any unit), from its first to its last."""
        longest: dict[str, float] = {}
        previous: dict[str, str | None] = {}
        for step in self.order():
            before = max(self.needs[step], key=longest.__getitem__, default=None)
            previous[step] = before
            longest[step] = lengths.get(step, 0.0) + (longest[before] if before is not None else 0.0)
        chain: list[str] = []
        step_: str | None = max(longest, key=longest.__getitem__, default=None)
        while step_ is not None:
            chain.append(step_)
            step_ = previous[step_]
        return tuple(reversed(chain))
