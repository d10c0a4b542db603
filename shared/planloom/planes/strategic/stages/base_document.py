"""The base document in blocks, brought up to date: figures named and put right, rows of tables as the plan has them."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages import anchors
from planloom.planes.strategic.stages.base_tables import updated, with_demands
from planloom.planes.strategic.stages.blocks import Block, blocks_of
from planloom.planes.strategic.stages.computed_plan import ComputedPlan
from planloom.planes.strategic.stages.labels import Labels
from planloom.planes.strategic.stages.plan_changes import changed_rows


@dataclass(frozen=True, eq=False)
class BaseDocument:
    """The base document: its Markdown as it was written, the tables *first* made of it, and the final *plan*."""

    written: str
    first: Spine
    plan: ComputedPlan
    language: str

    @cached_property
    def values(self) -> Mapping[str, anchors.Value]:
        """The figures of the final rows by name, with the days and amounts of tasks."""
        plan = self.plan
        found = anchors.figures_of(plan.spine) | {f"{gate.id}.day": gate.day for gate in plan.computed.gates}
        for dated in plan.computed.packages:
            found |= {f"{dated.id}.start": dated.start, f"{dated.id}.end": dated.end}
        return found | {f"{row.id}.cost": plan.cost_of(row) for row in plan.spine.packages}

    @cached_property
    def old(self) -> Mapping[str, tuple[anchors.Value, anchors.Value | None]]:
        """The figures of the first rows that have another value in the final ones, with that."""
        return anchors.old_values(anchors.figures_of(self.first), self.values)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks with the names of their figures and today's values, tables of tasks and lines up to date."""
        found = anchors.anchored(blocks_of(self.written), self.first, self.language)
        say = Labels(self.language).value
        found = with_demands(updated(found, self.plan, self.first, say), self.plan, say)
        return tuple(replace(b, text=anchors.at_present(b.text, self.values, self.language)) for b in found)

    @cached_property
    def chances(self) -> Mapping[str, float]:
        """The computed odds of each dated demand and gate, by id."""
        return {odds.what: odds.chance for odds in self.plan.computed.odds if odds.chance is not None}

    @cached_property
    def changed(self) -> Mapping[str, str]:
        """What the final rows say otherwise than the first ones, by id."""
        return changed_rows(self.first, self.plan.spine)

    @cached_property
    def source(self) -> str:
        """The digest of what the blocks are made of beside the final rows."""
        return hashlib.sha256(f"{self.written}{self.first.model_dump_json()}".encode()).hexdigest()
