"""What programs come to: rows, calls, pages, failures, and what is left when one is stopped."""

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planloom.planes.programs.compile import compile_program
from planloom.planes.programs.evaluate import Result, evaluate
from planloom.planes.programs.node_values import Limits, NodeProgress, NodeValue
from planloom.planes.programs.parse import parse
from planloom.planes.programs.plan import Fetch, ProgramPlan
from planloom.planes.programs.sources import SourceFailed
from tests.thorough import THOROUGH
from tests.unit.programs.catalogs import CATALOG, NOW, Memory, plan, run, sources


def planned(text: str) -> ProgramPlan:
    found = compile_program(parse(text), CATALOG)
    assert found.problems == ()
    return found


def ran(text: str, memory: Memory, **options: Any) -> Result:
    handles = options.pop("handles", None)
    return asyncio.run(evaluate(planned(text), sources(memory, handles), NOW, **options))


def rows(text: str, memory: Memory, **options: Any) -> list[Any]:
    result = ran(text, memory, **options)
    assert (result.state, result.error) == ("succeeded", "")
    return result.returns[-1].value.rows


def many() -> Memory:
    return Memory(
        plans=[
            plan("p0", title="Bridge", state="failed", steps=30, tags=["a"]),
            plan("p1", title="Café", created_at="2026-03-01", steps=12),
            plan("p2", title="Bakery", created_at="2026-02-01", steps=None, archived=True),
        ],
        runs=[
            run("r0", steps=3),
            run("r1", state="completed", steps=5),
            run("r2", plan_id="p1", steps=8),
            run("r3", plan_id="p1", state="completed", steps=1),
        ],
        events=[{"id": 1, "run_id": "r0", "name": "started"}, {"id": 2, "run_id": "r2", "name": "started"}],
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Plan[title]", [{"title": "Bridge"}, {"title": "Café"}, {"title": "Bakery"}]),
        ("Plan.filter{state = completed}[id]", [{"id": "p1"}, {"id": "p2"}]),
        ("Plan.filter{archived = false and steps > 20}[id]", [{"id": "p0"}]),
        ('Plan.filter{created_at >= "2026-02-01"}[id]', [{"id": "p1"}, {"id": "p2"}]),
        ('Plan.filter{tags contains "a" or title contains "ery"}[id]', [{"id": "p0"}, {"id": "p2"}]),
        ("Plan.filter{lower(title) = bakery or lower(title) contains bri}[id]", [{"id": "p0"}, {"id": "p2"}]),
        ("Plan.filter{created_at > 2026-02-01}[id]", [{"id": "p1"}]),
        ("Plan.filter{created_at >= now-10d}[id]", [{"id": "p1"}]),
        ("Plan.filter{created_at >= today - 1w and created_at < now+1m}[id]", []),
        ("Plan.filter{title < now}[id]", []),
        ("Plan.filter{created_at > 2026-02-28 and created_at < 2026-03-01T02:00:01+02:00}[id]", [{"id": "p1"}]),
        ("Plan.sort(-created_at)[id].limit(2)", [{"id": "p1"}, {"id": "p2"}]),
        ("Plan[id].sort(-created_at).limit(2)", [{"id": "p1"}, {"id": "p2"}]),
        ("Run[id].filter{state = completed}.sort(-steps)", [{"id": "r1"}, {"id": "r3"}]),
        ("Plan.sort(steps)[id]", [{"id": "p1"}, {"id": "p0"}, {"id": "p2"}]),
        ("Plan.sort(-steps)[id]", [{"id": "p0"}, {"id": "p1"}, {"id": "p2"}]),
        ("Plan.sort(state, -title)[id]", [{"id": "p1"}, {"id": "p2"}, {"id": "p0"}]),
        ("Run.count()", [{"count": 4}]),
        (
            "Run.group_by(state).aggregate(count, sum(steps), avg(steps), min(id), max(id))",
            [
                {"state": "failed", "count": 2, "sum_steps": 11, "avg_steps": 5.5, "min_id": "r0", "max_id": "r2"},
                {"state": "completed", "count": 2, "sum_steps": 6, "avg_steps": 3.0, "min_id": "r1", "max_id": "r3"},
            ],
        ),
        ("Plan.aggregate(count(steps), avg(steps))", [{"count_steps": 2, "avg_steps": 21.0}]),
        ("Run.filter{steps > 99}.aggregate(count, max(steps))", [{"count": 0, "max_steps": None}]),
        ("Run[state].distinct()", [{"state": "failed"}, {"state": "completed"}]),
        ("Run.distinct(plan_id)[id]", [{"id": "r0"}, {"id": "r2"}]),
        ('Plan("p1")[title]', [{"title": "Café"}]),
        ('Plan("p1").runs[id]', [{"id": "r2"}, {"id": "r3"}]),
        ("Plan.runs.filter{state = completed}[id]", [{"id": "r1"}, {"id": "r3"}]),
        ('Run("r2").plan[title]', [{"title": "Café"}]),
        ("Run.plan[title]", [{"title": "Bridge"}, {"title": "Café"}]),
        ("Plan.runs.events[id, name]", [{"id": 1, "name": "started"}, {"id": 2, "name": "started"}]),
        ("a = Run.filter{state = failed}; b = Run.filter{steps > 4}; (a union b)[id]", ["r0", "r2", "r1"]),
        ("a = Run.filter{state = failed}; b = Run.filter{steps > 4}; (a intersect b)[id]", ["r2"]),
        ("a = Run.filter{state = failed}; b = Run.filter{steps > 4}; (a minus b)[id]", ["r0"]),
        ('p = Plan("p1"); Run.filter{plan_id = p.id and state = failed}[id]', ["r2"]),
        ("p = Plan.filter{state = failed}; Run.filter{plan_id in p.id}[id]", ["r0", "r1"]),
        ('p = Plan("p1"); Run.filter{plan_id = p}[id]', ["r2", "r3"]),
        ("Run.filter{steps > 4}.limit(1)[id]", ["r1"]),
        ("Run.limit(3).filter{state = completed}[id]", ["r1"]),
        ('Run.log("r1")', [{"value": "log of r1"}]),
        ("Run.limit(2).for_each(Run.log(each.id))", [{"id": k, "result": f"log of {k}"} for k in ("r0", "r1")]),
        ('x = Plan("p0")\nx.export()', [{"url": "p0"}]),
    ],
)
def test_what_a_program_returns(text: str, expected: list[Any]) -> None:
    keyed = [{"id": each} if isinstance(each, str) else each for each in expected]
    assert rows(text, many()) == keyed


