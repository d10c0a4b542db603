"""What follows from a fact outside of its run: kept with the run until it is done, and done again after a crash."""

from planloom.planes.workflows.draft import Part
from planloom.planes.workflows.states import Execution, NodeRun, NodeStatus, RunStatus


class Effects(Part):
    """What a change of a run asks for. Carried out twice, it does the same as once.

    ``starts``: the run is new. ``previous``: its status before, where status or reason changed. ``moved``: the status
    of a node changed. ``asked`` and ``withdrawn`` are ids of approvals, ``orphaned`` those of runs of subworkflows that
    the run no longer waits for, ``ready`` the nodes that began to wait for their owner.
    """

    starts: bool = False
    previous: RunStatus | None = None
    moved: bool = False
    asked: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    orphaned: tuple[str, ...] = ()
    ready: tuple[str, ...] = ()
    wakes: bool = False


#: Nothing follows, as after a heartbeat.
NOTHING = Effects()


def effects_of(before: Execution | None, after: Execution, *, wakes: bool = False) -> Effects:
    """Return what follows from the change of a run; *before* is None where it is new."""
    earlier = before.nodes if before else {}
    approvals = before.approvals if before else {}
    children = {node.child_run_id for node in earlier.values() if node.child_run_id}
    kept = set() if after.ended else {node.child_run_id for node in after.nodes.values()}
    changed = before is not None and (before.status, before.reason) != (after.status, after.reason)
    return Effects(
        starts=before is None,
        previous=before.status if before and changed else None,
        moved=any(name not in earlier or earlier[name].status is not node.status for name, node in after.nodes.items()),
        asked=tuple(each for each in after.approvals if each not in approvals),
        withdrawn=tuple(each for each in approvals if each not in after.approvals),
        orphaned=tuple(sorted(children - kept)),
        ready=tuple(name for name in after.nodes if _became_ready(before, after, name)),
        wakes=wakes,
    )


def _became_ready(before: Execution | None, after: Execution, name: str) -> bool:
    earlier, found = before.nodes.get(name) if before else None, after.nodes[name]
    # a loop can make a node ready again by the fact that ended it
    was = earlier is not None and _waits_for_owner(earlier) and earlier.iteration == found.iteration
    return _waits_for_owner(found) and not was and not after.ended


def _waits_for_owner(node: NodeRun) -> bool:
    # approval.requested is sent to the people of an approval
    return node.status is NodeStatus.READY or (node.status is NodeStatus.AWAITING_HUMAN and not node.approval_for)
