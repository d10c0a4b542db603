"""Where rows come from: the lists, rows and calls of an entity, over whatever backend it has."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from planloom.core.entities import Capability, Entity
from planloom.core.paths import PathNotFound, value_at
from planloom.planes.programs.catalog import Catalog
from planloom.planes.programs.plan import PAGE_ROWS

Row = dict[str, Any]
#: A call that failed for a passing reason is made at most so often; seconds before the second, doubled each time.
ATTEMPTS, PAUSE, LONGEST_PAUSE = 6, 0.5, 30.0


class SourceFailed(Exception):
    """A backend did not do what it was asked for.

    ``passing``: a repeat may succeed, after *retry_after* seconds where the backend says so. ``uncertain``: the call
    may have been carried out.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "source_failed",
        passing: bool = False,
        uncertain: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.passing = passing
        self.uncertain = uncertain
        self.retry_after = retry_after


class Backend(Protocol):
    """What operations of entities are called on, for one account."""

    async def call(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        """Return the result of one call as JSON. Raises SourceFailed."""


@dataclass(frozen=True)
class Page:
    """Some rows; ``next`` is where those that follow begin, None where none do."""

    rows: list[Row]
    next: dict[str, Any] | None = None


@dataclass(frozen=True)
class Sources:
    """The entities of an account and their backends.

    ``handles`` returns what follows a page that was shown before, by its handle; None where there is no such page.
    """

    catalog: Catalog
    backends: Mapping[str, Backend]
    handles: Callable[[str], Awaitable[dict[str, Any] | None]] | None = None
    sleep: Callable[[float], Awaitable[None]] = field(default=asyncio.sleep)

    async def page(
        self, entity: str, equal: Mapping[str, Any], cursor: Mapping[str, Any] | None = None, size: int = PAGE_ROWS
    ) -> Page:
        """Return the rows of *entity* for which the backend makes the comparisons *equal*: values by parameter.

        A page has about *size* rows, as the backend allows; *cursor* is the ``next`` of the page before. Raises
        SourceFailed.
        """
        found, backend = self._entity(entity)
        call = found.list
        if call is None:
            raise SourceFailed(f"{entity} cannot be listed.", code="not_listable")
        if cursor is not None:
            # a number of a page counts pages of one size
            size = cursor.get("size", size)
        asked = {**call.fixed, **equal, **_asked(found, cursor, size)}
        answer = await self._patiently(backend, call.operation, asked, repeatable=True)
        raw = _at(answer, call.rows)
        if not isinstance(raw, list):
            raise SourceFailed(f"{call.operation} returned no list of {entity}.", code="unexpected_answer")
        given = {key: equal[parameter] for key, parameter in call.filters.items() if parameter in equal}
        return Page([_row(found, each, given) for each in raw], _next(found, answer, len(raw), cursor, size))

    async def get(self, entity: str, key: Any) -> Row:
        """Return one row by its id. Raises SourceFailed."""
        found, backend = self._entity(entity)
        call = found.get
        if call is None:
            raise SourceFailed(f"{entity} cannot be read by its id.", code="not_readable")
        answer = await self._patiently(backend, call.operation, {**call.fixed, call.key: key}, repeatable=True)
        raw = _at(answer, call.row)
        if raw is None:
            raise SourceFailed(f"There is no {entity} {str(key)[:80]}.", code="not_found")
        return _row(found, raw, {found.key: key}, call.fields)

    async def call(self, entity: str, name: str, arguments: Mapping[str, Any]) -> Any:
        """Call a capability and return its result. Raises SourceFailed."""
        found, backend = self._entity(entity)
        capability = found.capability(name)
        if capability is None:
            raise SourceFailed(f"{entity} has no capability {name}.", code="unknown_capability")
        parameters = {each.name: each.parameter or each.name for each in capability.arguments}
        given = {parameters.get(key, key): value for key, value in arguments.items()}
        asked = {**capability.fixed, **given}
        answer = await self._patiently(backend, capability.operation, asked, self.repeatable(entity, name))
        return _at(answer, capability.returns) if capability.returns else answer

    def repeatable(self, entity: str, name: str) -> bool:
        """Return whether a call may be made twice without harm."""
        capability = self._capability(entity, name)
        return capability is not None and (capability.repeatable or capability.effect == "reads")

    def _capability(self, entity: str, name: str) -> Capability | None:
        found = self.catalog.get(entity)
        return found.capability(name) if found else None

    def _entity(self, name: str) -> tuple[Entity, Backend]:
        found = self.catalog.get(name)
        backend = self.backends.get(found.backend) if found else None
        if found is None or backend is None:
            raise SourceFailed(f"There is no entity {name} any more. Dry-run the program again.", code="unknown_entity")
        return found, backend

    async def _patiently(self, backend: Backend, operation: str, asked: Mapping[str, Any], repeatable: bool) -> Any:
        """Make a call, again after failures that pass, where that does no harm."""
        pause = PAUSE
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await backend.call(operation, asked)
            except SourceFailed as error:
                if not error.passing or attempt == ATTEMPTS or (error.uncertain and not repeatable):
                    raise
                wait = pause if error.retry_after is None else error.retry_after
            await self.sleep(min(wait, LONGEST_PAUSE))
            pause *= 2
        raise AssertionError("the last attempt returns or raises")


def _asked(entity: Entity, cursor: Mapping[str, Any] | None, size: int) -> dict[str, Any]:
    """Return the parameters of a page."""
    assert entity.list is not None
    paging = entity.list.paging
    asked: dict[str, Any] = {paging.size: max(1, min(size, paging.most))} if paging.size else {}
    if paging.style == "none":
        return asked
    if cursor is not None:
        asked[paging.parameter] = cursor["at"]
    elif paging.style != "cursor":
        asked[paging.parameter] = paging.first if paging.style == "page" else 0
    return asked


def _next(entity: Entity, answer: Any, rows: int, cursor: Mapping[str, Any] | None, size: int) -> dict[str, Any] | None:
    """Return where the next page begins.

    A page that is shorter than what was asked for need not be the last one, since backends have limits of their own:
    one that is shorter than the first is.
    """
    assert entity.list is not None
    paging = entity.list.paging
    if paging.style == "none":
        return None
    if paging.style == "cursor":
        at = _at(answer, paging.next)
        if at in (None, "", False) or (cursor is not None and at == cursor["at"]):
            return None
        return {"at": at}
    first = rows if cursor is None else cursor["rows"]
    if rows == 0 or rows < first:
        return None
    if paging.style == "page":
        return {"at": (paging.first if cursor is None else cursor["at"]) + 1, "rows": first, "size": size}
    return {"at": (0 if cursor is None else cursor["at"]) + rows, "rows": first}


def _at(value: Any, path: str) -> Any:
    if path in (".", ""):
        return value
    try:
        return value_at(value, path)
    except (PathNotFound, ValueError):
        return None


def _row(entity: Entity, raw: Any, given: Mapping[str, Any], paths: Mapping[str, str] | None = None) -> Row:
    """Return the fields of *entity* in *raw*; those that were asked for and are not in it have the value asked for."""
    row = {}
    for each in entity.fields:
        value = _at(raw, (paths or {}).get(each.name) or each.path or each.name)
        row[each.name] = given.get(each.name) if value is None else value
    return row
