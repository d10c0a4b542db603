"""Programs over a large HTTP API on real connections, rate limited and failing one call in ten."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from planloom.planes.programs.catalog import Catalog
from planloom.planes.programs.compile import compile_program
from planloom.planes.programs.declared_backends import HttpBackend
from planloom.planes.programs.evaluate import Result, evaluate
from planloom.planes.programs.parse import parse
from planloom.planes.programs.plan import ProgramPlan
from planloom.planes.programs.sources import Sources
from planloom.tools.http_api import HttpApi
from tests.integration.paged_api import CURSOR_ROW, ROW, PagedApi, paged_api
from tests.unit.programs.catalogs import NOW
from tests.unit.programs.test_evaluate import Kept


class KeptPages(Kept):
    """Keeps pages, and says when there are thirty."""

    def __init__(self) -> None:
        super().__init__()
        self.enough = asyncio.Event()

    async def keep(self, part: str, value: Any) -> None:
        await super().keep(part, value)
        if len(self.parts) == 30:
            self.enough.set()


CATALOG = Catalog([ROW, CURSOR_ROW])
ROWS = 10_000


@pytest.fixture
def api() -> Iterator[PagedApi]:
    with paged_api(ROWS) as serving:
        yield serving


def with_sources(api: PagedApi, work: Callable[[Sources], Awaitable[Any]]) -> tuple[Any, list[float]]:
    """Return what *work* returns with sources over *api*, and the pauses that were asked for."""
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    async def run() -> Any:
        http = HttpApi(api.url, loopback=True)
        try:
            return await work(Sources(CATALOG, {"http:paged": HttpBackend(http)}, sleep=pause))
        finally:
            await http.close()

    return asyncio.run(run()), pauses


def planned(text: str) -> ProgramPlan:
    plan = compile_program(parse(text), CATALOG)
    assert plan.problems == ()
    return plan


@pytest.mark.parametrize("entity", ["Row", "CursorRow"])
def test_ten_thousand_rows_come_once_each(api: PagedApi, entity: str) -> None:
    result, pauses = with_sources(
        api, lambda sources: evaluate(planned(f"{entity}.filter{{id >= 0}}[id]"), sources, NOW)
    )
    assert [row["id"] for row in result.returns[0].value.rows] == list(range(ROWS))
    assert {status for _, status in api.calls} == {200, 429, 500}
    # how long to wait after 429 is the word of the API
    assert set(pauses) == {1.0, 0.5}


def test_the_api_filters_where_it_can(api: PagedApi) -> None:
    text = "Row.filter{kind = odd and id < 1000}.aggregate(count, max(id))"
    result, _ = with_sources(api, lambda sources: evaluate(planned(text), sources, NOW))
    assert result.returns[0].value.rows == [{"count": 500, "max_id": 999}]
    assert all("kind=odd" in path for path, _ in api.calls)


def test_a_cancelled_read_makes_no_further_call_and_says_how_far_it_came(api: PagedApi) -> None:
    plan = planned("Row[id].sort(id)")
    stopped = lambda: len(api.calls) >= 37  # noqa: E731
    result: Result
    result, _ = with_sources(api, lambda sources: evaluate(plan, sources, NOW, stopped=stopped))
    assert result.state == "cancelled"
    assert 2_000 < len(result.partial["n1"]) < ROWS
    assert [row["id"] for row in result.partial["n1"]] == list(range(len(result.partial["n1"])))
    assert len(api.calls) == 37


def test_a_lost_worker_loses_at_most_the_page_that_it_read(api: PagedApi) -> None:
    plan = planned("Row[id].sort(id)")
    kept = KeptPages()

    async def lost(sources: Sources) -> None:
        work = asyncio.create_task(evaluate(plan, sources, NOW, calls=lambda _: kept))
        await kept.enough.wait()
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)

    with_sources(api, lost)
    pages = len(kept.parts)
    api.calls.clear()
    result, _ = with_sources(api, lambda sources: evaluate(plan, sources, NOW, calls=lambda _: kept))
    assert [row["id"] for row in result.returns[0].value.rows] == list(range(ROWS))
    assert sum(status == 200 for _, status in api.calls) == 101 - pages


def test_calls_that_change_something_stop_where_nobody_knows_whether_one_was_made(api: PagedApi) -> None:
    # the third call of ten fails with 500: it may have been carried out
    plan = planned("Row.limit(5).for_each(Row.close(each.id))")
    result, _ = with_sources(api, lambda sources: evaluate(plan, sources, NOW))
    assert (result.state, result.uncertain) == ("failed", True)
    assert len(api.closed) < 5
    assert len(set(api.closed)) == len(api.closed)
