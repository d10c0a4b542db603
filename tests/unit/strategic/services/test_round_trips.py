"""What a stage asks of bucket, table and bus beside its model calls: between two rounds this is most of the time."""

import asyncio
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from planloom.planes.strategic.pipeline_map import CURRENT
from planloom.planes.strategic.services import ask_model
from planloom.planes.strategic.services.run_stage import run_stage
from planloom.planes.strategic.stages.pipeline import PIPELINE, stage_named
from planloom.planes.strategic.stages.stage import Stage
from tests.fake_ports import make_fakes
from tests.unit.strategic.services.walk import begin, in_order

#: Files beside a stage's data and sections: tables, the schedule's chart, the report.
MOST_EXTRA_FILES = {"spine": 17, "schedule": 4, "report": 3}


class Counting:
    """A proxy of a store that counts its calls, by name."""

    def __init__(self, store: object, asked: Counter[str]) -> None:
        self._store = store
        self._asked = asked

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        def counted(*arguments: Any, **named: Any) -> Any:
            self._asked[name] += 1
            return method(*arguments, **named)

        return counted


@pytest.fixture(scope="module")
def asked() -> dict[str, Counter[str]]:
    """What each stage of a whole plan asked of its stores."""
    fakes, counts = make_fakes(), Counter[str]()
    ports = replace(
        fakes.ports,
        plans=Counting(fakes.plans, counts),
        files=Counting(fakes.files, counts),
        bus=Counting(fakes.bus, counts),
    )
    plan = begin(
        fakes, "Open a bakery with 30 seats in Lisbon by 1 May 2027 for €240,000 with two partners and a cook."
    )
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        # a look at the stop flag every two seconds depends on how busy the machine is
        patch.setattr(ask_model, "WATCH_SECONDS", 3600.0)
        for name in in_order():
            counts.clear()
            asyncio.run(run_stage(ports.stage_ports, name, plan.plan_id, plan.run))
            found[name] = Counter(counts)
    return found


@pytest.mark.parametrize("stage", PIPELINE, ids=lambda stage: stage.name)
def test_a_stage_asks_its_stores_no_more_than_it_must(asked: dict[str, Counter[str]], stage: Stage) -> None:
    found = asked[stage.name]
    needs = {"start", *stage.needs} - {stage.name}
    needed = sum(1 + len(stage_named(name).sections) for name in needs)

    # the prompt, data and sections of each stage needed, the record of each stage before; for the first what the caller
    # said of the facts, and both again for its record
    assert found["read"] <= 1 + needed + len(CURRENT.before(stage.key)) + 3 * (stage.name == "start")
    # is the run wanted: before the work, before its files are written, before it is committed
    assert found["get"] <= 3
    assert found["paths"] <= 1
    # begun and finished
    assert found["put"] <= 2
    # its files; its record is read and replaced, as each answer that it keeps is
    own = 1 + len(stage.sections) if stage.standard_files else 0
    assert found["write"] <= own + MOST_EXTRA_FILES.get(stage.name, 0)


def test_what_a_stage_does_not_need_is_not_fetched(asked: dict[str, Counter[str]]) -> None:
    read = {name: asked[name]["read"] for name in ("draft", "expert_criticism", "self_audit")}

    assert read == {"draft": 10, "expert_criticism": 14, "self_audit": 27}
