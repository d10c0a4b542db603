"""Execute one node of a plan from the values of the nodes before it: each one is a step of a run."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from planloom.core.times import RelativeTimes
from planloom.planes.programs import rows as operations
from planloom.planes.programs.conditions import TIMES
from planloom.planes.programs.node_values import (
    Limits,
    NodeCalls,
    NodeFailed,
    NodeProgress,
    NodeValue,
    NothingKept,
    Stopped,
    as_row,
    filled,
    first_of,
    on_rows,
)
from planloom.planes.programs.plan import PAGE_ROWS, Fetch, PlanNode, ProgramPlan, Pushed
from planloom.planes.programs.rows import columns, value_in
from planloom.planes.programs.sources import Row, SourceFailed, Sources


@dataclass
class Evaluation:
    """One evaluation of *plan*; ``partial`` has the rows read so far. Times in it are relative to ``now``.

    ``stopped`` is asked between pages and calls; cancel the task where a call, or the pause after a failed one, must
    end at once.
    """

    plan: ProgramPlan
    sources: Sources
    now: datetime
    limits: Limits = field(default_factory=Limits)
    on_progress: Callable[[NodeProgress], None] = lambda _: None
    stopped: Callable[[], bool] = lambda: False
    partial: dict[str, list[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._steps = {node: number for number, node in enumerate(self.plan.topological_order, 1)}
        self._times = RelativeTimes(self.now)
        self._absorbed = {node for fetch in self.plan.fetches.values() for node in fetch.absorbed}

    async def execute(self, node_id: str, values: Mapping[str, NodeValue], calls: NodeCalls | None = None) -> NodeValue:
        """Return what a node comes to, from the values of the nodes that it needs (``plan.graph.needs``).

        Raises NodeFailed, Stopped.
        """
        node = self.plan.by_id[node_id]
        self._check_stopped()
        self.report(node_id, 0)
        try:
            value = await self._execute(node, values, calls or NothingKept())
        except SourceFailed as error:
            raise NodeFailed(str(error), error.code, error.uncertain) from error
        if len(value.rows) > self.limits.rows:
            raise self._too_many(node)
        self.report(node_id, len(value.rows), ended=True)
        return value

    def report(self, node: str, rows: int, ended: bool = False) -> None:
        """Report how far a node is."""
        label = self.plan.labels.get(node, node)
        self.on_progress(NodeProgress(self._steps[node], len(self._steps), label, rows, node, ended))

    async def _execute(self, node: PlanNode, values: Mapping[str, NodeValue], calls: NodeCalls) -> NodeValue:
        inputs = [values[each] for each in node.inputs]
        if node.id in self._absorbed:
            return inputs[0]
        match node.op:
            case "read":
                return await self._read(node, values, calls)
            case "get":
                key = first_of(filled(node.args["id"], inputs, None, self._times))
                return NodeValue(rows=[await self.sources.get(node.args["entity"], key)], one=True)
            case "page":
                return await self._page(node, calls)
            case "related":
                return await self._related(node, inputs[0], values, calls)
            case "call":
                return await self._call(node, inputs, calls)
            case "for_each":
                return await self._for_each(node, inputs, calls)
            case _:
                return on_rows(node, inputs, self._times)

    # lists

    async def _read(self, node: PlanNode, values: Mapping[str, NodeValue], calls: NodeCalls) -> NodeValue:
        fetch = self.plan.fetches[node.id]
        return await self._list(node, fetch, values, {}, "pages", calls)

    async def _list(
        self,
        node: PlanNode,
        fetch: Fetch,
        values: Mapping[str, NodeValue],
        given: Mapping[str, Any],
        part: str,
        calls: NodeCalls,
    ) -> NodeValue:
        """Return the rows of a list, page by page; *given* are values by field that all rows have."""
        entity: str = node.args["entity"]
        equal = self._equal(entity, given) | {each.parameter: self._pushed(each, values) for each in fetch.pushed}
        here = {name: value for name, value in given.items() if name not in self._filters(entity)}
        keep = _Keep(fetch, values, here, self._times)
        found, cursor = await self._rows(node, entity, equal, keep, part, calls)
        if not fetch.page:
            return NodeValue(rows=found[: fetch.rows])
        more = {"entity": entity, "equal": equal, "cursor": cursor, "fields": fetch.fields, "given": here}
        return _first_page(found, more)

    async def _rows(
        self,
        node: PlanNode,
        entity: str,
        equal: Mapping[str, Any],
        keep: "_Keep",
        part: str,
        calls: NodeCalls,
        held: list[Row] | None = None,
        cursor: dict[str, Any] | None = None,
    ) -> tuple[list[Row], dict[str, Any] | None]:
        """Return rows until there are enough, after those that are *held*, and where the next ones begin."""
        found = list(held or ())
        number = 0
        while (held is None and number == 0) or (cursor is not None and not keep.enough(len(found))):
            self._check_stopped()
            rows, cursor = await self._one_page(f"{part}/{number}", entity, equal, cursor, keep, len(found), calls)
            found += rows
            number += 1
            self._seen(node, rows)
            if len(found) > self.limits.rows:
                raise self._too_many(node)
        return found, cursor

    async def _one_page(
        self,
        part: str,
        entity: str,
        equal: Mapping[str, Any],
        cursor: dict[str, Any] | None,
        keep: "_Keep",
        before: int,
        calls: NodeCalls,
    ) -> tuple[list[Row], dict[str, Any] | None]:
        known = await calls.kept(part)
        if known is None:
            page = await self.sources.page(entity, equal, cursor, keep.size(before))
            known = {"rows": keep.of(page.rows), "next": page.next}
            await calls.keep(part, known)
        return known["rows"], known["next"]

    def _pushed(self, pushed: Pushed, values: Mapping[str, NodeValue]) -> Any:
        if pushed.relative:
            return self._times[pushed.relative]
        if not pushed.node:
            return pushed.value
        rows = values[pushed.node].rows
        return value_in(rows[0], pushed.path) if rows else None

    def _equal(self, entity: str, given: Mapping[str, Any]) -> dict[str, Any]:
        filters = self._filters(entity)
        return {filters[name]: value for name, value in given.items() if name in filters}

    def _filters(self, entity: str) -> Mapping[str, str]:
        found = self.sources.catalog.get(entity)
        return found.list.filters if found and found.list else {}

    def _seen(self, node: PlanNode, rows: Sequence[Any]) -> None:
        seen = self.partial.setdefault(node.id, [])
        seen += rows
        self.report(node.id, len(seen))

    async def _page(self, node: PlanNode, calls: NodeCalls) -> NodeValue:
        """Return the rows that follow a page: those that are held first, then those of the backend."""
        handle = node.args["handle"]
        state = await self.sources.handles(handle) if self.sources.handles else None
        if state is None:
            raise NodeFailed(f"There is no page {handle}. Run the program that showed it again.", "unknown_page_handle")
        fields = tuple(state["fields"]) if state["fields"] else None
        keep = _Keep(Fetch(page=True, fields=fields), {}, state["given"], self._times)
        found, cursor = await self._rows(
            node, state["entity"], state["equal"], keep, "pages", calls, state["rows"], state["cursor"]
        )
        return _first_page(found, {**state, "cursor": cursor})

    # relations

    async def _related(
        self, node: PlanNode, of: NodeValue, values: Mapping[str, NodeValue], calls: NodeCalls
    ) -> NodeValue:
        name, by = node.args["field"], node.args["by"]
        keys = [key for key in dict.fromkeys(value_in(row, name) for row in of.rows) if key is not None]
        if not by:
            found = await self._each(keys, lambda number, key: self._target(node, key, f"items/{number}", calls))
            return NodeValue(rows=[row for row in found if row is not None], one=of.one)
        fetch = self.plan.fetches[node.id]
        if of.one and not keys:
            return NodeValue()
        if of.one:
            return await self._list(node, fetch, values, {by: keys[0]}, "pages", calls)
        lists = await self._each(
            keys, lambda number, key: self._list(node, fetch, values, {by: key}, f"items/{number}", calls)
        )
        return NodeValue(rows=[row for each in lists for row in each.rows][: fetch.rows])

    async def _target(self, node: PlanNode, key: Any, part: str, calls: NodeCalls) -> Row | None:
        known = await calls.kept(part)
        if known is None:
            try:
                known = {"row": await self.sources.get(node.args["entity"], key)}
            except SourceFailed as error:
                if not error.code.lower().endswith("not_found"):
                    raise
                known = {"row": None}
            await calls.keep(part, known)
            self._seen(node, [known["row"]])
        row: Row | None = known["row"]
        return row

    async def _each(self, items: Sequence[Any], work: Callable[[int, Any], Awaitable[Any]]) -> list[Any]:
        """Return what *work* makes of each item, in order; so many at once as the limits say, none after a failure."""
        results: list[Any] = [None] * len(items)
        numbers = iter(range(len(items)))
        failed: list[BaseException] = []

        async def worker() -> None:
            for number in numbers:
                if failed:
                    return
                try:
                    self._check_stopped()
                    results[number] = await work(number, items[number])
                except Exception as error:
                    failed.append(error)

        await asyncio.gather(*(worker() for _ in range(min(self.limits.parallel, len(items)))))
        if failed:
            raise failed[0]
        return results

    # calls

    async def _call(self, node: PlanNode, inputs: Sequence[NodeValue], calls: NodeCalls) -> NodeValue:
        arguments = filled(node.args.get("arguments", {}), inputs, None, self._times)
        return NodeValue(rows=[as_row(await self._called(node, arguments, "", calls))], one=True)

    async def _for_each(self, node: PlanNode, inputs: Sequence[NodeValue], calls: NodeCalls) -> NodeValue:
        rows = inputs[0].rows
        if len(rows) > self.limits.calls:
            said = f"{self.plan.labels[node.id]} has {len(rows):,} rows; at most {self.limits.calls:,} calls are made."
            raise NodeFailed(f"{said} Filter them, or add .limit({self.limits.calls}).", "too_many_calls")
        done = 0

        async def one(number: int, row: Any) -> Row:
            nonlocal done
            arguments = filled(node.args.get("arguments", {}), inputs, row, self._times)
            try:
                result = await self._called(node, arguments, f"items/{number}", calls)
            except (NodeFailed, SourceFailed) as error:
                uncertain = error.uncertain
                said = f"Row {number + 1} of {len(rows)} failed, {done} were done: {error}"
                raise NodeFailed(said, error.code, uncertain) from error
            done += 1
            result_row = {"id": value_in(row, node.args["key"]), "result": result}
            self._seen(node, [result_row])
            return result_row

        return NodeValue(rows=await self._each(rows, one))

    async def _called(self, node: PlanNode, arguments: Mapping[str, Any], part: str, calls: NodeCalls) -> Any:
        known = await calls.kept(part) if part else None
        if known is not None:
            return known["result"]
        entity, name = node.args["entity"], node.args["capability"]
        if not self.sources.repeatable(entity, name):
            await calls.intend(part)
        result = await self.sources.call(entity, name, arguments)
        if part:
            await calls.keep(part, {"result": result})
        return result

    def _check_stopped(self) -> None:
        if self.stopped():
            raise Stopped

    def _too_many(self, node: PlanNode) -> NodeFailed:
        said = f"{self.plan.labels[node.id]} has more than {self.limits.rows:,} rows. Filter them, or add .limit(n)."
        return NodeFailed(said, "too_many_rows")


class _Keep:
    """Which rows of a list are kept, and which of their fields."""

    def __init__(
        self, fetch: Fetch, values: Mapping[str, NodeValue], given: Mapping[str, Any], times: Mapping[str, str]
    ) -> None:
        self._fetch = fetch
        self._given = given
        self._others: dict[str, Any] = {
            f"_{node}": columns(values[node].rows, values[node].one) for node in fetch.needs
        }
        self._others[TIMES] = times

    def of(self, rows: Sequence[Row]) -> list[Row]:
        """Return those of *rows* that are kept, with the fields that are asked for."""
        found = [row for row in rows if all(row.get(name) == value for name, value in self._given.items())]
        for where in self._fetch.where:
            found = operations.matching(found, where, self._others)
        return found if self._fetch.fields is None else operations.projected(found, self._fetch.fields)

    def size(self, before: int) -> int:
        """Return how many rows to ask for where there are *before*: no more than are needed."""
        if self._fetch.page:
            return PAGE_ROWS
        if self._fetch.rows is None or not self._fetch.complete:
            return 1_000
        return self._fetch.rows - before

    def enough(self, rows: int) -> bool:
        """Return whether so many rows are all that are needed."""
        most = PAGE_ROWS if self._fetch.page else self._fetch.rows
        return most is not None and rows >= most


def _first_page(rows: list[Row], more: dict[str, Any]) -> NodeValue:
    """Return the usual number of *rows*; those that a backend returned beyond it are held for the next page."""
    state = {**more, "rows": rows[PAGE_ROWS:]}
    return NodeValue(rows=rows[:PAGE_ROWS], next=state if state["rows"] or state["cursor"] else None)
