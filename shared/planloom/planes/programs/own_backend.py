"""The endpoints of a plane as a backend: every call is made as the account's own, with its checks."""

import asyncio
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
            raise SourceFailed(error.message, code=error.code, passing=error.retryable) from error
        return None if response is None else response.model_dump(mode="json", by_alias=False)


def own_backends(planes: Iterable[Plane], invoke: Invoke) -> dict[str, Backend]:
    """Return the backends of all *planes* that have entities, by the name that their entities give."""
    return {f"own:{plane.name}": OwnBackend(plane, invoke) for plane in planes if plane.entities}


def _said(error: ValidationError) -> str:
    found = [f"{'.'.join(map(str, each['loc'])) or 'The request'}: {each['msg']}" for each in error.errors()[:3]]
    return f"{'; '.join(found)}."
