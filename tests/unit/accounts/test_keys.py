"""Keys of an account: made, listed, revoked; and the user on whose behalf a caller asks."""

from dataclasses import replace

import pytest

from planloom.accounts.authorize import authorize, user_account
from planloom.accounts.make_key import list_keys, make_key, revoke_key
from planloom.accounts.rules import Rules
from planloom.core.errors import InvalidArgument, InvalidUserApiKey, PermissionDenied, UserApiKeyRequired
from planloom.planes.strategic.services.create_plan import create_plan
from planloom.planes.strategic.services.latest_plan import latest_plan
from planloom.planes.strategic.services.list_plans import list_plans
from planloom.planes.strategic.services.own_plan import own_plan
from tests.fake_ports import PROMPT, make_fakes


def test_an_account_has_several_keys_and_no_list_says_what_they_are() -> None:
    fakes = make_fakes()
    secrets = [
        make_key(fakes.ports.keys, fakes.ports.clock, "acme"),
        make_key(fakes.ports.keys, fakes.ports.clock, "acme"),
    ]
    assert [authorize(fakes.ports.keys, fakes.ports.clock, secret) for secret in secrets] == ["acme", "acme"]
    listed = list_keys(fakes.ports.keys, "acme")
    assert sorted(key.shown for key in listed) == sorted(secret[:10] for secret in secrets)
    assert all(secret[10:] not in str(listed) + str(fakes.keys.keys) for secret in secrets)


@pytest.mark.parametrize("named", [slice(None), slice(10), slice(7)], ids=["whole", "as listed", "shorter"])
def test_a_revoked_key_opens_nothing_and_the_others_still_do(named: slice) -> None:
    fakes = make_fakes()
    lost, kept = (
        make_key(fakes.ports.keys, fakes.ports.clock, "acme"),
        make_key(fakes.ports.keys, fakes.ports.clock, "acme"),
    )
    fakes.clock.pass_(hours=1)
    revoked = revoke_key(fakes.ports.keys, fakes.ports.clock, "acme", lost[named])
    assert (revoked.shown, revoked.revoked_at) == (lost[:10], fakes.clock())
    assert (
        authorize(fakes.ports.keys, fakes.ports.clock, lost),
        authorize(fakes.ports.keys, fakes.ports.clock, kept),
    ) == (None, "acme")


def test_a_key_that_is_not_there_not_ones_own_or_not_clear_is_not_revoked() -> None:
    fakes = make_fakes()
    one, two = (
        make_key(fakes.ports.keys, fakes.ports.clock, "acme"),
        make_key(fakes.ports.keys, fakes.ports.clock, "acme"),
    )
    for account, named in [("other", one), ("other", one[:10]), ("acme", "pex_"), ("acme", "pex_" + "w" * 43)]:
        with pytest.raises(InvalidArgument):
            revoke_key(fakes.ports.keys, fakes.ports.clock, account, named)
    for digest, key in list(fakes.keys.keys.items()):
        fakes.keys.keys[digest] = key.model_copy(update={"shown": "pex_AbCdEf"})
    with pytest.raises(InvalidArgument, match="More than one"):
        revoke_key(fakes.ports.keys, fakes.ports.clock, "acme", "pex_AbCdEf")
    assert [authorize(fakes.ports.keys, fakes.ports.clock, secret) for secret in (one, two)] == ["acme", "acme"]


def test_a_plan_made_on_behalf_of_a_user_is_theirs_too_and_nobody_elses() -> None:
    fakes = make_fakes()
    user = user_account(
        fakes.ports.keys, fakes.ports.rules, fakes.ports.clock, make_key(fakes.ports.keys, fakes.ports.clock, "ann")
    )
    plan = create_plan(fakes.ports.run_control, fakes.ports.models, "agency", PROMPT, user_account=user)
    assert (
        own_plan(fakes.ports.plan_records, "agency", plan.plan_id)
        == own_plan(fakes.ports.plan_records, "ann", plan.plan_id)
        == plan
    )
    assert latest_plan(fakes.ports.plans, "ann") == plan
    assert [listed.plan_id for listed in list_plans(fakes.ports.plan_records, "ann")[0]] == [plan.plan_id]
    with pytest.raises(PermissionDenied):
        own_plan(fakes.ports.plan_records, "bob", plan.plan_id)


def test_9_3_a_user_key_is_checked_and_asked_for_where_the_deployment_says_so() -> None:
    fakes = make_fakes()
    assert {
        user_account(fakes.ports.keys, fakes.ports.rules, fakes.ports.clock, absent) for absent in (None, "", "  ")
    } == {None}
    with pytest.raises(InvalidUserApiKey, match="check your API key"):
        user_account(fakes.ports.keys, fakes.ports.rules, fakes.ports.clock, "pex_unknown")
    strict = replace(fakes.ports, rules=Rules.read("user_api_key"))
    for absent in (None, "", "  "):
        with pytest.raises(UserApiKeyRequired, match="user_api_key"):
            user_account(strict.keys, strict.rules, strict.clock, absent)
    assert user_account(strict.keys, strict.rules, strict.clock, make_key(strict.keys, strict.clock, "ann")) == "ann"


def test_rules_are_words_and_a_word_that_is_none_is_refused() -> None:
    assert Rules.read("") == Rules.read("none") == Rules()
    assert Rules.read("credits, user_api_key") == Rules(credits=True, user_api_key_required=True)
    with pytest.raises(ValueError, match="no such rule: credit"):
        Rules.read("credit")
