"""Any program that can be read has a plan, and any plan without problems ends: no text raises an exception."""

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from planloom.planes.programs.commit import commit_id
from planloom.planes.programs.compile import compile_program
from planloom.planes.programs.errors import ProgramError
from planloom.planes.programs.evaluate import evaluate
from planloom.planes.programs.node_values import Limits
from planloom.planes.programs.parse import parse
from planloom.planes.programs.plan import ProgramPlan
from planloom.planes.programs.print import print_program
from tests.thorough import THOROUGH
from tests.unit.programs.catalogs import CATALOG, NOW, Memory, plan, run, sources
from tests.unit.programs.test_language import PROGRAMS

#: Parts of programs, most of which fit together.
ROOTS = st.sampled_from(
    ["Plan", "Run", "Event", 'Plan("p0")', 'Run("r9")', "a", "b", "page(s0_pg1)", "Thing", "(a union b)"]
)
METHODS = st.sampled_from(
    [
        ".filter{state = failed}",
        ".filter{steps > 3 or not exists(note)}",
        ".filter{id in a.id}",
        '.filter{run_id = "r0"}',
        ".filter{plan_id = b}",
        "[id]",
        "[id, state]",
        "[state]",
        ".sort(-steps)",
        ".limit(3)",
        ".count()",
        ".group_by(state).aggregate(count, max(steps))",
        ".distinct(state)",
        ".runs",
        ".plan",
        ".events",
        ".stop()",
        '.create("x")',
        ".for_each(Run.stop(each.id))",
        ".for_each(Run.log(each.id))",
        ".for_each(Plan.create(each.state))",
        " union a",
        " minus Run.limit(2)",
        ".nothing",
    ]
)
LINES = st.tuples(st.sampled_from(["", "a = ", "b = ", "c = "]), ROOTS, st.lists(METHODS, max_size=4)).map(
    lambda each: each[0] + each[1] + "".join(each[2])
)
TEXTS = st.lists(LINES, min_size=1, max_size=4).map("\n".join)


def checked(found: ProgramPlan) -> None:
    assert (found.verdict == "needs_fix") is bool(found.problems)
    assert (found.verdict == "ok") is (found.reasons == ())
    assert len(commit_id(found)) == 64
    assert ProgramPlan.model_validate_json(found.model_dump_json()) == found
    assert len(found.graph.order()) == len(found.nodes)


@settings(max_examples=1_000 if THOROUGH else 60)
@given(PROGRAMS)
def test_every_program_that_can_be_read_has_a_plan(program: object) -> None:
    checked(compile_program(program, CATALOG))  # type: ignore[arg-type]


@settings(max_examples=3_000 if THOROUGH else 150)
@given(TEXTS)
def test_every_plan_without_problems_ends_with_rows_or_an_error(text: str) -> None:
    try:
        program = parse(text)
    except ProgramError:
        return
    found = compile_program(program, CATALOG)
    checked(found)
    assert commit_id(compile_program(parse(print_program(program)), CATALOG)) == commit_id(found)
    if found.problems:
        return
    memory = Memory(
        plans=[plan(f"p{n}", state=("failed", "completed")[n % 2]) for n in range(3)],
        runs=[run(f"r{n}", plan_id=f"p{n % 3}", steps=n % 5) for n in range(12)],
        events=[{"id": n, "run_id": f"r{n % 4}", "name": "x"} for n in range(9)],
    )
    result = asyncio.run(evaluate(found, sources(memory), NOW, limits=Limits(calls=20)))
    assert (result.state == "succeeded") is (result.error == "")
    if result.state == "succeeded":
        for returned, node in zip(result.returns, found.returns, strict=True):
            bound = found.bounds[node]
            assert bound is None or len(returned.value.rows) <= bound
            assert not returned.value.one or len(returned.value.rows) <= 1
