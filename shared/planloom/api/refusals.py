"""What each refusal means to callers over HTTP; the gateway answers some of them itself, in the same shape."""

from typing import Any

from planloom.api.answers import ErrorAnswer

REFUSALS = {
    401: "No API key",
    402: "The account has fewer credits than the run may cost",
    403: "The API key is not valid, or the plan belongs to another account",
    404: "No plan, file, revision or step has that id",
    409: "The plan's state or an earlier call with this request id does not allow it, or somebody else saved first",
    413: "More than one call gives or takes",
    416: "The range lies behind the end of the file",
    422: "A value does not fit, or a plan breaks its schema or the rules; the error says where",
    500: "Something failed inside planloom: try again in a few seconds, with growing pauses",
    503: "Not available just now, or no model is set up for that profile",
}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return how these refusals look, for the description of a route."""
    return {status: {"model": ErrorAnswer, "description": REFUSALS[status]} for status in statuses}
