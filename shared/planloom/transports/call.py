"""Call an endpoint's handler with the ports that its signature names; with a request id, once."""

import importlib
import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

from planloom import wiring
from planloom.core.endpoint import ApiModel, Caller, Endpoint
from planloom.core.plane import Plane

#: Ports that planloom.wiring_graphs builds.
OF_GRAPHS = frozenset({"graphs", "runs", "tool_servers"})


def call(plane: Plane, endpoint: Endpoint, handler: Callable[..., Any], request: ApiModel, caller: Caller) -> Any:
    """Return what *handler*, one of *endpoint*, returns for *request*.

    Raises PermissionDenied where *caller* has no account, RequestConflict and RequestInProgress for a repeated request
    id, and what the handler raises.
    """
    account = caller.account
    given = {"request": request, "caller": caller, "account": account}
    arguments = {name: given[name] if name in given else _port(name) for name in _parameters(handler)}
    request_id = getattr(request, endpoint.idempotent_by) if endpoint.idempotent_by else None
    if request_id is None:
        return handler(**arguments)
    operation = f"{plane.name}.{endpoint.name}"
    stated = _stated(request, endpoint.idempotent_by)
    return wiring.once(operation, account, request_id, stated, endpoint.response, lambda: handler(**arguments))


@cache
def _parameters(handler: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(handler).parameters)


def _port(name: str) -> Any:
    """Return a port of the world, or what the function of that name in a composition root builds."""
    if name in OF_GRAPHS:
        # on the first call that needs them: their libraries cost 0.1 s that others do not pay
        return getattr(importlib.import_module("planloom.wiring_graphs"), name)()
    world = wiring.world()
    return getattr(world, name) if hasattr(world, name) else getattr(wiring, name)()


def _stated(request: ApiModel, request_id: str) -> dict[str, Any]:
    """Return what *request* asks for: a field that has its default is the same as one that was left out."""
    names = {
        name
        for name, field in type(request).model_fields.items()
        if name != request_id and getattr(request, name) != field.default
    }
    # within a field, null and absent may differ: a corrected fact of null says that there is none
    return request.model_dump(mode="json", include=names, exclude_unset=True)
