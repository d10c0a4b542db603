"""Reserve credits before a run begins, and settle what it made once it has ended; off unless the deployment asks.

Whatever takes a run's records away (a retry, a deletion, an invalidation) settles it first: they are what it pays for.
"""

from datetime import timedelta

from planloom.domain.credits import LedgerEntry, Reservation
from planloom.domain.errors import InsufficientCredits
from planloom.domain.pipeline_map import STEPS
from planloom.domain.plans import TERMINAL, Plan
from planloom.services.read_records import records_that_count
from planloom.services.world import World

#: Between reserving and beginning a run lie seconds; what is reserved longer for a run that never began is given back.
BEGINS_WITHIN = timedelta(minutes=30)


def reserve_credits(world: World, plan: Plan) -> None:
    """Hold what the run that *plan* is about to begin may cost; a repeat holds it once. Raises InsufficientCredits."""
    needed = credits_needed(world, len(plan.steps_finished))
    if needed is None:
        return
    payer = plan.user_account or plan.account
    held = Reservation(account=payer, plan_id=plan.plan_id, run=plan.run, amount=needed, at=world.now())
    if not world.credits.reserve(held):
        balance = world.credits.balance(payer)
        raise InsufficientCredits(
            f"The run may cost {needed} credits, and the account has {balance}. Ask the operator to add credits.",
            needed=needed,
            balance=balance,
        )


def credits_needed(world: World, finished: int) -> int | None:
    """Return what a run reserves that begins with so many steps *finished*; None where plans cost no credits."""
    return max(1, len(STEPS) - finished) if world.rules.credits else None


def settle_credits(world: World, plan: Plan) -> bool:
    """Pay for the stages that the ended run of *plan* made; return whether anything was left to settle."""
    if not world.rules.credits or plan.state not in TERMINAL:
        return False
    made = [record for record in records_that_count(world, plan).values() if record.run == plan.run]
    return world.credits.settle(plan.plan_id, plan.run, len(made), world.now())


def settle_ended(world: World) -> list[str]:
    """Settle what a crash left reserved; return the names of those runs."""
    if not world.rules.credits:
        return []
    settled = []
    for held in world.credits.reserved():
        settled += [held.name] if _settle(world, held) else []
    return settled


def add_credits(world: World, account: str, amount: int, note: str = "") -> int:
    """Add *amount* credits, which may be negative, and return the balance."""
    entry_id = f"{world.new_id()}#added"
    world.credits.add(
        LedgerEntry(entry_id=entry_id, account=account, kind="added", amount=amount, at=world.now(), note=note)
    )
    return world.credits.balance(account)


def _settle(world: World, held: Reservation) -> bool:
    plan = world.plans.get(held.plan_id)
    if plan is not None and plan.run == held.run:
        return settle_credits(world, plan)
    if plan is not None and plan.run > held.run:
        paid = sum(record.run == held.run for record in records_that_count(world, plan).values())
        return world.credits.settle(held.plan_id, held.run, paid, world.now())
    # it never began, or its plan was deleted after it was settled: either way nothing is left to pay for
    return world.now() - held.at > BEGINS_WITHIN and world.credits.release(held, world.now())
