"""Call an endpoint's handler with the ports that its signature names; with a request id, once."""

import inspect
from collections.abc import Callable
from functools import cache, partial
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

from planloom.core.endpoint import ApiModel, Caller, Endpoint
from planloom.core.plane import Plane

A = TypeVar("A", bound=BaseModel)


class Wiring(Protocol):
    """The composition roots, as transports use them: the module ``planloom.api.handler_ports``."""

    def port(self, name: str) -> Any:
        """Return the argument for a handler's parameter *name*."""
        ...

    def once(
        self, operation: str, account: str, request_id: str, body: dict[str, Any], kind: type[A], work: Callable[[], A]
    ) -> A:
        """Do *work* and return its response, unless *account* asked for the same under *request_id* within a day.

        Raises RequestConflict and RequestInProgress.
        """
        ...


def call(
    wiring: Wiring, plane: Plane, endpoint: Endpoint, handler: Callable[..., Any], request: ApiModel, caller: Caller
) -> Any:
    """Return what *handler*, one of *endpoint*, returns for *request*; *wiring* builds its ports.

    Raises PermissionDenied where *caller* has no account, RequestConflict and RequestInProgress for a repeated request
    id, and what the handler raises.
    """
    work = partial(with_ports, wiring, handler, request, caller)
    request_id = getattr(request, endpoint.idempotent_by) if endpoint.idempotent_by else None
    if request_id is None:
        return work()
    operation = f"{plane.name}.{endpoint.name}"
    stated = _stated(request, endpoint.idempotent_by)
    return wiring.once(operation, caller.account, request_id, stated, endpoint.response, work)


def with_ports(wiring: Wiring, handler: Callable[..., Any], request: Any, caller: Caller) -> Any:
    """Return what *handler* returns, given what its parameters name. Raises PermissionDenied, what it raises."""
    given = {"request": request, "caller": caller, "account": caller.account}
    return handler(**{name: given[name] if name in given else wiring.port(name) for name in _parameters(handler)})


@cache
def _parameters(handler: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(handler).parameters)


def _stated(request: ApiModel, request_id: str) -> dict[str, Any]:
    """Return what *request* asks for: a field that has its default is the same as one that was left out."""
    names = {
        name
        for name, field in type(request).model_fields.items()
        if name != request_id and getattr(request, name) != field.default
    }
    # within a field, null and absent may differ: a corrected fact of null says that there is none
    return request.model_dump(mode="json", include=names, exclude_unset=True)
