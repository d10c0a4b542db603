"""The composition root of programs: their sessions, the entities of accounts, and what reads and calls them."""

import importlib
from datetime import UTC, datetime
from functools import cache
from typing import Any, cast
from uuid import uuid4

from planloom.adapters.dynamodb_entities import DynamoEntityStore
from planloom.adapters.dynamodb_sessions import DynamoSessionStore
from planloom.adapters.program_backends import open_backends
from planloom.adapters.tool_servers import connect_tools
from planloom.planes.programs.declared import DeclaredEntities
from planloom.planes.programs.entity_operations import EntityOperations
from planloom.planes.programs.operations import Operations
from planloom.planes.programs.ports import ProgramCaller
from planloom.planes.programs.service import Programs
from planloom.planes.programs.sessions import Sessions
from planloom.planes.programs.sources import Backend
from planloom.wiring import settings
from planloom.wiring.aws import client
from planloom.wiring.graphs import tool_servers
from planloom.wiring.runs import runs


@cache
def declared_entities() -> DeclaredEntities:
    """Return the entities of all accounts: those of the planes, and those that accounts declared."""
    planes = importlib.import_module("planloom.planes")
    table = client("dynamodb")
    store = entity_store(table, settings().table)
    return DeclaredEntities(store, tool_servers(), (*planes.PLANES, *planes.SHARED))


def entity_store(client: Any, table: str) -> DynamoEntityStore:
    """Return where entities and policies are stored, in the table that is named."""
    return DynamoEntityStore(client, table)


@cache
def session_store() -> DynamoSessionStore:
    """Return where sessions are stored."""
    return DynamoSessionStore(client("dynamodb"), settings().table)


@cache
def programs() -> Programs:
    """Return the programs of all accounts."""
    known = settings()
    servers = tool_servers()
    sessions = Sessions(
        store=session_store(),
        catalog=lambda account: declared_entities().catalog(account),
        now=lambda: datetime.now(UTC),
        new_id=lambda: str(uuid4()),
    )
    backends = open_backends(
        _own,
        lambda: servers,
        lambda: connect_tools(servers.store, servers.secrets, loopback=known.loopback_tools),
        loopback=known.loopback_tools,
    )
    operations = Operations(
        session_store(),
        runs(),
        EntityOperations(sessions.catalog, backends),
        most_live=known.live_operations,
        most_ended=known.ended_operations,
    )
    return Programs(sessions, operations, backends, declared_entities().store.policy)


def _own(caller: ProgramCaller, plane: str) -> Backend:
    calls: Any = importlib.import_module("planloom.api.own_calls")
    return cast(Backend, calls.own_backend(caller, plane))
