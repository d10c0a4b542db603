"""Generate docs/reference.md, every operation of every plane: ``python -m infra.reference``; ``--check`` compares."""

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from infra.sources import ROOT
from planloom.core.endpoint import ApiModel, Endpoint
from planloom.core.plane import Plane
from planloom.planes import PLANES, SHARED
from planloom.transports.errors import http_status, statuses_of

PAGE = ROOT / "docs" / "reference.md"
HEAD = """\
# Reference

Every operation that callers have, over HTTP and over MCP. Generated from the endpoint tables by
`python -m infra.reference`; a test checks that it is current. Both transports need an API key in the header
`X-API-Key`. `$URL` is the URL that `planloom up` or the stack prints, `$KEY` an API key.

Any operation may return the errors `PERMISSION_DENIED` (403), `INVALID_ARGUMENT` (422) and `INTERNAL_ERROR` (500).
Event streams, ranges of files and shared links are described in [watching.md](watching.md) and [mcp.md](mcp.md).
"""
PLAN_ID = "6f1c1c52-1111-4222-8333-444455556666"
#: Values in the examples, by the name of the field; others follow from its type.
SAMPLES: dict[str, Any] = {
    "plan_id": PLAN_ID,
    "planId": PLAN_ID,
    "other_plan_id": "7a2d2d63-2222-4333-9444-555566667777",
    "facts_id": "8b3e3e74-3333-4444-8555-666677778888",
    "path": "016-2-expert_criticism.md",
    "stepId": "S3",
    "prompt": "Open a bakery with a small cafe in Lisbon by June 2027 for 120,000 EUR.",
    "schemaVersion": "1.0.0",
    "expected_sha256": "0" * 64,
}


