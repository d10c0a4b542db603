"""What runs cost where a deployment asks for credits: reserved before, settled after, once."""

from dataclasses import replace
from datetime import datetime

import pytest

from planloom.domain.errors import InsufficientCredits
from planloom.domain.rules import Rules
from planloom.services.create_plan import create_plan
from planloom.services.credits import add_credits, settle_ended
from planloom.services.end_run import end_run
from planloom.services.resume_plan import resume_plan
from planloom.services.stop_plan import stop_plan
from tests.unit.services.walk import deliver, work
from tests.worlds import PROMPT, Fakes, make_fakes


def paying(credits: int = 100) -> Fakes:
    """A world in which acme has some credits, and plans cost them."""
    fakes = make_fakes()
    fakes = replace(fakes, world=replace(fakes.world, rules=Rules(credits=True)))
    add_credits(fakes.world, "acme", credits)
    return fakes


def balance(fakes: Fakes, account: str = "acme") -> int:
    return fakes.world.credits.balance(account)


def test_by_default_plans_cost_nothing_and_nobody_needs_credits() -> None:
    fakes = make_fakes()
    plan = create_plan(fakes.world, "acme", PROMPT)
    stop_plan(fakes.world, "acme", plan.plan_id)
    assert (balance(fakes), fakes.world.credits.entries("acme"), settle_ended(fakes.world)) == (0, [], [])


def test_9_3_without_credits_no_plan_is_made_and_nothing_is_stored() -> None:
    fakes = paying(29)
    with pytest.raises(InsufficientCredits) as refused:
        create_plan(fakes.world, "acme", PROMPT)
    assert refused.value.details == {"needed": 30, "balance": 29}
    assert (fakes.plans.plans, fakes.files.contents, balance(fakes)) == ({}, {}, 29)


def test_a_run_pays_for_the_stages_that_it_made_and_a_resume_for_the_others() -> None:
    fakes = paying()
    plan = create_plan(fakes.world, "acme", PROMPT)
    assert balance(fakes) == 70
    work(fakes, plan, "start", "purpose")
    deliver(fakes)
    stop_plan(fakes.world, "acme", plan.plan_id)
    stop_plan(fakes.world, "acme", plan.plan_id)
    assert balance(fakes) == 98, "two stages, settled once"
    resumed = resume_plan(fakes.world, "acme", plan.plan_id)
    assert balance(fakes) == 98 - 28
    work(fakes, resumed, "start", "purpose", "premise_attack")
    end_run(fakes.world, plan.plan_id, 2, "FAILED")
    end_run(fakes.world, plan.plan_id, 2, "FAILED")
    assert balance(fakes) == 97, "what was skipped is not paid again"


def test_a_repeat_of_a_create_reserves_once() -> None:
    fakes = paying(30)
    first = create_plan(fakes.world, "acme", PROMPT, client_request_id="r1")
    assert create_plan(fakes.world, "acme", PROMPT, client_request_id="r1").plan_id == first.plan_id
    assert balance(fakes) == 0


def test_the_user_on_whose_behalf_a_plan_is_made_pays() -> None:
    fakes = paying()
    add_credits(fakes.world, "ann", 40)
    create_plan(fakes.world, "acme", PROMPT, user_account="ann")
    assert (balance(fakes), balance(fakes, "ann")) == (100, 10)


def test_what_a_crash_before_the_plan_was_stored_reserved_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    fakes = paying()

    def crash(*_: object) -> None:
        raise ConnectionError

    with monkeypatch.context() as broken:
        broken.setattr(fakes.plans, "add", crash)
        with pytest.raises(ConnectionError):
            create_plan(fakes.world, "acme", PROMPT)
    assert (balance(fakes), settle_ended(fakes.world)) == (70, []), "it may still be under way"
    fakes.clock.pass_(hours=1)
    assert len(settle_ended(fakes.world)) == 1
    assert (balance(fakes), settle_ended(fakes.world)) == (100, [])


def test_what_a_crash_at_the_end_left_reserved_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    fakes = paying()
    plan = create_plan(fakes.world, "acme", PROMPT)
    work(fakes, plan, "start")
    deliver(fakes)

    def crash(plan_id: str, run: int, paid: int, at: datetime) -> bool:
        raise ConnectionError

    with monkeypatch.context() as broken:
        broken.setattr(fakes.world.credits, "settle", crash)
        with pytest.raises(ConnectionError):
            stop_plan(fakes.world, "acme", plan.plan_id)
    assert balance(fakes) == 70
    assert settle_ended(fakes.world) == [f"{plan.plan_id}-1"]
    assert balance(fakes) == 99
