"""What a Lambda's first call has to import: seconds and modules of each handler, in a fresh interpreter each time.

    python -m bench.cold_start [--runs 5]

The median of so many runs. ``stage, outline`` is a stage that asks no language model; the others import what the first
call of one needs, by Bedrock's client or by OpenAI's.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

import planloom

ROOT = Path(__file__).parent.parent

HANDLERS: dict[str, tuple[str, ...]] = {
    "authorizer": ("functions.authorizer.handler",),
    "api, HTTP": ("functions.api.handler", "planloom.api.app"),
    "api, MCP": ("functions.api.handler", "planloom.api.app", "planloom.api.mcp_servers", "planloom.transports.mcp"),
    "on_plan_event": ("functions.on_plan_event.handler",),
    "on_run_ended": ("functions.on_run_ended.handler",),
    "read_goal": ("functions.read_goal.handler",),
    "watchdog": ("functions.watchdog.handler",),
    "stage, outline": ("functions.stage.handler", "planloom.planes.strategic.stages.pipeline"),
    "stage, Bedrock": (
        "functions.stage.handler",
        "planloom.planes.strategic.stages.pipeline",
        "planloom.models.bedrock_chat",
    ),
    "stage, OpenAI": (
        "functions.stage.handler",
        "planloom.planes.strategic.stages.pipeline",
        "planloom.models.openai_chat",
    ),
}

IMPORT = """
import importlib, json, sys, time
sys.path[:0] = {search!r}
begun = time.perf_counter()
for name in {modules!r}:
    importlib.import_module(name)
print(json.dumps([time.perf_counter() - begun, len(sys.modules), sorted(n for n in sys.modules if "." not in n)]))
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    for name, modules in HANDLERS.items():
        found = [imported(modules) for _ in range(runs + 1)][1:]
        seconds = statistics.median(each[0] for each in found)
        library = "with" if "pydantic_ai" in found[0][2] else "without"
        print(f"{name:<16}{seconds:7.2f} s{found[0][1]:7} modules, {library} the model library")


def imported(modules: tuple[str, ...]) -> tuple[float, int, list[str]]:
    """Return the seconds that importing *modules* takes, how many modules are there then, and the top-level ones."""
    search = [str(ROOT), str(Path(planloom.__file__).parents[1])]
    ran = subprocess.run(
        [sys.executable, "-P", "-c", IMPORT.format(search=search, modules=modules)],
        env={"AWS_DEFAULT_REGION": "us-east-1", "LAMBDA_TASK_ROOT": str(ROOT), "POWERTOOLS_TRACE_DISABLED": "true"},
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, count, names = json.loads(ran.stdout.splitlines()[-1])
    return seconds, count, names


if __name__ == "__main__":
    main()
