"""Answer a call with a client_request_id once: a repeat gets the same answer, another body a conflict."""

from collections.abc import Callable
from typing import Any, TypeVar

from planloom.api.answers import AnswerModel

A = TypeVar("A", bound=AnswerModel)


def once(
    operation: str, account: str, request_id: str | None, body: dict[str, Any], kind: type[A], work: Callable[[], A]
) -> A:
    """Do *work* and return its answer; with *request_id* only if this account has not asked the same before.

    Raises RequestConflict where it asked something else under that id, RequestInProgress where the first call has
    not been answered yet.
    """
    if request_id is None:
        return work()
    # imported here: most calls have no id and need not pay 0.1 s for the library
    from planloom.api.kept_once import kept_once

    return kept_once(operation, account, request_id, body, kind, work)
