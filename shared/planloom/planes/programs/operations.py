"""Operations of sessions: runs with handles, their lines, their results, and how many there may be."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.planes.programs.catalog import Catalog
from planloom.planes.programs.entity_operations import EntityOperations
from planloom.planes.programs.errors import ResultUnavailable, TooManyOperations, UnknownOperation
from planloom.planes.programs.evaluate import Returned
from planloom.planes.programs.job import PLANE, ProgramWork, used_entities
from planloom.planes.programs.lines import Line, OperationProgress
from planloom.planes.programs.node_values import NodeValue
from planloom.planes.programs.plan import ProgramPlan, Verdict
from planloom.planes.programs.ports import Operation, ProgramCaller, Session, SessionStore
from planloom.planes.programs.render import is_aggregate, render, rows_shown
from planloom.planes.programs.rows import value_in
from planloom.planes.programs.sessions import number_of
from planloom.runs.control import Runs
from planloom.runs.errors import RunNotFound
from planloom.runs.records import ENDED, Run, RunState, RunWork, StepRecord, Unit, as_json, from_json

#: Live operations of a session, and ended ones that are kept.
MOST_LIVE, MOST_ENDED = 16, 32
#: Handles that an error names at most.
MOST_NAMED = 8
#: An operation whose run is not there yet counts as live for so long: its caller may be about to start it.
STARTING = timedelta(seconds=60)
LONGEST_PROGRAM = 500
#: Bytes of JSON that a response holds at most; what is larger is read by a link. A Lambda returns 6 MB at most, where a
#: quotation mark in a resource of MCP takes four bytes.
LARGEST_RESPONSE = 1_000_000


class ReturnedRows(Frozen):
    """The rows that are shown of something that a program returns; ``total`` is how many it has.

    ``rows`` is empty where they are too large for a response; the resource of the result has them.
    """

    name: str = ""
    rows: list[Any] = Field(default_factory=list)
    total: int = 0
    page: str = Field(default="", description="Handle of the rows that follow")


class Started(Frozen):
    """An operation that a call of a program started."""

    entity: str
    id: str
    handle: str


class Rendered(Frozen):
    """A result as callers see it."""

    markdown: str
    started: tuple[Started, ...] = ()
    results: tuple[ReturnedRows, ...] = ()
    rows: int = 0
    resource: str = ""


@dataclass(frozen=True)
class Operations:
    """The operations of all accounts; every method takes a session, which names the account."""

    store: SessionStore
    runs: Runs
    rows: EntityOperations
    most_live: int = MOST_LIVE
    most_ended: int = MOST_ENDED

    def accept(
        self,
        session: Session,
        caller: ProgramCaller,
        plan: ProgramPlan,
        program: str,
        *,
        catalog: Catalog,
        pages: Mapping[str, dict[str, Any]],
        commit: str = "",
        verdict: Verdict = "ok",
        ended: Mapping[str, NodeValue] | None = None,
    ) -> Operation:
        """Start a run of *plan* and return its operation; nodes in *ended* have these values and are not executed.

        Raises TooManyOperations, TooManyRuns.
        """
        now = self.runs.now()
        first = plan.topological_order[0] if plan.topological_order else ""
        number = self.store.next(session.account, session.name, "operations")
        operation = Operation(
            session=session.name,
            number=number,
            handle=f"{session.slot}_o{number}",
            run_id=self.runs.new_id(),
            program=program[:LONGEST_PROGRAM],
            commit=commit,
            verdict=verdict,
            created_at=now,
            progress=OperationProgress(step=1, steps=len(plan.topological_order), label=plan.labels.get(first, first)),
        )
        self.store.put_operation(session.account, operation)
        if not self._add_live(session, number):
            self.store.delete_operation(session.account, session.name, number)
            raise self._too_many(session)
        work = ProgramWork(
            plan=plan,
            entities=used_entities(plan, catalog, pages.values()),
            pages=dict(pages),
            session=session.name,
            number=number,
            base_url=caller.base_url,
        )
        try:
            self._start(session.account, operation, work, len(plan.nodes), ended or {}, now)
        except Exception:
            self.store.end_live(session.account, session.name, [number])
            self.store.delete_operation(session.account, session.name, number)
            raise
        self._drop_old(session)
        return operation

    def _start(
        self,
        account: str,
        operation: Operation,
        work: ProgramWork,
        steps: int,
        ended: Mapping[str, NodeValue],
        now: datetime,
    ) -> None:
        records = tuple(
            StepRecord(
                step=node,
                number=1,
                attempt=1,
                state="completed",
                value=as_json(value.model_dump(mode="json")),
                started_at=now,
                ended_at=now,
            )
            for node, value in ended.items()
        )
        run = Run(
            run_id=operation.run_id,
            plane=PLANE,
            account=account,
            subject=operation.handle,
            title=operation.program.splitlines()[0][:120],
            work="000001",
            created_at=now,
            steps=steps,
        )
        self.runs.start(run, RunWork(document=work.model_dump(mode="json"), decided=records))

    def attach(self, session: Session, run: Run, program: str, entity: str = "") -> Operation | None:
        """Return an operation of the session that is *run*, or a row of *entity*; None where there is no space."""
        for known in self.store.operations(session.account, session.name):
            if known.run_id == run.run_id and (known.own or known.entity == entity):
                return known
        number = self.store.next(session.account, session.name, "operations")
        operation = Operation(
            session=session.name,
            number=number,
            handle=f"{session.slot}_o{number}",
            run_id=run.run_id,
            program=program[:LONGEST_PROGRAM],
            own=False,
            entity=entity,
            created_at=self.runs.now(),
        )
        self.store.put_operation(session.account, operation)
        if not self._add_live(session, number):
            self.store.delete_operation(session.account, session.name, number)
            return None
        return operation

    def get(self, session: Session, handle: str) -> tuple[Operation, Run]:
        """Return an operation and its run. Raises InvalidHandle, UnknownOperation, ResultUnavailable."""
        number = number_of(session, handle, "o")
        operation = self.store.operation(session.account, session.name, number)
        if operation is None:
            raise self._unknown(session, handle, number)
        return operation, self._run(session, operation)

    def poll(self, session: Session, handle: str) -> tuple[Operation, Run, Line]:
        """Return the next line about an operation: ``~`` where its progress changed since the last one, else ``=``.

        Raises as :meth:`get` does.
        """
        number = number_of(session, handle, "o")
        operation = self.store.next_line(session.account, session.name, number)
        if operation is None:
            raise self._unknown(session, handle, number)
        run = self._run(session, operation)
        if not operation.own and run.state not in ENDED:
            operation = self._with_run_progress(session, operation, run)
        return operation, run, self.line(operation, run)

    def line(self, operation: Operation, run: Run) -> Line:
        """Return how an operation is now as a line."""
        known: dict[str, Any] = {"handle": operation.handle, "n": operation.n, "progress": operation.progress}
        if run.state in (RunState.FAILED, RunState.BLOCKED):
            message = run.failure.message if run.failure else "It failed."
            return Line(sign="?", message=message, **known)
        if run.state is RunState.COMPLETED:
            return Line(sign="!", **known)
        if run.state is RunState.STOPPED or self._stopping(run):
            return Line(sign="x", **known)
        return Line(sign="~" if operation.changes > operation.polled else "=", **known)

    def cancel(self, session: Session, handle: str) -> tuple[Operation, Run]:
        """Ask an operation to end; one that has ended stays as it is. Return it and its run as they are then."""
        operation, run = self.get(session, handle)
        if not operation.entity:
            run = self.runs.stop(session.account, operation.run_id)
        elif run.state not in ENDED:
            self.rows.stop(session.account, operation.entity, operation.run_id)
            run = self._run(session, operation)
        if run.state in ENDED:
            self.store.end_live(session.account, session.name, [operation.number])
        operation = self.store.next_line(session.account, session.name, operation.number) or operation
        return operation, run

    def result(self, session: Session, operation: Operation) -> Rendered:
        """Return the result of an operation that completed; it is rendered once."""
        account = session.account
        key = operation.result
        if not key:
            made = self._rendered(session, operation)
            key = self.keep(session, made.model_dump(mode="json"))
            key = self.store.keep_result(account, session.name, operation.number, key)
            self.store.end_live(account, session.name, [operation.number])
        return Rendered.model_validate(self.kept(session, key))

    def _rendered(self, session: Session, operation: Operation) -> Rendered:
        resource = f"plasm://{session.name}/operations/{operation.handle}"
        if operation.entity:
            said = f'It completed: `{operation.entity}("{operation.run_id}")`'
            return Rendered(markdown=said, resource=resource)
        if not operation.own:
            said = f'The run `{operation.run_id}` completed: `RunStep.filter{{run_id = "{operation.run_id}"}}`'
            return Rendered(markdown=said, resource=resource)
        work = self._work(session.account, operation.run_id)
        values = self._values(session.account, operation.run_id)
        returned = [
            Returned(node=node, name=work.plan.names.get(node, ""), value=values[node]) for node in work.plan.returns
        ]
        return self.rendered(session, work.plan, returned, operation.program, resource)

    def rendered(
        self, session: Session, plan: ProgramPlan, returned: Sequence[Returned], program: str, resource: str = ""
    ) -> Rendered:
        """Return what a program returned as callers see it, with handles of the pages that follow.

        Where something is left out and *resource* is empty, everything is kept as a resource.
        """
        pages = self._pages(session, plan, returned)
        shown: list[ReturnedRows] = []
        for place, each in enumerate(returned):
            rows = each.value.rows[: rows_shown(plan, each.node)]
            fit = _fits(as_json([*(earlier.rows for earlier in shown), rows]))
            total, page = len(each.value.rows), pages.get(place, "")
            shown.append(ReturnedRows(name=each.name, rows=rows if fit else [], total=total, page=page))
        markdown, cut = render(plan, returned, pages)
        if cut and not resource:
            whole = {"returns": [{"name": each.name, "rows": each.value.rows} for each in returned]}
            resource = f"plasm://{session.name}/results/{self.keep(session, whole)}"
        if cut:
            markdown += f"\n\nEverything: resource `{resource}`"
        started = [self._started(session, entity, key, program) for entity, key in _started_by(plan, returned)]
        known = tuple(each for each in started if each)
        if known:
            lines = [f"{each.entity} `{each.id}`: `wait({each.handle})`, `cancel({each.handle})`" for each in known]
            markdown += "\n\n" + "\n".join(lines)
        return Rendered(
            markdown=markdown,
            started=known,
            results=tuple(shown),
            rows=sum(each.total for each in shown),
            resource=resource if cut else "",
        )

    def _started(self, session: Session, entity: str, key: str, program: str) -> Started | None:
        """Return an operation that a call started, which has a handle then; None where there is no space for it."""
        run = self.rows.get(session.account, entity, key)
        operation = self.attach(session, run, program, entity) if run else None
        return Started(entity=entity, id=key, handle=operation.handle) if operation else None

    def addressed(self, session: Session, key: str) -> Operation:
        """Return an operation of the session that is the run, plan or other operation with the id *key*.

        Raises UnknownOperation, TooManyOperations.
        """
        found = self.rows.find(session.account, key)
        if found is None:
            raise UnknownOperation(f"Nothing that runs has the id {key[:100]}.", open=[], total=0)
        operation = self.attach(session, found[1], f'wait("{key}")', found[0])
        if operation is None:
            raise self._too_many(session)
        return operation

    def snapshot(self, session: Session, handle: str) -> dict[str, Any]:
        """Return what an operation came to so far: of each node its rows, and whether these are all.

        Where that is more than LARGEST_RESPONSE, ``nodes`` is None, and it is read from ``url``.
        """
        operation, run = self.get(session, handle)
        found: dict[str, Any] = {
            "handle": operation.handle,
            "program": operation.program,
            "state": run.state.value,
            "run_id": run.run_id,
            "failure": run.failure.message if run.failure else None,
            "nodes": self._nodes(session.account, operation) if operation.own else [],
            "url": None,
        }
        if _fits(text := as_json(found)):
            return found
        # a value of the run: it is deleted with it
        key = self.runs.files.put_value(operation.run_id, text)
        return {**found, "nodes": None, "url": self.runs.files.value_link(operation.run_id, key)}

    def _nodes(self, account: str, operation: Operation) -> list[dict[str, Any]]:
        """Return the nodes of an operation that have rows, whole."""
        found = []
        work = self._work(account, operation.run_id)
        records = self.runs.records(account, operation.run_id)
        values = self._values(account, operation.run_id, records)
        for node in work.plan.topological_order:
            whole = node in values
            rows = values[node].rows if whole else self._partial(account, operation.run_id, node, records)
            if whole or rows:
                label = {"node": node, "label": work.plan.labels.get(node, node), "name": work.plan.names.get(node, "")}
                returned = node in work.plan.returns
                found.append({**label, "returned": returned, "complete": whole, "rows": rows})
        return found

    def reached(self, session: Session, operation: Operation) -> str:
        """Return in words how far an operation came that ended early."""
        progress = operation.progress
        if not progress.steps:
            return ""
        rows = f", {progress.rows:,} rows of it" if progress.rows else ""
        return (
            f"It came to step {progress.step} of {progress.steps} ({progress.label}{rows}). What was done stays; "
            f"what was read: resource `plasm://{session.name}/operations/{operation.handle}`"
        )

    # values of a session: pages and results, kept as those of a run are

    def keep(self, session: Session, value: Any) -> str:
        """Keep a value of the session and return its key."""
        return self.runs.files.put_value(_values_of(session), as_json(value))

    def kept(self, session: Session, key: str) -> Any:
        """Return a value of the session. Raises ResultUnavailable."""
        try:
            if not re.fullmatch(r"[\w-]{1,80}", key):
                raise FileNotFoundError(key)
            return from_json(self.runs.files.value(_values_of(session), key))
        except FileNotFoundError:
            raise self._no_result() from None

    def whole(self, session: Session, key: str) -> dict[str, Any]:
        """Return everything that a program returned, by the key of its resource. Raises ResultUnavailable.

        Where that is more than LARGEST_RESPONSE, ``returns`` is None, and it is read from ``url``.
        """
        found = self.kept(session, key)
        if not isinstance(found, dict) or "returns" not in found:
            raise self._no_result()
        if _fits(as_json(found)):
            return {**found, "url": None}
        return {"returns": None, "url": self.runs.files.value_link(_values_of(session), key)}

    def page(self, session: Session, handle: str) -> dict[str, Any] | None:
        """Return what follows a page; None where the session has no such page. Raises InvalidHandle."""
        number_of(session, handle, "pg")
        key = self.store.page(session.account, session.name, handle)
        return self.kept(session, key) if key else None

    def _pages(self, session: Session, plan: ProgramPlan, returned: Sequence[Returned]) -> dict[int, str]:
        """Store what follows each thing that is returned, and return its handle by its place."""
        found = {}
        for place, each in enumerate(returned):
            more = None if is_aggregate(plan, each.node) else following(each.value, rows_shown(plan, each.node))
            if more:
                handle = f"{session.slot}_pg{self.store.next(session.account, session.name, 'pages')}"
                key = self.keep(session, more)
                self.store.put_page(session.account, session.name, handle, key, self.runs.now())
                found[place] = handle
        return found

    def _run(self, session: Session, operation: Operation) -> Run:
        if operation.entity:
            row = self.rows.get(session.account, operation.entity, operation.run_id)
            if row is None:
                raise self._unavailable(operation.handle)
            return row
        try:
            return self.runs.get(session.account, operation.run_id)
        except RunNotFound:
            raise self._unavailable(operation.handle) from None

    def _unknown(self, session: Session, handle: str, number: int) -> UnknownOperation | ResultUnavailable:
        if number <= self.store.last(session.account, session.name, "operations"):
            return self._unavailable(handle)
        handles = self._open(session)
        known = ", ".join(handles[:MOST_NAMED]) or "none"
        return UnknownOperation(
            f"There is no operation {handle}. Open ones: {known}.", open=handles[:MOST_NAMED], total=len(handles)
        )

    def _unavailable(self, handle: str) -> ResultUnavailable:
        return ResultUnavailable(
            f"The result of {handle} is not kept any more: a session keeps the last {self.most_ended} that ended. Run "
            "the program again."
        )

    def _no_result(self) -> ResultUnavailable:
        return ResultUnavailable("There is no such result in this session. Run the program again.")

    def _open(self, session: Session) -> list[str]:
        self._count_live(session)
        return [f"{session.slot}_o{number}" for number in sorted(self.store.live(session.account, session.name))]

    def _too_many(self, session: Session) -> TooManyOperations:
        handles = self._open(session)
        return TooManyOperations(
            f"too_many_operations ({len(handles)}/{self.most_live}): {', '.join(handles)}. Wait for one or cancel one.",
            open=handles,
        )

    def _add_live(self, session: Session, number: int) -> bool:
        if self.store.add_live(session.account, session.name, number, self.most_live):
            return True
        self._count_live(session)
        return self.store.add_live(session.account, session.name, number, self.most_live)

    def _count_live(self, session: Session) -> None:
        """Count those that ended as live no more."""
        account = session.account
        known = {each.number: each for each in self.store.operations(account, session.name)}
        live = self.store.live(account, session.name)
        ended = [number for number in live if not self._is_live(account, known.get(number))]
        self.store.end_live(account, session.name, ended)

    def _is_live(self, account: str, operation: Operation | None) -> bool:
        if operation is None:
            return False
        if operation.entity:
            row = self.rows.get(account, operation.entity, operation.run_id)
            return row is not None and row.state not in ENDED
        run = self.runs.store.get(operation.run_id)
        if run is None:
            return operation.created_at + STARTING > self.runs.now()
        return run.state not in ENDED

    def _drop_old(self, session: Session) -> None:
        """Delete the oldest ended operations beyond those that are kept, with their runs where they are programs."""
        account = session.account
        known = self.store.operations(account, session.name)
        if len(known) <= self.most_ended:
            return
        self._count_live(session)
        live = self.store.live(account, session.name)
        ended = [each for each in known if each.number not in live]
        for operation in ended[: max(0, len(ended) - self.most_ended)]:
            self.store.delete_operation(account, session.name, operation.number)
            if operation.own and self.runs.store.get(operation.run_id):
                self.runs.delete(account, operation.run_id)

    def _stopping(self, run: Run) -> bool:
        # a row of an entity says itself when it has ended
        control = self.runs.store.control(run.run_id)
        return control is not None and control.stop

    def _with_run_progress(self, session: Session, operation: Operation, run: Run) -> Operation:
        """Return an operation of another plane with the progress of its run."""
        step = min(run.progress.ended + 1, run.steps)
        label = run.progress.running[0] if run.progress.running else ""
        progress = OperationProgress(step=step, steps=run.steps, label=label[:60])
        if progress == operation.progress:
            return operation
        self.store.report(session.account, session.name, operation.number, progress)
        # counted once more, so that the next line knows that this change was shown
        return self.store.next_line(session.account, session.name, operation.number) or operation

    def _work(self, account: str, run_id: str) -> ProgramWork:
        run = self.runs.get(account, run_id)
        return ProgramWork.model_validate(self.runs.files.work(run_id, run.work).document)

    def _values(
        self, account: str, run_id: str, records: Mapping[Unit, StepRecord] | None = None
    ) -> dict[str, NodeValue]:
        """Return the values of all nodes that ended."""
        records = self.runs.records(account, run_id, parts=False) if records is None else records
        return {
            unit.step: NodeValue.model_validate(self._value(account, run_id, record))
            for unit, record in records.items()
            if not unit.part and record.state == "completed"
        }

    def _partial(self, account: str, run_id: str, node: str, records: Mapping[Unit, StepRecord]) -> list[Any]:
        """Return the rows of the pages and calls of a node that has not ended."""
        parts = [
            (unit, record)
            for unit, record in records.items()
            if unit.step == node and unit.part and record.state == "completed"
        ]
        parts.sort(key=lambda each: [int(piece) for piece in each[0].part.split("/") if piece.isdigit()])
        return [row for _, record in parts for row in _rows_of(self._value(account, run_id, record))]

    def _value(self, account: str, run_id: str, record: StepRecord) -> Any:
        text = self.runs.value(account, run_id, record)
        return None if text is None else from_json(text)


def following(value: NodeValue, shown: int) -> dict[str, Any] | None:
    """Return what follows the rows that are shown: rows that are held, then those of the backend.

    None where nothing does. Only what the backend pages, or what has pages of its own, is followed.
    """
    held = value.rows[shown:] if not value.one else []
    more = value.next or {"entity": "", "equal": {}, "cursor": None, "fields": None, "given": {}}
    if not held and value.next is None:
        return None
    return {**more, "rows": [*held, *more.get("rows", [])]}


def _started_by(plan: ProgramPlan, returned: Sequence[Returned]) -> list[tuple[str, str]]:
    """Return what calls of the program started: entities whose rows are operations, and ids."""
    found = []
    for each in returned:
        node = plan.by_id[each.node]
        if entity := node.args.get("starts"):
            results = [row.get("result") if node.op == "for_each" else row for row in each.value.rows]
            keys = [value_in(result, node.args["started"]) for result in results]
            found += [(entity, key) for key in keys if isinstance(key, str)]
    return list(dict.fromkeys(found))[:MOST_NAMED]


def _fits(text: str) -> bool:
    return len(text.encode()) <= LARGEST_RESPONSE


def _rows_of(part: Any) -> list[Any]:
    """Return the rows of one part of a step: a page, a row, or the result of a call."""
    if not isinstance(part, Mapping):
        return []
    if "rows" in part:
        return list(part["rows"])
    return [part["row"]] if part.get("row") is not None else [part["result"]] if "result" in part else []


def _values_of(session: Session) -> str:
    """Return the id under which values of a session are kept: another account's call makes another id."""
    return "session-" + hashlib.sha256(json.dumps([session.account, session.name]).encode()).hexdigest()
