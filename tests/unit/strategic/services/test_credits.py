"""What runs cost where a deployment asks for credits: reserved before, settled after, once."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest

from planloom.accounts.credits import Reservation
from planloom.accounts.rules import Rules
from planloom.core.errors import InsufficientCredits
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.services.create_plan import create_plan
from planloom.planes.strategic.services.credits import add_credits, settle_ended
from planloom.planes.strategic.services.delete_plan import delete_plan
from planloom.planes.strategic.services.end_run import end_run
from planloom.planes.strategic.services.invalidate_plan import invalidate_plan, validate_plan
from planloom.planes.strategic.services.resume_plan import resume_plan
from planloom.planes.strategic.services.retry_plan import retry_plan
from planloom.planes.strategic.services.stop_plan import stop_plan
from planloom.planes.strategic.stages.pipeline import PIPELINE
from tests.fake_ports import PROMPT, Fakes, make_fakes
from tests.unit.strategic.services.drafted import completed
from tests.unit.strategic.services.spy import Spy
from tests.unit.strategic.services.walk import deliver, work

#: What a whole plan costs: a credit for each step.
STEPS = len(PIPELINE)


def paying(credits: int = 100) -> Fakes:
    """Fakes in which acme has some credits, and plans cost them."""
    fakes = make_fakes()
    fakes = replace(fakes, ports=replace(fakes.ports, rules=Rules(credits=True)))
    add_credits(fakes.ports.billing, fakes.ports.new_id, "acme", credits)
    return fakes


@pytest.fixture
def fakes() -> Fakes:
    return paying()


def balance(fakes: Fakes, account: str = "acme") -> int:
    return fakes.ports.credits.balance(account)


def test_by_default_plans_cost_nothing_and_nobody_needs_credits() -> None:
    fakes = make_fakes()
    plan = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT)
    stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
    assert (
        balance(fakes),
        fakes.ports.credits.entries("acme"),
        settle_ended(fakes.ports.plan_records, fakes.ports.billing),
    ) == (0, [], [])


def test_9_3_without_credits_no_plan_is_made_and_nothing_is_stored() -> None:
    fakes = paying(STEPS - 1)
    with pytest.raises(InsufficientCredits) as refused:
        create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT)
    assert refused.value.details == {"needed": STEPS, "balance": STEPS - 1}
    assert (fakes.plans.plans, fakes.files.contents, balance(fakes)) == ({}, {}, STEPS - 1)


def test_a_run_pays_for_the_stages_that_it_made_and_a_resume_for_the_others() -> None:
    fakes = paying()
    plan = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT)
    assert balance(fakes) == 100 - STEPS
    work(fakes, plan, "start", "screening")
    deliver(fakes)
    stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
    stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
    assert balance(fakes) == 98, "two stages, settled once"
    resumed = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    assert balance(fakes) == 98 - (STEPS - 2)
    work(fakes, resumed, "start", "screening", "premise_attack")
    end_run(fakes.ports.run_control, plan.plan_id, 2, "FAILED")
    end_run(fakes.ports.run_control, plan.plan_id, 2, "FAILED")
    assert balance(fakes) == 97, "what was skipped is not paid again"


def test_a_repeat_of_a_create_reserves_once() -> None:
    fakes = paying(STEPS)
    first = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1")
    assert (
        create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1").plan_id
        == first.plan_id
    )
    assert balance(fakes) == 0


def test_the_user_on_whose_behalf_a_plan_is_made_pays() -> None:
    fakes = paying()
    add_credits(fakes.ports.billing, fakes.ports.new_id, "ann", STEPS + 10)
    create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, user_account="ann")
    assert (balance(fakes), balance(fakes, "ann")) == (100, 10)


def crashed(*_: object, **__: object) -> None:
    raise ConnectionError


def stopped(fakes: Fakes, *stages: str) -> str:
    """A plan that was stopped, and settled, after some stages."""
    plan = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT)
    work(fakes, plan, *stages)
    deliver(fakes)
    stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
    return plan.plan_id


def test_a_retry_reserves_all_stages_anew(fakes: Fakes) -> None:
    plan_id = stopped(fakes, "start", "screening")
    assert balance(fakes) == 98
    again = retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan_id, client_request_id="once")
    assert retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan_id, client_request_id="once") == again
    assert balance(fakes) == 98 - STEPS
    work(fakes, again, "start")
    stop_plan(fakes.ports.run_control, "acme", plan_id)
    assert balance(fakes) == 97


def test_a_derived_plan_reserves_what_its_change_has_made_again_and_one_left_stopped_when_it_is_resumed() -> None:
    drafted, origin = completed(Spy())
    fakes = replace(drafted, ports=replace(drafted.ports, rules=Rules(credits=True)))
    add_credits(fakes.ports.billing, fakes.ports.new_id, "acme", 100)
    invalidate_plan(
        fakes.ports.run_control, fakes.ports.models, "acme", origin.plan_id, ["report"], client_request_id="once"
    )
    invalidate_plan(
        fakes.ports.run_control, fakes.ports.models, "acme", origin.plan_id, ["report"], client_request_id="once"
    )
    assert balance(fakes) == 99
    left = invalidate_plan(
        fakes.ports.run_control, fakes.ports.models, "acme", origin.plan_id, ["report"], start=False
    ).plan
    assert balance(fakes) == 99
    resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", left.plan_id)
    assert balance(fakes) == 98
    validate_plan(fakes.ports.run_control, fakes.ports.models, "acme", origin.plan_id)
    assert balance(fakes) == 94


def test_a_dry_run_says_what_the_run_would_reserve() -> None:
    drafted, origin = completed(Spy())
    fakes = replace(drafted, ports=replace(drafted.ports, rules=Rules(credits=True)))
    add_credits(fakes.ports.billing, fakes.ports.new_id, "acme", 100)
    said = invalidate_plan(fakes.ports.run_control, fakes.ports.models, "acme", origin.plan_id, ["016"], dry_run=True)
    assert balance(fakes) == 100
    invalidate_plan(fakes.ports.run_control, fakes.ports.models, "acme", origin.plan_id, ["016"])
    assert said.credits == 100 - balance(fakes) == 8


@pytest.mark.parametrize("begin", [resume_plan, retry_plan])
def test_a_run_that_a_crash_kept_from_beginning_is_given_back_and_the_next_one_pays(
    fakes: Fakes, begin: Callable[..., Plan], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan_id = stopped(fakes, "start")
    with monkeypatch.context() as broken:
        broken.setattr(fakes.plans, "restart", crashed)
        with pytest.raises(ConnectionError):
            begin(fakes.ports.run_control, fakes.ports.models, "acme", plan_id)
    fakes.clock.pass_(hours=1)
    assert (settle_ended(fakes.ports.plan_records, fakes.ports.billing), balance(fakes)) == ([f"{plan_id}-2"], 99)
    resumed = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan_id)
    assert balance(fakes) == 99 - (STEPS - 1), "it is not free because another of its number was given back"
    work(fakes, resumed, "start", "screening")
    stop_plan(fakes.ports.run_control, "acme", plan_id)
    assert balance(fakes) == 98


def test_a_repeated_create_after_its_credits_were_given_back_pays(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(fakes.plans, "add", crashed)
        with pytest.raises(ConnectionError):
            create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1")
    fakes.clock.pass_(hours=1)
    assert len(settle_ended(fakes.ports.plan_records, fakes.ports.billing)) == 1
    create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1")
    assert balance(fakes) == 100 - STEPS


def test_what_a_crash_left_unsettled_is_paid_before_a_retry_or_a_deletion_takes_its_records(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for end in (
        lambda plan_id: retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan_id),
        lambda plan_id: None,
    ):
        plan = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT)
        work(fakes, plan, "start", "screening")
        with monkeypatch.context() as broken:
            broken.setattr(fakes.ports.credits, "settle", crashed)
            with pytest.raises(ConnectionError):
                stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
        if end(plan.plan_id):
            stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
        delete_plan(fakes.ports.plan_records, fakes.ports.shares, fakes.ports.billing, "acme", plan.plan_id)
    assert (balance(fakes), fakes.ports.credits.reserved()) == (96, [])


def test_what_a_crash_before_the_plan_was_stored_reserved_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    fakes = paying()

    def crash(*_: object) -> None:
        raise ConnectionError

    with monkeypatch.context() as broken:
        broken.setattr(fakes.plans, "add", crash)
        with pytest.raises(ConnectionError):
            create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT)
    assert (balance(fakes), settle_ended(fakes.ports.plan_records, fakes.ports.billing)) == (100 - STEPS, []), (
        "it may still be active"
    )
    fakes.clock.pass_(hours=1)
    assert len(settle_ended(fakes.ports.plan_records, fakes.ports.billing)) == 1
    assert (balance(fakes), settle_ended(fakes.ports.plan_records, fakes.ports.billing)) == (100, [])


def test_what_a_crash_at_the_end_left_reserved_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    fakes = paying()
    plan = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT)
    work(fakes, plan, "start")
    deliver(fakes)

    def crash(plan_id: str, run: int, paid: int, at: datetime) -> bool:
        raise ConnectionError

    with monkeypatch.context() as broken:
        broken.setattr(fakes.ports.credits, "settle", crash)
        with pytest.raises(ConnectionError):
            stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
    assert balance(fakes) == 100 - STEPS
    assert settle_ended(fakes.ports.plan_records, fakes.ports.billing) == [f"{plan.plan_id}-1"]
    assert balance(fakes) == 99


def test_what_a_run_of_another_plane_reserved_is_not_settled_here() -> None:
    fakes = paying(STEPS)
    other = Reservation(account="acme", plane="workflows", plan_id="w", run=1, amount=STEPS, at=fakes.clock())
    fakes.ports.credits.reserve(other)
    fakes.clock.pass_(days=1)
    assert (settle_ended(fakes.ports.plan_records, fakes.ports.billing), balance(fakes)) == ([], 0)
    assert fakes.ports.credits.reserved() == [other]