def test_every_statement_without_a_name_returns_its_rows() -> None:
    result = ran("x = Run.filter{state = failed}\nx.count()\nPlan[id].limit(1)\nx", many())
    assert [(each.name, each.value.one, len(each.value.rows)) for each in result.returns] == [
        ("", True, 1),
        ("", False, 1),
        ("x", False, 2),
    ]


def test_comparisons_that_the_backend_makes_are_asked_of_it() -> None:
    memory = many()
    rows('p = Plan("p1"); Run.filter{plan_id = p.id and state = failed and steps > 1}[id].limit(1)', memory)
    assert memory.asked[1:] == [("run_list", {"limit": 10, "offset": 0, "plan": "p1", "state": "failed"})]


def test_no_more_rows_are_asked_for_than_are_needed() -> None:
    memory = Memory(runs=[run(f"r{n}") for n in range(40)])
    assert len(rows("Run.filter{state = failed}.limit(13)", memory)) == 13
    assert [asked["limit"] for _, asked in memory.asked] == [10, 3]


def test_ten_thousand_rows_over_a_backend_that_fails_now_and_then_come_once_each() -> None:
    memory = Memory(runs=[run(f"r{n}") for n in range(10_000)], fails_every=10)
    found = rows("Run.filter{steps = 1}[id]", memory)
    assert [row["id"] for row in found] == [f"r{n}" for n in range(10_000)]


def test_a_backend_with_pages_smaller_than_asked_for_is_read_to_its_end() -> None:
    memory = Memory(runs=[run(f"r{n}") for n in range(35)])
    full = memory._run_list
    memory._run_list = lambda **asked: full(**asked | {"limit": 7})  # type: ignore[method-assign]
    assert len(rows("Run[id].sort(id)", memory)) == 35


def test_changes_are_made_in_written_order_and_what_follows_sees_them() -> None:
    memory = many()
    result = ran(
        "Run.filter{state = failed}.count()\n"
        'Run.filter{state = failed}.for_each(Run.stop(each.id, why="late"))\n'
        "Run.filter{state = failed}.count()",
        memory,
    )
    before, stopped, after = (each.value.rows for each in result.returns)
    assert (before, after) == ([{"count": 2}], [{"count": 0}])
    assert stopped == [{"id": k, "result": {"id": k, "why": "late"}} for k in ("r0", "r2")]


