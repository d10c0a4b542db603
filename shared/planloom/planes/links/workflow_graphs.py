"""Stored graphs as plugins of workflows: a node with the owner ``graph/ID`` runs that graph."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planloom.planes.graphs.service import Graphs
from planloom.runs.records import ENDED, RunState, from_json

#: Results of so many steps are passed on, and of so many bytes each.
MOST_STEPS, MOST_BYTES = 200, 20_000


@dataclass(frozen=True)
class WorkflowGraphs:
    """Keeps planloom.planes.workflows.job.GraphRuns."""

    graphs: Graphs

    def start(self, account: str, graph_id: str, variables: Mapping[str, Any], wakes: str) -> str:
        run, _ = self.graphs.run(account, graph_id, variables, wakes=wakes)
        return run.run_id

    def stop(self, account: str, run_id: str) -> None:
        self.graphs.runs.stop(account, run_id)

    def ended(self, account: str, run_id: str) -> tuple[str, Any, str] | None:
        run = self.graphs.runs.get(account, run_id)
        if run.state not in ENDED:
            return None
        failure = run.failure.message if run.failure else ""
        if run.state is not RunState.COMPLETED:
            return str(run.state), None, failure
        _, steps, _ = self.graphs.steps(account, run_id, 0, MOST_STEPS)
        results, omitted = {}, []
        for step, record in steps:
            name = step.result_variable or step.index
            if record is None or record.value_bytes > MOST_BYTES:
                omitted.append(name)
                continue
            text = self.graphs.runs.value(account, run_id, record)
            results[name] = None if text is None else from_json(text)
        return "completed", {"runId": run_id, "results": results, "omitted": omitted}, ""
