"""A stage declares what it reads and nothing else: what it does not read must not have it made again."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest

from planloom.stages import PIPELINE
from planloom.stages.stage import Stage
from tests.unit.stages.drafting import desk_for
from tests.unit.stages.finished import finished
from tests.unit.three_goals import CAFE


class Seen(dict[str, object]):
    """A mapping that knows which of its values were looked at."""

    def __init__(self, values: dict[str, object]) -> None:
        super().__init__(values)
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> object:
        self.names.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: object = None) -> object:
        self.names.add(name)
        return super().get(name, default)

    def __iter__(self) -> Iterator[str]:
        self.names |= set(self.keys())
        return super().__iter__()

    def items(self):  # type: ignore[no-untyped-def, override]
        self.names |= set(self.keys())
        return super().items()


@pytest.mark.parametrize("stage", PIPELINE, ids=lambda stage: stage.name)
def test_a_stage_reads_what_it_needs(stage: Stage) -> None:
    desk = desk_for(CAFE, stage, finished(CAFE))
    results, texts = Seen(dict(desk.results)), Seen(dict(desk.texts))

    asyncio.run(stage.draft(replace(desk, results=results, texts=texts)))

    # every stage reads what 001 found, through its brief
    assert set(stage.needs) - results.names - texts.names <= {"start"}
