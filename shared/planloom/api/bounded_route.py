"""Routes that look at a body's size and depth before anything parses or stores it."""

import json
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from fastapi import Request, Response
from fastapi.routing import APIRoute

from planloom.domain.errors import InvalidArgument
from planloom.implementation.limits import MOST_BYTES, check_size, too_deep

#: What a request carries beside the plan.
_ENVELOPE = 50_000


class BoundedRoute(APIRoute):
    """A route whose body is JSON within the limits of a plan, or is refused."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def bounded(request: Request) -> Response:
            read_json(await request.body())
            return await handle(request)

        return bounded


def read_json(body: bytes) -> None:
    """Refuse *body* where it is no JSON that a plan could be in.

    Raises PlanTooLarge, and InvalidArgument for numbers that JSON does not know and for halves of characters. What is
    no JSON at all is left to the framework, which says where it breaks.
    """
    if len(body) > MOST_BYTES + _ENVELOPE:
        check_size(len(body))
    try:
        found = json.loads(body, parse_constant=_refuse)
        if b"\\ud" in body.lower():
            json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InvalidArgument("The body holds half a surrogate pair, which is no text.") from None
    except RecursionError:
        raise too_deep() from None
    except ValueError:
        return


def _refuse(name: str) -> NoReturn:
    raise InvalidArgument(f"The body holds {name}, which is no number in JSON.")