def main() -> None:
    """Write the page; with ``--check`` exit with 1 if it is not current."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    if not parser.parse_args().check:
        PAGE.write_text(reference((*PLANES, *SHARED)), encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != reference((*PLANES, *SHARED)):
        sys.exit("docs/reference.md is not current. Run 'python -m infra.reference'.")


def reference(planes: Iterable[Plane]) -> str:
    """Return the page for *planes*."""
    return "\n".join([HEAD, *(line for plane in planes for line in _plane(plane))])


def _plane(plane: Plane) -> Iterator[str]:
    yield f"## {plane.title}\n\n" + (f"MCP endpoint: `{plane.mcp_path}`\n" if plane.mcp_path else "HTTP only.\n")
    for endpoint in plane.endpoints:
        yield from _endpoint(plane, endpoint)
    models = {model for each in plane.endpoints for model in (*_requests(each).values(), each.response)}
    types = {name: found for model in models for name, found in model.model_json_schema().get("$defs", {}).items()}
    yield f"### Types of {plane.title.removeprefix('planloom: ')}\n"
    for name, schema in sorted(types.items()):
        yield f"#### {name}\n\n{schema.get('description', '')}\n"
        yield from _fields("Field", schema, required=True)


def _endpoint(plane: Plane, endpoint: Endpoint) -> Iterator[str]:
    yield f"### {endpoint.name}\n\n**{endpoint.title}.** {endpoint.description}\n"
    http = endpoint.http
    transports = [f"`{http.method} {http.path}` ({http.status})"] if http else []
    transports += [f"tool `{endpoint.name}`"] if endpoint.tool else []
    yield f"{', '.join(transports)}. {endpoint.effect.capitalize()} data.{_repeats(endpoint)}\n"
    for title, request in _requests(endpoint).items():
        yield from _fields(title, request.model_json_schema(), required=True)
    yield from _fields("Response", endpoint.response.model_json_schema(), required=False)
    statuses = statuses_of([plane])
    errors = {kind.code: http_status(kind, statuses) for kind in endpoint.errors}
    if errors:
        yield f"Errors: {', '.join(f'`{code}` ({status})' for code, status in sorted(errors.items()))}\n"
    yield "```\n" + "\n".join(_calls(plane, endpoint)) + "\n```\n"


def _requests(endpoint: Endpoint) -> dict[str, type[ApiModel]]:
    """Return the request of the endpoint by the title of its table; two if HTTP has other fields."""
    if endpoint.http and endpoint.http.request:
        return {"Field of the tool": endpoint.request, "Field over HTTP": endpoint.http.request}
    return {"Field": endpoint.request}


def _repeats(endpoint: Endpoint) -> str:
    if endpoint.idempotent_by:
        name = endpoint.request.model_fields[endpoint.idempotent_by].alias or endpoint.idempotent_by
        return f" A repeat with the same `{name}` returns the first response."
    return " A second equal call changes nothing more." if endpoint.repeatable else ""


def _fields(title: str, schema: dict[str, Any], *, required: bool) -> Iterator[str]:
    """Return a table of the fields of *schema*; *required*: with which of them must be sent."""
    properties = schema.get("properties", {})
    if not properties:
        return
    rows = [f"| {title} | type | {'default | ' if required else ''}|", f"|---|---|{'---|' if required else ''}---|"]
    for name, field in properties.items():
        default = "required" if name in schema.get("required", []) else f"`{json.dumps(field.get('default'))}`"
        cells = [f"`{name}`", _type(field), *([default] if required else []), field.get("description", "")]
        rows.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    yield "\n".join(rows) + "\n"


def _type(field: dict[str, Any]) -> str:
    """Return the type of a field in words: ``string, at most 200``."""
    if "$ref" in field:
        name = str(field["$ref"].rsplit("/", 1)[-1])
        return f"[{name}](#{name.lower()})"
    if alternatives := field.get("anyOf", field.get("oneOf")):
        return " or ".join(_type(each) for each in alternatives)
    if "enum" in field or "const" in field:
        return " / ".join(f"`{value}`" for value in field.get("enum", [field.get("const")]))
    kind = str(field.get("format") or field.get("type", "any"))
    if kind == "array":
        kind = f"list of {_type(field.get('items', {}))}"
    low, high = field.get("minimum", field.get("minLength")), field.get("maximum", field.get("maxLength"))
    high = field.get("maxItems", high)
    limits = [f"at least {low:,}"] if low is not None else []
    limits += [f"at most {high:,}"] if high is not None else []
    return ", ".join([kind, *limits])


def _calls(plane: Plane, endpoint: Endpoint) -> Iterator[str]:
    """Return the endpoint's call with curl, and as an MCP message."""
    if http := endpoint.http:
        values = _sample(http.request or endpoint.request)
        in_path = re.findall(r"{(\w+)}", http.path)
        path = re.sub(r"{(\w+)}", lambda found: str(values.get(found[1], "report")), http.path)
        rest = {name: value for name, value in values.items() if name not in in_path}
        method = "" if http.method == "GET" else f" -X {http.method}"
        if http.method in ("GET", "DELETE"):
            query = "&".join(f"{name}={value}" for name, value in rest.items())
            yield f'curl{method} -H "X-API-Key: $KEY" "$URL{path}{"?" if query else ""}{query}"'
        else:
            body = f" -H 'Content-Type: application/json' -d '{json.dumps(rest)}'" if rest else ""
            yield f'curl{method} -H "X-API-Key: $KEY"{body} "$URL{path}"'
    if endpoint.tool:
        params = {"name": endpoint.name, "arguments": _sample(endpoint.request)}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        yield f"POST {plane.mcp_path}  {json.dumps(message)}"


def _sample(model: type[ApiModel]) -> dict[str, Any]:
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})
    required = schema.get("required", [])
    return {name: _value(name, schema["properties"][name], definitions) for name in required}


def _value(name: str, field: dict[str, Any], definitions: dict[str, Any]) -> Any:
    if name in SAMPLES:
        return SAMPLES[name]
    if "$ref" in field:
        return _value(name, definitions[field["$ref"].rsplit("/", 1)[-1]], definitions)
    if "enum" in field:
        return field["enum"][0]
    kinds: dict[str, Any] = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}
    return kinds.get(field.get("type", ""), "...")


if __name__ == "__main__":
    main()
