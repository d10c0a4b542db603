"""What it costs to read a program, to plan it, and to name what it means, in this process.

python -m bench.operations
"""

import statistics
import time
from collections.abc import Callable

from planloom.core.endpoint import Effect
from planloom.core.entities import Capability, Entity, EntityField, GetCall, ListCall, Paging, Relation
from planloom.planes.programs.catalog import Catalog
from planloom.planes.programs.commit import commit_id
from planloom.planes.programs.compile import compile_program
from planloom.planes.programs.parse import parse
from planloom.planes.programs.plan import ProgramPlan

ROUNDS = 20

ITEM = Entity(
    name="Item",
    backend="http:items",
    fields=tuple(EntityField(name=name) for name in ("id", "title", "state", "owner_id", "created_at")),
    list=ListCall(
        operation="GET /items",
        paging=Paging(style="cursor", parameter="cursor", next="next"),
        filters={"state": "state", "owner_id": "owner"},
    ),
    get=GetCall(operation="GET /items/{id}", key="id"),
    relations=(Relation(name="owner", entity="Item", field="owner_id", many=False),),
    capabilities=(Capability(name="close", operation="POST /items/{id}/close", effect=Effect.CHANGES, key="id"),),
)
CATALOG = Catalog([ITEM])


def program(nodes: int) -> str:
    """Return a program with so many nodes: statements of four, each on the rows of the one before."""
    lines = ["x0 = Item.filter{state = open}"]
    made = 2
    while made + 4 < nodes:
        here = len(lines)
        lines.append(
            f'x{here} = x{here - 1}.filter{{title contains "a" and id in x0.id}}[id, title, state].sort(-id).limit(9)'
        )
        made += 4
    lines.append(f"x{len(lines) - 1}" + "".join(".limit(8)" for _ in range(nodes - made)))
    return "\n".join(lines)


def main() -> None:
    """Measure and print medians."""
    text = program(200)
    parse(text)  # the grammar is built once per process
    plan = planned(text)
    assert len(plan.nodes) == 200
    assert not plan.problems
    both, reading = _median(lambda: planned(text)), _median(lambda: parse(text))
    print(f"parse and plan 200 nodes ({len(text):,} characters): {both:.1f} ms, of which reading {reading:.1f} ms")
    large = planned(program(2_000))
    assert len(large.nodes) == 2_000
    small = _median(lambda: commit_id(plan))
    print(f"commit id of 200 nodes: {small:.2f} ms, of 2,000: {_median(lambda: commit_id(large)):.1f} ms")
    print(f"parse and plan 2,000 nodes: {_median(lambda: planned(program(2_000)), 3):.0f} ms")


def planned(text: str) -> ProgramPlan:
    """Return the plan of *text*."""
    return compile_program(parse(text), CATALOG)


def _median(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1e3


if __name__ == "__main__":
    main()
