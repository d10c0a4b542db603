"""Where callers reach this service, as an absolute URL that they can hand on."""

from collections.abc import MutableMapping
from typing import Any


def base_url(scope: MutableMapping[str, Any]) -> str:
    """Return the URL of the API with its stage, without a slash at its end, as the request in *scope* came in by."""
    event = scope.get("aws.event", {})
    context = event.get("requestContext", {})
    stage = context.get("path", "").removesuffix(event.get("path", ""))
    if domain := context.get("domainName"):
        return f"https://{domain}{stage}"
    # a gateway without a domain of its own, as the embedded AWS is, stands below a path of its host
    headers = {name.decode(): value.decode() for name, value in scope.get("headers", [])}
    return f"http://{headers.get('host', 'localhost')}/_aws/execute-api/{context.get('apiId', '')}{stage}"
