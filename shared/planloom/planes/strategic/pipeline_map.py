"""The steps of a run: their numbers, names, titles and needs, in order, without importing the stages.

Functions that only say how far a plan is (status, graph, watchdog) import this: the stages, with their instructions,
cost a tenth of a second of every cold start.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from planloom.core.step_graph import StepGraph
from planloom.planes.strategic.pipeline_steps import ROWS
from planloom.planes.strategic.plans import PIPELINE_VERSION, Plan


@dataclass(frozen=True)
class Step:
    """A stage's place in the pipeline, as its own file declares it."""

    number: int
    name: str
    title: str
    needs: tuple[str, ...]

    @property
    def key(self) -> str:
        """As table keys and step records name it: ``016``."""
        return f"{self.number:03}"

    @property
    def step(self) -> str:
        """As failures and logs name it: ``016-expert_criticism``."""
        return f"{self.key}-{self.name}"


@dataclass(frozen=True, eq=False)
class PlanSteps:
    """The steps of a run in the order in which they run.

    ``validated`` are the keys of those that a plan of target validate_plan executes again, over what is there:
    criticism, decisions, audit, report.
    """

    steps: tuple[Step, ...]
    validated: tuple[str, ...]

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    @cached_property
    def by_key(self) -> Mapping[str, Step]:
        """The steps by their keys, in order."""
        return {step.key: step for step in self.steps}

    @cached_property
    def graph(self) -> StepGraph:
        """Which step needs which, by key."""
        keys = {step.name: step.key for step in self.steps}
        return StepGraph.of((step.key, [keys[name] for name in step.needs]) for step in self.steps)

    def named(self, name: str) -> Step | None:
        """Return the step that *name* names: ``016``, ``expert_criticism`` or both joined; None where none is."""
        return next((step for step in self.steps if name in (step.key, step.name, step.step)), None)

    def before(self, key: str) -> tuple[Step, ...]:
        """Return every step that the step *key* needs, directly or through others, in order."""
        needed = self.graph.before((key,))
        return tuple(step for step in self.steps if step.key in needed)

    def affected_by(self, keys: Iterable[str]) -> tuple[Step, ...]:
        """Return the steps *keys* and every step that needs one of them, directly or through others, in order."""
        keys = set(keys)
        affected = keys | self.graph.after(keys)
        return tuple(step for step in self.steps if step.key in affected)


#: What a run that begins now executes.
CURRENT = PlanSteps(tuple(Step(*row) for row in ROWS), validated=("016", "024", "029", "030"))
_VERSIONS = {PIPELINE_VERSION: CURRENT}


def steps_of(plan: Plan) -> PlanSteps | None:
    """Return the steps of the current run of *plan*; None where it is of a version that is no longer known."""
    return _VERSIONS.get(plan.pipeline_version or 0)


def step_with_key(key: str) -> Step | None:
    """Return the step with number *key* (``016``), or None where the pipeline has none."""
    return CURRENT.by_key.get(key)
