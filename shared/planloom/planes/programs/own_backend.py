"""The endpoints of a plane as a backend: every call is made as the account's own, with its checks."""

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from planloom.core.endpoint import ApiModel, Endpoint
from planloom.core.errors import PlanloomError
from planloom.core.plane import Plane
from planloom.planes.programs.sources import Backend, SourceFailed

#: Returns what the handler of an endpoint returns for a request, made on behalf of one account.
Invoke = Callable[[Plane, Endpoint, ApiModel], Any]


class OwnBackend:
    """The operations of one plane. *invoke* carries the account; it is called in a thread, since handlers wait."""

    def __init__(self, plane: Plane, invoke: Invoke) -> None:
        self._plane = plane
        self._invoke = invoke
        self._endpoints = {each.name: each for each in (*plane.endpoints, *plane.operations)}
        self._written = _written(plane)

    async def call(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        """Return the response of an endpoint as JSON, its fields by the names that they have in code."""
        endpoint = self._endpoints.get(operation)
        if endpoint is None:
            raise SourceFailed(f"{self._plane.title} has no operation {operation}.", code="unknown_operation")
        try:
            request = endpoint.request.model_validate(dict(arguments))
            response = await asyncio.to_thread(self._invoke, self._plane, endpoint, request)
        except ValidationError as error:
            raise SourceFailed(_said(error), code="invalid_argument") from error
        except PlanloomError as error:
            message = re.sub(r"\w+", lambda name: self._written.get(name[0], name[0]), error.message)
            raise SourceFailed(message, code=error.code, passing=error.retryable) from error
        # next_steps names tools, which programs do not call
        return None if response is None else response.model_dump(mode="json", by_alias=False, exclude={"next_steps"})


def own_backends(planes: Iterable[Plane], invoke: Invoke) -> dict[str, Backend]:
    """Return the backends of all *planes* that have entities, by the name that their entities give."""
    return {f"own:{plane.name}": OwnBackend(plane, invoke) for plane in planes if plane.entities}


def _written(plane: Plane) -> dict[str, str]:
    """Return how programs write the operations that messages of *plane* name as tools."""
    found: dict[str, str] = {}
    for entity in plane.entities:
        if entity.list:
            found.setdefault(entity.list.operation, entity.name)
        if entity.get:
            found.setdefault(entity.get.operation, f'{entity.name}("ID")')
        for each in entity.capabilities:
            found.setdefault(each.operation, f"{entity.name}.{each.name}(…)")
    # a name that is a word, such as comment, is not replaced
    return {name: written for name, written in found.items() if "_" in name or not name.islower()}


def _said(error: ValidationError) -> str:
    found = [f"{'.'.join(map(str, each['loc'])) or 'The request'}: {each['msg']}" for each in error.errors()[:3]]
    return f"{'; '.join(found)}."
