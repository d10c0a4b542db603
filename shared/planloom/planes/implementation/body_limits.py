"""Limits on the body of a request with a plan in it, checked before anything parses or stores it."""

import json
from typing import NoReturn

from planloom.core.errors import InvalidArgument
from planloom.core.json_text import check_text
from planloom.planes.implementation.document.limits import MOST_BYTES, check_size, too_deep

#: Bytes that a request has beside the plan.
_ENVELOPE = 50_000


def check_body(body: bytes) -> None:
    """Reject *body* where it is no JSON that a plan could be in.

    Raises PlanTooLarge, and InvalidArgument for numbers that JSON does not know and for unpaired surrogates. What is no
    JSON at all is left to the framework, which says where it breaks.
    """
    if len(body) > MOST_BYTES + _ENVELOPE:
        check_size(len(body))
    try:
        json.loads(body, parse_constant=_reject)
    except RecursionError:
        raise too_deep() from None
    except ValueError:
        return
    check_text(body)


def _reject(name: str) -> NoReturn:
    raise InvalidArgument(f"The body holds {name}, which is no number in JSON.")
