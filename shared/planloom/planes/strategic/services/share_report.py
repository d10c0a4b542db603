"""Share a plan's report by a link that cannot be guessed, serve it, and take it back."""

import hashlib
import secrets
from datetime import timedelta

from planloom.accounts.access import ShareStore
from planloom.accounts.shares import Share
from planloom.core.artifacts import REPORT
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.services.own_plan import own_plan
from planloom.planes.strategic.services.plan_file_info import finished_file

DAYS, MOST_DAYS = 30, 365


def share_report(
    plan_records: PlanRecords, shares: ShareStore, account: str, plan_id: str, days: int = DAYS
) -> tuple[str, Share]:
    """Return a new token for the report of a completed plan, the only time that anybody sees it, and its share.

    Raises what finished_file raises.
    """
    found = finished_file(plan_records, account, plan_id, "report")
    token, now = secrets.token_urlsafe(32), plan_records.now()
    expires = now + timedelta(days=max(1, min(days, MOST_DAYS)))
    share = Share(digest=_digest(token), plan_id=found.plan_id, created_at=now, expires_at=expires)
    shares.add(share)
    return token, share


def unshare_report(plan_records: PlanRecords, shares: ShareStore, account: str, plan_id: str) -> int:
    """Revoke every shared link of the plan at once; return how many there were.

    Raises InvalidArgument, PlanNotFound, PermissionDenied.
    """
    return shares.revoke_all(own_plan(plan_records, account, plan_id).plan_id)


def shared_report(plan_records: PlanRecords, shares: ShareStore, token: str) -> bytes | None:
    """Return the report that *token* opens; None where it is unknown, revoked or expired, or its plan deleted."""
    share = shares.get(_digest(token))
    if share is None or share.expires_at <= plan_records.now() or plan_records.plans.get(share.plan_id) is None:
        return None
    return plan_records.files.read(share.plan_id, REPORT)


def _digest(token: str) -> str:
    # plain SHA-256, since the token has 256 random bits
    return hashlib.sha256(token.encode()).hexdigest()
