"""Drafts for tests."""

import json
from pathlib import Path
from typing import Any

LAUNCH_FILE = Path(__file__).parents[3] / "examples" / "workflows" / "launch-campaign.json"


def launch() -> dict[str, Any]:
    """The draft of the specification, every field as written."""
    found: dict[str, Any] = json.loads(LAUNCH_FILE.read_text())
    return found


def node(node_id: str, kind: str = "action", owner: str = "", **more: Any) -> dict[str, Any]:
    """A node; *owner* is an executor type and a ref: ``agent:cmo``."""
    usual = {"action": "agent:worker", "human-approval": "user:boss", "human-input": "user:boss"}
    executor, _, ref = (owner or usual.get(kind, "system:executor")).partition(":")
    return {"id": node_id, "type": kind, "owner": {"executorType": executor, "ref": ref}, **more}


def edge(source: str, target: str, **more: Any) -> dict[str, Any]:
    return {"id": f"{source}-{target}", "source": source, "target": target, **more}


def draft(*parts: dict[str, Any], entries: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """A draft of nodes and edges; by default it starts at the first node."""
    nodes = [part for part in parts if "source" not in part]
    edges = [part for part in parts if "source" in part]
    start = list(entries) or [nodes[0]["id"]]
    return {"title": "A workflow", "nodes": nodes, "edges": edges, "entryNodeIds": start, **more}
