"""Find and kill the worker processes of an embedded AWS, and see what a plan has committed by then."""

import os
import signal
from contextlib import suppress
from pathlib import Path

from planloom.planes.strategic.stages.pipeline import stage_named
from planloom_cli.embedded.state_folder import StateFolder
from tests.e2e.conftest import Running, until

#: How often a kill is tried that must come while a stage is at work.
TRIES = 5


def workers(folder: StateFolder, variable: str) -> list[int]:
    """Return the worker processes of the AWS in *folder* whose function has *variable* in its environment.

    A worker may be a fork, which shows the environment of what it was forked from: it is found by the folder of what
    started it.
    """
    wanted = {variable, f"TMPDIR={folder.temporary}"}
    folders, found = set(), []
    for path in Path("/proc").glob("[0-9]*"):
        # processes end while we look
        with suppress(OSError):
            environment = (path / "environ").read_text(errors="replace").split("\0")
            if all(any(each.startswith(start) for each in environment) for start in wanted):
                script = (path / "cmdline").read_text().split("\0")[-2]
                folders.add(Path(script).parent / "code")
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (path / "cwd").readlink() in folders:
                found.append(int(path.name))
    return found


def kill(pids: list[int]) -> None:
    """Kill the processes, of which there must be one."""
    assert pids
    for pid in pids:
        os.kill(pid, signal.SIGKILL)


def killed_at(service: Running, goal: str, name: str, worked: int = 0) -> str:
    """Return a plan for the example *goal* that failed since the worker of its stage *name* was killed in its middle.

    It has worked for more than *worked* clock ticks. A stage may take a few hundredths of a second: where it was done
    before the kill, another plan is tried.
    """
    for _ in range(TRIES):
        plan_id = service.create(goal)
        kill_at_work(service, plan_id, name, worked)
        failed = service.until_state(plan_id)["state"] == "failed"
        if failed and stage_named(name).key not in committed(service, plan_id):
            return plan_id
    raise AssertionError(f"{name} was killed too late, {TRIES} times")


def kill_at_work(service: Running, plan_id: str, name: str, worked: int) -> None:
    """Kill the workers of the stage *name* once it has what it needs and has worked for more than *worked* ticks."""
    until(lambda: ready(service, plan_id, name), f"all that {name} needs", every=0.02)
    found = workers(service.aws.folder, f"PLAN_STAGE={name}")
    idle = sum(map(processor_time, found))
    until(lambda: sum(map(processor_time, found)) > idle + worked, f"{name} at work", every=0.001)
    kill(found)


def ready(service: Running, plan_id: str, name: str) -> bool:
    """Say whether the plan has committed all that the stage *name* needs."""
    return {stage_named(need).key for need in stage_named(name).needs} <= committed(service, plan_id)


def processor_time(pid: int) -> int:
    """Return the clock ticks that a process has worked."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def committed(service: Running, plan_id: str) -> set[str]:
    """Return the keys of the steps that are committed."""
    return {path[6:9] for path in service.ports.files.paths(plan_id, "steps/")}
