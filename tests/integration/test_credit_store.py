"""The promises of CreditStore, kept alike by the fake and by DynamoDB: in whatever order, and however often."""

from datetime import timedelta
from uuid import uuid4

import boto3
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planloom.adapters.dynamodb_credits import DynamoCreditStore
from planloom.domain.credits import LedgerEntry, Reservation
from planloom.ports import CreditStore
from tests.fakes import FakeCreditStore
from tests.integration.conftest import TABLE
from tests.integration.test_plan_store import NOW


@pytest.fixture(params=["fake", "dynamodb"])
def credits(request: pytest.FixtureRequest) -> CreditStore:
    if request.param == "fake":
        return FakeCreditStore()
    request.getfixturevalue("aws")
    return DynamoCreditStore(boto3.client("dynamodb"), TABLE)


def added(amount: int, account: str = "acme", entry_id: str = "a") -> LedgerEntry:
    return LedgerEntry(entry_id=entry_id, account=account, kind="added", amount=amount, at=NOW)


def held(amount: int, plan_id: str = "p", run: int = 1, account: str = "acme") -> Reservation:
    return Reservation(account=account, plan_id=plan_id, run=run, amount=amount, at=NOW + timedelta(minutes=run))


def test_what_is_added_twice_under_one_name_is_added_once(credits: CreditStore) -> None:
    assert credits.add(added(50))
    assert not credits.add(added(50))
    assert (credits.balance("acme"), credits.balance("other")) == (50, 0)


def test_a_run_reserves_once_and_settles_once(credits: CreditStore) -> None:
    credits.add(added(50))
    assert [credits.reserve(held(30)) for _ in range(3)] == [True, True, True]
    assert (credits.balance("acme"), credits.reserved()) == (20, [held(30)])
    assert [credits.settle("p", 1, 12, NOW) for _ in range(2)] == [True, False]
    assert (credits.balance("acme"), credits.reserved()) == (38, [])
    assert credits.reserve(held(30)), "a late repeat reserves nothing"
    assert (credits.balance("acme"), credits.reserved()) == (38, [])


def test_nothing_is_reserved_beyond_the_balance(credits: CreditStore) -> None:
    assert not credits.reserve(held(1))
    credits.add(added(29))
    assert not credits.reserve(held(30))
    assert (credits.balance("acme"), credits.reserved(), len(credits.entries("acme"))) == (29, [], 1)


def test_a_run_never_pays_more_than_it_reserved_nor_less_than_nothing(credits: CreditStore) -> None:
    credits.add(added(20))
    credits.reserve(held(10, "p"))
    credits.reserve(held(10, "q"))
    credits.settle("p", 1, 99, NOW)
    credits.settle("q", 1, -5, NOW)
    assert credits.balance("acme") == 10


def test_the_ledger_adds_up_to_the_balance_and_says_when_and_what_for(credits: CreditStore) -> None:
    credits.add(added(50))
    credits.reserve(held(30))
    credits.settle("p", 1, 30, NOW + timedelta(hours=1))
    assert [(entry.kind, entry.amount) for entry in credits.entries("acme")] == [
        ("added", 50),
        ("reserved", -30),
        ("settled", 0),
    ]
    assert credits.balance("acme") == 20


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["add", "reserve", "settle"]), st.sampled_from("pqr"), st.integers(1, 2), st.integers(1, 40)
    ),
    max_size=25,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_under_any_order_of_reserving_settling_and_repeating_the_balance_is_right(
    credits: CreditStore, steps: list[tuple[str, str, int, int]]
) -> None:
    account = str(uuid4())
    balance, open_, done = 0, {}, set()
    for number, (what, plan, run, amount) in enumerate(steps):
        plan_id = f"{account}{plan}"
        if what == "add":
            balance += amount
            assert credits.add(added(amount, account, f"{account}{number}"))
        elif what == "reserve":
            fits = balance >= amount
            known = (plan, run) in open_ or (plan, run) in done
            assert credits.reserve(held(amount, plan_id, run, account)) == (known or fits)
            if not known and fits:
                open_[plan, run], balance = amount, balance - amount
        else:
            assert credits.settle(plan_id, run, amount, NOW) == ((plan, run) in open_)
            if (plan, run) in open_:
                balance += max(0, open_.pop((plan, run)) - amount)
                done.add((plan, run))
        assert credits.balance(account) == balance >= 0
    assert sum(entry.amount for entry in credits.entries(account)) == balance
    assert len([each for each in credits.reserved() if each.account == account]) == len(open_)
