"""Calls of operations by workers of programs: on behalf of an account, by an event that only they can send."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planloom.api import handler_ports
from planloom.core.endpoint import ApiModel, Endpoint
from planloom.core.plane import Plane
from planloom.planes import PLANES, SHARED
from planloom.planes.programs.own_backend import Invoke, OwnBackend
from planloom.planes.programs.ports import ProgramCaller
from planloom.planes.programs.sources import SourceFailed
from planloom.transports.call import call


@dataclass(frozen=True)
class _Caller:
    account: str
    key: str
    base_url: str


def invoke_as(caller: ProgramCaller) -> Invoke:
    """Return what calls the handler of an endpoint on behalf of *caller*, with all its checks."""
    known = _Caller(caller.account, caller.key, caller.base_url)

    def invoke(plane: Plane, endpoint: Endpoint, request: ApiModel) -> Any:
        return call(handler_ports, plane, endpoint, endpoint.handler, request, known)

    return invoke


def own_backend(caller: ProgramCaller, name: str) -> OwnBackend:
    """Return the operations of a plane, called in this process on behalf of *caller*."""
    plane = next(each for each in (*PLANES, *SHARED) if each.name == name)
    return OwnBackend(plane, invoke_as(caller))


def answer(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of the call that *message* describes, or its error."""
    backend = own_backend(ProgramCaller.model_validate(message["caller"]), message["plane"])
    try:
        return {"result": asyncio.run(backend.call(message["operation"], message["arguments"]))}
    except SourceFailed as error:
        known = {"message": str(error), "code": error.code, "passing": error.passing, "uncertain": error.uncertain}
        return {"error": known}
