"""The composition root of approvals, apart from that of webhooks: a function that only sends loads no plane."""

import importlib
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, cast

from planloom.adapters.dynamodb_approvals import DynamoApprovalStore
from planloom.adapters.dynamodb_keys import DynamoKeyStore
from planloom.approvals.approval import Approval, ApprovalState, File
from planloom.approvals.ports import Change, Listener
from planloom.approvals.service import Approvals
from planloom.approvals.signed_links import OpenedLink
from planloom.planes.graphs.approve import wakes
from planloom.wiring import settings
from planloom.wiring.aws import client
from planloom.wiring.notifications import publish_approval
from planloom.wiring.runs import runs

if TYPE_CHECKING:
    from planloom.planes.workflows.service import Workflows


def _workflows() -> Listener:
    return cast(Listener, importlib.import_module("planloom.wiring.workflows").on_approval)


def _graphs() -> Listener:
    return wakes(runs())


#: By plane, what returns its listener; imported on the first change, since a plane's libraries cost time to load.
LISTENERS: dict[str, Callable[[], Listener]] = {"workflows": _workflows, "graphs": _graphs}


@cache
def approvals() -> Approvals:
    """Return the approvals of all accounts."""
    return Approvals(
        store=DynamoApprovalStore(client("dynamodb"), settings().table),
        listeners=(_call_plane, publish_approval),
        now=lambda: datetime.now(UTC),
        key_shown=_key_shown,
    )


def files_of(opened: OpenedLink) -> list[tuple[File, str]]:
    """Return the files that a link shows, each with the URL of its content: none after the link was used."""
    if opened.used or opened.approval.state is not ApprovalState.PENDING or not opened.approval.subject.files:
        return []
    # workflows alone have files
    workflows: Workflows = importlib.import_module("planloom.wiring.workflows").workflows()
    return workflows.approved_files(opened.approval)


def _key_shown(digest: str) -> str:
    key = DynamoKeyStore(client("dynamodb"), settings().table).get(digest)
    return key.shown if key else ""


def _call_plane(approval: Approval, change: Change) -> None:
    if approval.subject.plane in LISTENERS:
        LISTENERS[approval.subject.plane]()(approval, change)
