"""Acceptance of plans: a token for each dry run, and the checks before a live run."""

from datetime import datetime, timedelta

from planloom.planes.programs.commit import commit_id
from planloom.planes.programs.errors import (
    PlanCommitExpired,
    PlanCommitMismatch,
    PlanRequiresReview,
    ProgramDenied,
    ProgramNeedsFix,
    UnknownPlanCommit,
)
from planloom.planes.programs.plan import ProgramPlan, Verdict
from planloom.planes.programs.ports import Commit, Session, SessionStore

#: How long a dry run is accepted.
PLAN_COMMIT_TTL = timedelta(seconds=600)
AGAIN = "Dry-run the program again with plasm (or mode=plan) and pass the new plan_commit_ref."


def mint(store: SessionStore, session: Session, plan: ProgramPlan, now: datetime) -> Commit:
    """Store the acceptance of *plan* in its session, under the next reference from ``pc0``."""
    number = store.next(session.account, session.name, "commits") - 1
    commit = Commit(
        ref=f"pc{number}", commit_id=commit_id(plan), verdict=plan.verdict, expires_at=now + PLAN_COMMIT_TTL
    )
    store.put_commit(session.account, session.name, commit)
    return commit


def accepted(store: SessionStore, session: Session, ref: str, plan: ProgramPlan, now: datetime) -> Commit:
    """Return the commit of *ref* where it is one of *plan*.

    Raises UnknownPlanCommit, PlanCommitExpired, PlanCommitMismatch, checked in this order.
    """
    commit = store.commit(session.account, session.name, ref)
    if commit is None:
        raise UnknownPlanCommit(f"This session has no plan_commit_ref {ref[:20]}. {AGAIN}")
    if now >= commit.expires_at:
        raise PlanCommitExpired(f"{commit.ref} expired: a dry run is accepted for 10 minutes. {AGAIN}")
    if commit.commit_id != commit_id(plan):
        raise PlanCommitMismatch(f"{commit.ref} is the dry run of another program. {AGAIN}")
    return commit


def check_gate(
    store: SessionStore, session: Session, plan: ProgramPlan, *, ref: str, force: bool, now: datetime
) -> tuple[Verdict, str]:
    """Return the verdict under which *plan* may run, and the reference that was accepted, empty where none was given.

    Raises ProgramNeedsFix, ProgramDenied, PlanRequiresReview, and what :func:`accepted` raises.
    """
    verdict = plan.verdict
    commit = accepted(store, session, ref, plan, now) if ref and not force and verdict != "needs_fix" else None
    if commit:
        # the plan that the caller looked at counts
        verdict = commit.verdict
    reasons = list(plan.reasons)
    said = " ".join(reasons)[:1_000]
    if verdict == "needs_fix":
        problems = [each.model_dump(mode="json") for each in plan.problems]
        raise ProgramNeedsFix(
            f"The program cannot run. {said} Correct it.", verdict=verdict, reasons=reasons, problems=problems
        )
    if verdict == "deny":
        raise ProgramDenied(f"The program may not run. {said}", verdict=verdict, reasons=reasons)
    if verdict == "review" and not commit and not force:
        raise PlanRequiresReview(
            f"The plan needs a review. {said} Dry-run it with plasm (or mode=plan), look at the plan, then pass its "
            "plan_commit_ref; or pass force=true.",
            verdict=verdict,
            reasons=reasons,
        )
    return verdict, commit.ref if commit else ""