class Kept:
    """Keeps parts as a run does."""

    def __init__(self) -> None:
        self.parts: dict[str, Any] = {}
        self.intended: list[str] = []

    async def kept(self, part: str) -> Any | None:
        return self.parts.get(part)

    async def keep(self, part: str, value: Any) -> None:
        self.parts[part] = value

    async def intend(self, part: str) -> None:
        self.intended.append(part)


def test_a_read_goes_on_after_the_pages_that_were_kept() -> None:
    memory = Memory(runs=[run(f"r{n}") for n in range(35)])
    kept = Kept()
    asyncio.run(evaluate(planned("Run[id].sort(id)"), sources(memory), NOW, calls=lambda _: kept))
    del kept.parts["pages/3"], kept.parts["pages/2"]
    memory.asked.clear()
    result = asyncio.run(evaluate(planned("Run[id].sort(id)"), sources(memory), NOW, calls=lambda _: kept))
    assert [asked["offset"] for _, asked in memory.asked] == [20, 30]
    assert result.rows == 35


def test_calls_that_were_made_are_not_made_again_after_a_crash() -> None:
    memory = many()
    memory.failing["run_log r2"] = SourceFailed("gone")
    text = "Run.for_each(Run.log(each.id))"
    kept = Kept()
    limits = Limits(parallel=1)
    first = asyncio.run(evaluate(planned(text), sources(memory), NOW, limits=limits, calls=lambda _: kept))
    assert (first.state, first.error) == ("failed", "Row 3 of 4 failed, 2 were done: gone")
    known = {"n1": first.values["n1"]}
    memory.asked.clear()
    again = asyncio.run(evaluate(planned(text), sources(memory), NOW, limits=limits, known=known, calls=lambda _: kept))
    assert [asked["run_id"] for _, asked in memory.asked] == ["r2", "r3"]
    assert again.rows == 4


def test_a_call_that_must_not_be_repeated_is_announced_and_not_tried_again() -> None:
    memory = many()
    memory.failing["plan_create"] = SourceFailed("The connection broke.", passing=True, uncertain=True)
    kept = Kept()
    result = asyncio.run(evaluate(planned('Plan.create("Ferry")'), sources(memory), NOW, calls=lambda _: kept))
    assert (result.state, result.uncertain, kept.intended, len(memory.asked)) == ("failed", True, [""], 1)


def test_a_call_that_may_be_repeated_is_tried_again() -> None:
    memory = many()
    memory.failing["run_stop r0"] = SourceFailed("The connection broke.", passing=True, uncertain=True)
    assert rows('Run.stop("r0")', memory) == [{"id": "r0", "why": ""}]


def test_a_bare_list_is_one_page_and_the_rest_follows_by_handle() -> None:
    memory = Memory(runs=[run(f"r{n}") for n in range(60)])
    seen: list[Any] = []
    sizes: list[int] = []
    value = ran("Run[id]", memory).returns[0].value
    while True:
        seen += [row["id"] for row in value.rows]
        sizes.append(len(value.rows))
        state = value.next
        if state is None:
            break

        async def handles(_: str, state: Any = state) -> Any:
            return state

        value = ran("page(s0_pg1)", memory, handles=handles).returns[0].value
    assert seen == [f"r{n}" for n in range(60)]
    assert sizes == [25, 25, 10]
    # pages of the backend have ten rows: what it returned beyond 25 was held and not read again
    assert [asked["offset"] for _, asked in memory.asked] == [0, 10, 20, 30, 40, 50, 60]


def test_rows_beyond_a_page_that_a_backend_returned_are_held() -> None:
    memory = many()
    memory.events = [{"id": n, "run_id": "r0", "name": "x"} for n in range(30)]
    first = ran('Run("r0").events[id]', memory).returns[0].value
    assert (len(first.rows), first.next and first.next["rows"]) == (25, [{"id": n} for n in range(25, 30)])


def test_an_unknown_page_is_an_error() -> None:
    result = ran("page(s0_pg9)", many())
    assert (result.state, result.code) == ("failed", "unknown_page_handle")


