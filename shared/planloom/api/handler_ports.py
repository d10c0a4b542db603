"""The arguments of handlers by parameter: the composition roots, as transports use them."""

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar

from pydantic import BaseModel

from planloom import wiring

A = TypeVar("A", bound=BaseModel)


def _graphs() -> ModuleType:
    return importlib.import_module("planloom.wiring.graphs")


def _approvals() -> ModuleType:
    return importlib.import_module("planloom.wiring.approvals")


def _notifications() -> ModuleType:
    return importlib.import_module("planloom.wiring.notifications")


def _workflows() -> ModuleType:
    return importlib.import_module("planloom.wiring.workflows")


def _links() -> ModuleType:
    return importlib.import_module("planloom.wiring.links")


def _programs() -> ModuleType:
    return importlib.import_module("planloom.wiring.programs")


#: Ports that other composition roots build, which are imported with the first call that needs one: their libraries cost
#: 0.1 s that other calls do not pay.
BUILT_BY: dict[str, Callable[[], ModuleType]] = {
    **dict.fromkeys(("graphs", "runs", "tool_servers", "budgets", "schedules"), _graphs),
    **dict.fromkeys(("webhooks", "link_secret"), _notifications),
    "approvals": _approvals,
    "workflows": _workflows,
    "links": _links,
    **dict.fromkeys(("programs", "declared_entities"), _programs),
}


def port(name: str) -> Any:
    """Return the argument for a handler's parameter *name*: a port, or what a composition root's function returns."""
    if name in BUILT_BY:
        return getattr(BUILT_BY[name](), name)()
    known = wiring.ports()
    return getattr(known, name) if hasattr(known, name) else getattr(wiring, name)()


def once(
    operation: str, account: str, request_id: str, body: dict[str, Any], kind: type[A], work: Callable[[], A]
) -> A:
    """Do *work* and return its response, unless *account* asked for the same under *request_id* within a day.

    Raises RequestConflict and RequestInProgress.
    """
    return wiring.once(operation, account, request_id, body, kind, work)
