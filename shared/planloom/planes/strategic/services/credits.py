"""Reserve credits before a run begins, and settle what it made once it has ended; off unless the deployment asks.

Whatever takes a run's records away (a retry, a deletion, an invalidation) settles it first: they are what it pays for.
"""

from datetime import timedelta

from planloom.accounts.credits import LedgerEntry, Reservation
from planloom.accounts.rules import Rules
from planloom.accounts.stores import Billing
from planloom.core.clock import NewId
from planloom.core.errors import InsufficientCredits
from planloom.core.file_store import FileStore
from planloom.planes.strategic.pipeline_map import CURRENT
from planloom.planes.strategic.plans import TERMINAL, Plan
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.services.read_records import records_that_count

#: The plane whose reservations are settled here.
PLANE = "strategic"
#: Between reserving and beginning a run lie seconds; what is reserved longer for a run that never began is given back.
BEGINS_WITHIN = timedelta(minutes=30)


def reserve_credits(billing: Billing, plan: Plan) -> None:
    """Hold what the run that *plan* is about to begin may cost; a repeat holds it once. Raises InsufficientCredits."""
    needed = credits_needed(billing.rules, len(plan.steps_finished))
    if needed is None:
        return
    payer = plan.user_account or plan.account
    held = Reservation(account=payer, plane=PLANE, plan_id=plan.plan_id, run=plan.run, amount=needed, at=billing.now())
    if not billing.credits.reserve(held):
        balance = billing.credits.balance(payer)
        raise InsufficientCredits(
            f"The run may cost {needed} credits, and the account has {balance}. Ask the operator to add credits.",
            needed=needed,
            balance=balance,
        )


def credits_needed(rules: Rules, finished: int) -> int | None:
    """Return what a run reserves that begins with so many steps *finished*; None where plans cost no credits."""
    return max(1, len(CURRENT) - finished) if rules.credits else None


def settle_credits(files: FileStore, billing: Billing, plan: Plan) -> bool:
    """Pay for the stages that the ended run of *plan* made; return whether anything was left to settle."""
    if not billing.rules.credits or plan.state not in TERMINAL:
        return False
    made = [record for record in records_that_count(files, plan).values() if record.run == plan.run]
    return billing.credits.settle(plan.plan_id, plan.run, len(made), billing.now())


def settle_ended(plan_records: PlanRecords, billing: Billing) -> list[str]:
    """Settle what a crash left reserved; return the names of those runs."""
    if not billing.rules.credits:
        return []
    settled = []
    for held in (each for each in billing.credits.reserved() if each.plane == PLANE):
        settled += [held.name] if _settle(plan_records, billing, held) else []
    return settled


def add_credits(billing: Billing, new_id: NewId, account: str, amount: int, note: str = "") -> int:
    """Add *amount* credits, which may be negative, and return the balance."""
    entry_id = f"{new_id()}#added"
    billing.credits.add(
        LedgerEntry(entry_id=entry_id, account=account, kind="added", amount=amount, at=billing.now(), note=note)
    )
    return billing.credits.balance(account)


def _settle(plan_records: PlanRecords, billing: Billing, held: Reservation) -> bool:
    plan = plan_records.plans.get(held.plan_id)
    if plan is not None and plan.run == held.run:
        return settle_credits(plan_records.files, billing, plan)
    if plan is not None and plan.run > held.run:
        paid = sum(record.run == held.run for record in records_that_count(plan_records.files, plan).values())
        return billing.credits.settle(held.plan_id, held.run, paid, plan_records.now())
    # it never began, or its plan was deleted after it was settled: either way nothing is left to pay for
    return plan_records.now() - held.at > BEGINS_WITHIN and billing.credits.release(held, plan_records.now())
