"""The promises of CreditStore, kept alike by the fake and by DynamoDB: in whatever order, and however often."""

from datetime import timedelta
from uuid import uuid4

import boto3
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planloom.accounts.credits import LedgerEntry, Reservation
from planloom.accounts.stores import CreditStore
from planloom.adapters.dynamodb_credits import DynamoCreditStore
from tests.fakes import FakeCreditStore
from tests.integration.conftest import TABLE
from tests.integration.test_plan_store import NOW
from tests.thorough import THOROUGH


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


def test_a_run_that_wants_more_than_it_holds_gets_what_is_missing(credits: CreditStore) -> None:
    credits.add(added(50))
    assert credits.reserve(held(8))
    assert credits.reserve(held(30))
    assert credits.reserve(held(8))
    assert (credits.balance("acme"), credits.reserved()) == (20, [held(30)])
    assert not credits.reserve(held(51)), "more than there is changes nothing"
    assert (credits.balance("acme"), credits.reserved()) == (20, [held(30)])


def test_a_run_that_never_began_may_reserve_again_and_one_that_was_settled_may_not(credits: CreditStore) -> None:
    credits.add(added(50))
    credits.reserve(held(30))
    assert [credits.release(held(30), NOW) for _ in range(2)] == [True, False]
    assert (credits.balance("acme"), credits.reserved()) == (50, [])
    later = held(30).model_copy(update={"at": NOW + timedelta(hours=1)})
    assert credits.reserve(later)
    assert not credits.release(held(30), NOW), "it is held anew since"
    assert (credits.balance("acme"), credits.reserved()) == (20, [later])
    assert credits.settle("p", 1, 30, NOW)
    assert not credits.release(later, NOW)
    kinds = [(entry.kind, entry.amount) for entry in credits.entries("acme")]
    assert sorted(kinds) == [("added", 50), ("released", 30), ("reserved", -30), ("reserved", -30), ("settled", 0)]


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["add", "reserve", "settle", "release"]),
        st.sampled_from("pqr"),
        st.integers(1, 2),
        st.integers(1, 40),
    ),
    max_size=25,
)


@settings(max_examples=25 if THOROUGH else 8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_under_any_order_of_reserving_settling_and_repeating_the_balance_is_right(
    credits: CreditStore, steps: list[tuple[str, str, int, int]]
) -> None:
    account = str(uuid4())
    balance, open_, done = 0, {}, set()
    for number, (what, plan, run, amount) in enumerate(steps):
        name, plan_id, at = (plan, run), f"{account}{plan}", NOW + timedelta(minutes=number)
        wanted = Reservation(account=account, plan_id=plan_id, run=run, amount=amount, at=at)
        if what == "add":
            balance += amount
            assert credits.add(added(amount, account, f"{account}{number}"))
        elif what == "reserve":
            more = 0 if name in done else max(0, amount - (open_[name].amount if name in open_ else 0))
            assert credits.reserve(wanted) == (more <= balance)
            if name not in done and more <= balance:
                before = open_[name].amount if name in open_ else 0
                open_[name], balance = wanted.model_copy(update={"amount": before + more}), balance - more
        elif what == "release":
            was = open_.pop(name, None)
            assert credits.release(was or wanted, at) == (was is not None)
            balance += was.amount if was else 0
        else:
            assert credits.settle(plan_id, run, amount, at) == (name in open_)
            if name in open_:
                balance += max(0, open_.pop(name).amount - amount)
                done.add(name)
        assert credits.balance(account) == balance >= 0
    assert sum(entry.amount for entry in credits.entries(account)) == balance
    assert {each.name: each for each in credits.reserved() if each.account == account} == {
        held.name: held for held in open_.values()
    }


def test_a_reservation_that_was_stored_without_a_plane_is_of_a_strategic_plan(aws: None) -> None:
    table = boto3.client("dynamodb")
    store = DynamoCreditStore(table, TABLE)
    store.add(added(50))
    store.reserve(held(30))
    (row,) = [row for row in table.scan(TableName=TABLE)["Items"] if "plane" in row]
    table.put_item(TableName=TABLE, Item={name: value for name, value in row.items() if name != "plane"})
    assert store.reserved() == [held(30)]
    assert store.settle("p", 1, 30, NOW)
