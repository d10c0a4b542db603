"""Plan as a tool: three tools that a model calls by itself to draft graphs and to run them."""

import json
from collections.abc import Mapping
from typing import Any

from planloom.planes.graphs.context import PlanningContext, PlanNotFound
from planloom.planes.graphs.draft import DraftInvalid, draft, with_variables
from planloom.planes.graphs.runner import GraphInvalid, PlanExecutionResult, PlanRunner

NO_MODEL = (
    "No model is set up to draft graphs. Give the context a planner, such as planloom.graphs.planner_of_environment() "
    "where OPENAI_API_KEY is set, or write the graph and run it by its id."
)
_GOAL = {"goal": {"type": "string", "description": "What is to be achieved, in a sentence or more"}}
_VARIABLES = {"variables": {"type": "object", "description": "Values of variables; they override the graph's own"}}
_PLAN_ID = {"plan_id": {"type": "string", "description": "Id of a graph that was created before"}}
#: Name, description, properties, required ones.
_TOOLS: tuple[tuple[str, str, Mapping[str, Any], tuple[str, ...]], ...] = (
    (
        "plan_create",
        "Draft a plan of tool calls for a goal of several steps, without running it. Returns its id and its steps.",
        _GOAL,
        ("goal",),
    ),
    ("plan_execute", "Run a plan that was created before, by its id.", {**_PLAN_ID, **_VARIABLES}, ("plan_id",)),
    (
        "plan_create_and_execute",
        "Draft a plan of tool calls for a goal of several steps and run it. For a single call, call the tool itself.",
        {**_GOAL, **_VARIABLES},
        ("goal",),
    ),
)


class _Refused(Exception):
    """The call cannot be carried out; the message says why."""


def get_plan_tools_as_dicts() -> list[dict[str, Any]]:
    """Return the three tools in the format of OpenAI's function calling."""
    return [
        {
            "type": "function",
            "function": {
                "name": name,
                "description": description,
                "parameters": {"type": "object", "properties": dict(properties), "required": list(required)},
            },
        }
        for name, description, properties, required in _TOOLS
    ]


async def handle_plan_tool(name: str, arguments: Mapping[str, Any], context: PlanningContext) -> str:
    """Carry out one call of a plan tool and return its result as JSON; an error is ``{"success": false, ...}``."""
    try:
        result = await _handled(name, arguments, context)
    except (_Refused, GraphInvalid, PlanNotFound, ValueError) as error:
        result = {"success": False, "error": str(error)}
    except Exception as error:
        # a planner or a tool manager is the caller's own: a model that called a tool gets an answer, never an exception
        result = {"success": False, "error": f"{type(error).__name__}: {error}"}
    return json.dumps(result, ensure_ascii=False, default=str)


async def _handled(name: str, arguments: Mapping[str, Any], context: PlanningContext) -> dict[str, Any]:
    required = {tool: needed for tool, _, _, needed in _TOOLS}
    if name not in required:
        raise _Refused(f"There is no tool “{name}”. The tools are {', '.join(required)}.")
    missing = [field for field in required[name] if not arguments.get(field)]
    if missing:
        raise _Refused(f"{name} needs {', '.join(missing)}.")
    variables = arguments.get("variables") or {}
    if not isinstance(variables, Mapping):
        raise _Refused("variables is an object of names and values.")
    if name == "plan_execute":
        return await _executed(context, context.load_plan(str(arguments["plan_id"])), variables)
    plan = await draft_graph(str(arguments["goal"]), context, variables)
    if name == "plan_create":
        steps = [f"{step['index']}. {step.get('title') or step['tool']} [{step['tool']}]" for step in plan["steps"]]
        return {"success": True, "plan_id": plan["id"], "title": plan.get("title", ""), "steps": steps}
    return await _executed(context, plan, variables)


async def draft_graph(
    goal: str, context: PlanningContext, variables: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Ask the planner for a graph, once more with what validation says of it, store it and return it.

    It may refer to *variables*, which its run is given.

    Raises GraphInvalid where the second draft is wrong as well.
    """
    if context.planner is None:
        raise _Refused(NO_MODEL)
    try:
        graph = await draft(context.planner, with_variables(goal, variables or {}), await context.catalog(), variables)
    except DraftInvalid as error:
        raise GraphInvalid(str(error)) from error
    plan = graph.model_dump(mode="json", exclude_defaults=True) | {"title": graph.title or goal[:200]}
    plan["id"] = context.save_plan(plan)
    return plan


async def _executed(context: PlanningContext, plan: dict[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
    result: PlanExecutionResult = await PlanRunner(context).execute_plan(plan, variables)
    return {
        "success": result.success,
        "plan_id": result.plan_id,
        "error": result.error,
        "duration": round(result.total_duration, 3),
        "steps": [
            {"index": step.step_index, "title": step.step_title, "success": step.success, "error": step.error}
            for step in result.steps
        ],
        "variables": result.variables,
    }