def test_a_row_that_is_not_there_is_an_error() -> None:
    result = ran('x = Plan("p9")\nRun.count()', many())
    assert (result.state, result.code, result.error) == ("failed", "not_found", "Nothing has the id p9.")


def test_a_node_with_too_many_rows_or_calls_is_refused_with_what_to_do() -> None:
    memory = Memory(runs=[run(f"r{n}") for n in range(40)])
    limits = Limits(rows=20, calls=5)
    assert ran("Run[id].sort(id)", memory, limits=limits).code == "too_many_rows"
    result = ran("Run.limit(8).for_each(Run.stop(each.id))", memory, limits=limits)
    assert (result.code, sum(each["state"] == "stopped" for each in memory.runs)) == ("too_many_calls", 0)
    assert ".limit(5)" in result.error


def test_progress_counts_steps_from_one_and_rows_as_they_come() -> None:
    memory = Memory(runs=[run(f"r{n}") for n in range(25)])
    seen: list[NodeProgress] = []
    ran("Run.count()", memory, on_progress=seen.append)
    assert [(each.step, each.steps, each.label, each.rows, each.ended) for each in seen] == [
        (1, 2, "read Run", 0, False),
        (1, 2, "read Run", 10, False),
        (1, 2, "read Run", 20, False),
        (1, 2, "read Run", 25, False),
        (1, 2, "read Run", 25, True),
        (2, 2, "aggregate", 0, False),
        (2, 2, "aggregate", 1, True),
    ]


def test_a_stopped_evaluation_ends_between_pages_and_keeps_what_was_read() -> None:
    memory = Memory(runs=[run(f"r{n}") for n in range(40)])
    result = ran("Run[id].sort(id)", memory, stopped=lambda: len(memory.asked) == 2)
    assert (result.state, len(result.partial["n1"]), len(memory.asked)) == ("cancelled", 20, 2)


def test_a_stopped_for_each_makes_no_further_call() -> None:
    memory = many()
    stop = lambda: any(each["state"] == "stopped" for each in memory.runs)  # noqa: E731
    result = ran("Run.for_each(Run.stop(each.id))", memory, stopped=stop, limits=Limits(parallel=1))
    assert (result.state, [row["id"] for row in result.partial["n2"]]) == ("cancelled", ["r0"])
    assert [each["state"] for each in memory.runs].count("stopped") == 1


STEPS = st.sampled_from(
    [
        ".filter{state = failed}",
        ".filter{steps > 4}",
        ".filter{plan_id = p.id}",
        ".filter{plan_id in q.id and not steps = 5}",
        '.filter{state in [failed, completed] or id contains "3"}',
        "[id, plan_id, state, steps]",
        ".sort(-steps, id)",
        ".limit(7)",
        ".limit(2)",
        ".distinct(plan_id, state)",
    ]
)
STARTS = st.sampled_from(["Run", "p.runs", "q.runs", "Plan.runs", "(r minus Run.limit(3))"])
CHAINS = st.tuples(STARTS, st.lists(STEPS, min_size=1, max_size=5)).map(lambda each: each[0] + "".join(each[1]))


@settings(max_examples=1_000 if THOROUGH else 60)
@given(st.lists(CHAINS, min_size=1, max_size=3))
def test_reading_no_more_than_needed_gives_the_rows_that_reading_all_would(chains: list[str]) -> None:
    states = ("failed", "completed", "stopped")
    memory = Memory(
        plans=[plan(f"p{n}", state=states[n % 2]) for n in range(4)],
        runs=[run(f"r{n}", plan_id=f"p{n * 7 % 4}", steps=n * 5 % 9, state=states[n % 3]) for n in range(33)],
    )
    text = 'p = Plan("p1")\nq = Plan.filter{state = completed}\nr = Run.sort(id)\n'
    found = planned(text + "\n".join(f"{chain}.sort(id).distinct()" for chain in chains))
    whole = found.model_copy(update={"fetches": dict.fromkeys(found.fetches, Fetch())})
    results = [asyncio.run(evaluate(each, sources(memory), NOW)) for each in (found, whole)]
    assert [each.state for each in results] == ["succeeded", "succeeded"]
    narrow, wide = ([each.value.rows for each in result.returns] for result in results)
    assert narrow == wide


def test_values_survive_as_json() -> None:
    value = ran("Run", many()).returns[0].value
    assert NodeValue.model_validate_json(value.model_dump_json()) == value
