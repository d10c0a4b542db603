"""The hosts of workflows: for each run of a workflow a durable run that parks until something is due."""

from contextlib import suppress
from dataclasses import dataclass

from planloom.planes.workflows.states import Execution
from planloom.runs.control import Runs
from planloom.runs.errors import RunActive, RunNotFound, RunNotResumable
from planloom.runs.records import RESUMABLE, Run, RunWork

#: The account of hosts: they are no runs that callers list or count.
ACCOUNT = "planloom/workflows"


@dataclass(frozen=True)
class RunHost:
    """Keeps planloom.planes.workflows.ports.Host on durable runs."""

    runs: Runs

    def start(self, run: Execution) -> None:
        host = host_id(run.run_id)
        try:
            known = self.runs.store.get(host)
            if known is None:
                self.runs.start(self._run(host, run), RunWork(document={}))
            elif known.state in RESUMABLE and not run.ended:
                # it failed: it looks after the run again
                self.runs.resume(ACCOUNT, host, "retry")
        except (RunActive, RunNotResumable):
            # another call was first
            return

    def _run(self, host: str, run: Execution) -> Run:
        return Run(
            run_id=host,
            plane="workflows",
            account=ACCOUNT,
            subject=run.run_id,
            title=run.title,
            work="000001",
            created_at=run.created_at,
            steps=1,
        )

    def wake(self, run_id: str) -> None:
        self.runs.wake(host_id(run_id))

    def forget(self, run_id: str) -> None:
        with suppress(RunActive, RunNotFound):
            self.runs.delete(ACCOUNT, host_id(run_id))


def host_id(run_id: str) -> str:
    """Return the id of the durable run that looks after a run of a workflow; names of executions take no colon."""
    return run_id.partition(":")[2] or run_id
