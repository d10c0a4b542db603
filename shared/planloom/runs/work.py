"""A worker of runs: take the lease of a run, and continue where the last worker ended."""

import asyncio
import logging
import time
from dataclasses import dataclass
from datetime import timedelta

from planloom.runs.job import OpenJob
from planloom.runs.journal import Journal, LeaseLost, Ports
from planloom.runs.records import ENDED, Control, Lease, Run, RunState
from planloom.runs.turn import Pace, RunTurn, Turn, log_end

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Worker(Ports):
    """What works on runs, of whichever plane."""

    open_job: OpenJob
    pace: Pace = Pace()  # noqa: RUF009 - frozen

    async def work(self, run_id: str, number: int, part: int = 1) -> Turn:
        """Work on run *number* until it ends, waits, or this worker's time is up."""
        run = await self.io(self.store.get, run_id)
        if run is None or (run.number, run.part) != (number, part):
            return Turn("ended")
        if run.state in ENDED:
            await log_end(self, run)
            return Turn("failed" if run.state is RunState.FAILED else "ended")
        control = await self._lease(run)
        if control is None:
            return Turn("more")
        lease = Lease(run_id, number, control.epoch)
        journal = Journal(self, run, lease, control, self.now() + timedelta(seconds=self.pace.lease))
        try:
            return await RunTurn(journal, control, self.open_job, self.pace).work()
        except LeaseLost:
            logger.warning("lease lost", extra={"run_id": run_id})
            return Turn("more")

    async def _lease(self, run: Run) -> Control | None:
        """Take the lease; wait as long as that of a lost worker may last."""
        patience = time.monotonic() + self.pace.lease * 1.3
        while True:
            now = self.now()
            until = now + timedelta(seconds=self.pace.lease)
            control = await self.io(self.store.take_lease, run.run_id, run.number, now, until)
            if control or time.monotonic() > patience:
                return control
            current = await self.io(self.store.control, run.run_id)
            if current is None or current.number != run.number or current.state in ENDED:
                return None
            await asyncio.sleep(min(self.pace.look, 1))
