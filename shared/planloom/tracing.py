"""Traces for a Lambda's handler, where they are switched on: the X-Ray library is a tenth of a second of cold start."""

import os
from collections.abc import Callable
from typing import Any

Handler = Callable[..., Any]


def traced(handler: Handler) -> Handler:
    """Return *handler* with a trace of each call; as it is where POWERTOOLS_TRACE_DISABLED says so."""
    # the library's own switch: it would be imported before it looks at it
    if os.environ.get("POWERTOOLS_TRACE_DISABLED", "").lower() == "true":
        return handler
    from aws_lambda_powertools import Tracer

    return Tracer().capture_lambda_handler(handler, capture_response=False)
