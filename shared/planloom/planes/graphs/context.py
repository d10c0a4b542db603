"""What a runner in this process works with: tools, guards, and the plans and checkpoints of a folder."""

import json
import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from planloom.planes.graphs.backend import ToolManager
from planloom.planes.graphs.draft import Planner
from planloom.planes.graphs.guards import Guards
from planloom.tools.tool import Catalog, Tool

DEFAULT_FOLDER = Path("~/.planloom/graphs")
_STATE, _JOURNAL = "_state.json", "_state.jsonl"
_ID = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$")


class PlanNotFound(LookupError):
    """No plan of the folder has the id, or several begin with it; the message names them."""


class PlanningContext:
    """Tools of *tool_manager*, guards, a planner where a model is set up, and a folder of plans.

    Plans are ``<id>.json``, checkpoints ``<id>_state.json``.
    """

    def __init__(
        self,
        tool_manager: ToolManager,
        folder: Path | str | None = None,
        guards: Guards | None = None,
        planner: Planner | None = None,
    ) -> None:
        self.tool_manager = tool_manager
        self.folder = Path(folder or DEFAULT_FOLDER).expanduser()
        self.guards = guards or Guards()
        self.planner = planner

    async def catalog(self) -> Catalog:
        """Return the tools, none where the tool manager does not list any."""
        listing = getattr(self.tool_manager, "list_tools", None) or getattr(self.tool_manager, "get_all_tools", None)
        if listing is None:
            return Catalog()
        listed = listing()
        tools = await listed if hasattr(listed, "__await__") else listed
        return Catalog(map(_tool, tools))

    def save_plan(self, plan: dict[str, Any]) -> str:
        """Store *plan* under its id, a new one where it has none, and return the id."""
        plan_id = plan.get("id") or f"graph-{uuid4().hex[:12]}"
        path = self._path(plan_id)
        self._write(path, plan | {"id": plan_id})
        return str(plan_id)

    def load_plan(self, plan_id: str) -> dict[str, Any]:
        """Return the plan whose id is *plan_id* or is the only one that begins with it. Raises PlanNotFound."""
        plan: dict[str, Any] = json.loads(self._path(self._found(plan_id)).read_text(encoding="utf-8"))
        return plan

    def list_plans(self) -> list[dict[str, Any]]:
        """Return all plans, the newest first; files that are no plans are left out."""
        plans = []
        for path in sorted(self.folder.glob("*.json"), key=lambda path: -path.stat().st_mtime_ns):
            plan = _read(path)
            if not path.name.endswith(_STATE) and isinstance(plan, dict) and isinstance(plan.get("steps"), list):
                plans.append(plan | {"id": path.stem})
        return plans

    def delete_plan(self, plan_id: str) -> str:
        """Delete the plan and its checkpoint and return its id. Raises PlanNotFound where there is neither."""
        found = self._found(plan_id, _STATE)
        for name in (".json", _STATE, _JOURNAL):
            self._path(found, name).unlink(missing_ok=True)
        return found

    def checkpoint(self, plan_id: str) -> "Checkpoint":
        """Return where the progress of a run of the plan is kept."""
        return Checkpoint(plan_id, self._path(plan_id, _STATE), self._path(plan_id, _JOURNAL))

    def last_run(self, plan_id: str) -> dict[str, Any] | None:
        """Return what was kept of the last run of a plan, None where nothing was.

        It has a ``graph`` where that is not the saved plan. Raises PlanNotFound.
        """
        return self.checkpoint(self._found(plan_id, _STATE)).load()

    def is_saved(self, plan_id: str, plan: Any) -> bool:
        """Return whether the plan saved under *plan_id* is exactly *plan*."""
        return bool(_read(self._path(plan_id)) == plan)

    def _found(self, plan_id: str, *other_endings: str) -> str:
        if _ID.match(plan_id) and any(self._path(plan_id, end).is_file() for end in (".json", *other_endings)):
            return plan_id
        saved = [str(plan["id"]) for plan in self.list_plans()]
        near = [each for each in saved if plan_id and each.startswith(plan_id)]
        if len(near) == 1:
            return near[0]
        if near:
            raise PlanNotFound(f"Several graphs begin with “{plan_id}”: {', '.join(near[:8])}. Write more of the id.")
        known = ", ".join(saved[:8]) or "no graph"
        raise PlanNotFound(f"No graph has the id “{plan_id}”. The folder {self.folder} holds {known}.")

    def _path(self, plan_id: str, ending: str = ".json") -> Path:
        if not _ID.match(plan_id):
            raise ValueError(f"“{plan_id}” is no id of a graph: letters, digits, dots, hyphens, at most 200.")
        return self.folder / f"{plan_id}{ending}"

    def _write(self, path: Path, value: Any) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        replace_file(path, json.dumps(value, ensure_ascii=False, indent=2))


class Checkpoint:
    """The progress of one run: a state file, and beside it a journal with a line for each step since it was written.

    A step costs one line, however many there are: the state is written whole when a run starts and when it ends.
    """

    def __init__(self, plan_id: str, state: Path, journal: Path) -> None:
        self.plan_id = plan_id
        self._state = state
        self._journal = journal
        self._open: Any = None

    def load(self) -> dict[str, Any] | None:
        """Return the state with the journal applied, None where nothing was kept."""
        if not self._state.is_file():
            return None
        state: dict[str, Any] = json.loads(self._state.read_text(encoding="utf-8"))
        lines = self._journal.read_text(encoding="utf-8").splitlines() if self._journal.is_file() else []
        for line in lines:
            try:
                step = json.loads(line)
            except ValueError:
                break  # the last line of a process that was killed
            if step["result"]["state"] != "unknown":
                state["completed_steps"].append(step["step"])
            state["variables"].update(step["variables"])
            state["results"][step["step"]] = step["result"]
        return state

    def start(self, state: dict[str, Any]) -> None:
        """Keep *state* whole; later steps are added to it."""
        self._state.parent.mkdir(parents=True, exist_ok=True)
        replace_file(self._state, json.dumps(state, ensure_ascii=False))
        self._journal.write_text("", encoding="utf-8")
        self._open = self._journal.open("a", encoding="utf-8")

    def add(self, step: str, variables: dict[str, Any], result: dict[str, Any]) -> None:
        """Keep what *step* came to and what it bound; in the state ``unknown`` it did not complete."""
        line = json.dumps({"step": step, "variables": variables, "result": result}, ensure_ascii=False)
        self._open.write(f"{line}\n")
        self._open.flush()

    def end(self, state: dict[str, Any]) -> None:
        """Keep *state* whole in place of the journal."""
        replace_file(self._state, json.dumps(state, ensure_ascii=False))
        self.close()
        self._journal.unlink(missing_ok=True)

    def close(self) -> None:
        """Stop writing and leave state and journal as they are."""
        if self._open is not None:
            self._open.close()


def _read(path: Path) -> Any:
    """Return the JSON of *path*, None where it cannot be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError):
        return None


def replace_file(path: Path, text: str) -> None:
    """Write *text* so that a reader finds the old file or the new one, never a part."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def _tool(found: Any) -> Tool:
    """Return a tool as any tool manager lists it: an object or a mapping with a name."""
    if isinstance(found, Tool):
        return found
    read: Callable[[str], Any] = found.get if isinstance(found, dict) else partial(_attribute, found)
    schema = read("input_schema") or read("inputSchema") or read("parameters") or {}
    return Tool(name=str(read("name")), description=str(read("description") or ""), input_schema=dict(schema))


def _attribute(found: Any, name: str) -> Any:
    return getattr(found, name, None)
