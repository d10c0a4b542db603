"""What callers see, as one JSON document: OpenAPI, and tools, prompts and resources of each MCP endpoint.

    python -m bench.interface before.json
    python -m bench.interface after.json
    python -m bench.interface --compare before.json after.json

The comparison prints one line for each value that differs. References are followed, so that the name of a schema does
not count. Wording (descriptions, titles) is counted; ``--wording`` prints it too.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from functions.api.handler import handler
from planloom import wiring
from planloom.planes import PLANES

LISTS = ("tools/list", "prompts/list", "resources/templates/list")
CLIENT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
WORDING = ("description", "summary", "title", "instructions")


@dataclass
class Context:
    """What Lambda passes to a handler."""

    function_name: str = "api"
    memory_limit_in_mb: int = 1024
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:api"
    aws_request_id: str = "bench"


def main() -> None:
    """Write the document, or compare two of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--wording", action="store_true")
    given = parser.parse_args()
    if not given.compare:
        given.files[0].write_text(json.dumps(interface(), indent=1, sort_keys=True), encoding="utf-8")
        return
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in given.files]
    before, after = ({name: _resolved(part, part) for name, part in each.items()} for each in documents)
    found = list(differences(before, after))
    wording = [each for each in found if each[0][-1] in WORDING]
    for path, old, new in found if given.wording else [each for each in found if each not in wording]:
        print(f"{'/'.join(path)}: {_short(old)} -> {_short(new)}")
    print(f"{len(found)} differences, {len(wording)} of them wording")


def interface() -> dict[str, Any]:
    """Return all that callers see, by transport."""
    wiring.request_state_key = lambda: bytes(32)  # type: ignore[assignment]
    mcp = {
        path: {method: _rpc(path, method) for method in ("initialize", *LISTS)}
        for path in (plane.mcp_path for plane in PLANES)
    }
    for answers in mcp.values():
        answers["tools/list"]["order"] = [tool["name"] for tool in answers["tools/list"]["tools"]]
        for name, each in answers.items():
            for listed in ("tools", "prompts", "resourceTemplates"):
                if listed in each:
                    answers[name] = each | {listed: {item["name"]: item for item in each[listed]}}
    http = _http("GET", "/v1/openapi.json", None)
    for operations in http["paths"].values():
        for operation in operations.values():
            operation["parameters"] = {each["name"]: each for each in operation.get("parameters", [])}
    return {"http": http, "mcp": mcp}


def differences(before: Any, after: Any, path: tuple[str, ...] = ("",)) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """Return each place where two documents differ, with both values; None where one has nothing there."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in sorted({*before, *after}):
            yield from differences(before.get(name), after.get(name), (*path, name))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from differences(old, new, (*path, str(place)))
    elif before != after:
        yield path, before, after


def _resolved(node: Any, root: dict[str, Any], within: tuple[str, ...] = ()) -> Any:
    """Return *node* with its references replaced by what they name, except one within itself."""
    if isinstance(node, list):
        return [_resolved(each, root, within) for each in node]
    if not isinstance(node, dict):
        return node
    if "outputSchema" in node:
        return {name: _resolved(each, each if name.endswith("Schema") else root) for name, each in node.items()}
    reference = node.get("$ref")
    if reference is None or reference in within:
        return {
            name: _resolved(each, root, within) for name, each in node.items() if name not in ("$defs", "components")
        }
    found: Any = root
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return _resolved(found, root, (*within, reference))


def _rpc(path: str, method: str) -> Any:
    params = CLIENT if method == "initialize" else {}
    answer = _http("POST", path, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    return answer.get("result", answer)


def _http(method: str, path: str, body: Any) -> Any:
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream", "host": "localhost"}
    event = {
        "resource": "/{proxy+}",
        "path": path,
        "httpMethod": method,
        "headers": headers,
        "multiValueHeaders": {name: [value] for name, value in headers.items()},
        "queryStringParameters": None,
        "multiValueQueryStringParameters": None,
        "requestContext": {
            "authorizer": {"account": "bench", "key": "bench"},
            "identity": {"sourceIp": "192.0.2.1"},
        },
        "body": json.dumps(body) if body is not None else None,
        "isBase64Encoded": False,
    }
    return json.loads(handler(event, Context())["body"])


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else text[:157] + "..."


if __name__ == "__main__":
    main()
