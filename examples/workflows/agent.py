"""An agent for `planloom work` without a model: it reads a node on standard input and prints its result.

Replace the body of `execute` by a call of your model; `context` of the input is the text for its prompt.
"""

import json
import sys
from pathlib import Path
from typing import Any


def execute(work: dict[str, Any]) -> dict[str, Any]:
    """Return the result of one node of launch.json."""
    node = work["node"]
    if work["nodeId"] == "draft-brief":
        # the first attempt forgets the channels; the feedback of its rejection says what is missing
        output: dict[str, Any] = {"headline": "Lota launches its contract-driven runtime"}
        if node["feedback"]:
            output["channels"] = ["email", "blog"]
        path = Path("launch-brief.md")
        path.write_text(f"# {output['headline']}\n", encoding="utf-8")
        return {
            "structuredOutput": output,
            "artifacts": [{"name": "launch-brief", "kind": "markdown", "pointer": str(path)}],
            "notes": "Drafted from the positioning.",
        }
    brief = node["input"]["brief"]
    return {"structuredOutput": {"published": brief["channels"]}, "notes": f"Published: {brief['headline']}"}


if __name__ == "__main__":
    json.dump(execute(json.load(sys.stdin)), sys.stdout)
