"""The table's keys: order as text is order in time, and kinds do not mix."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from planloom.adapters import table_keys as keys

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def test_an_account_lists_its_plans_in_the_order_in_which_they_were_made() -> None:
    berlin = timezone(timedelta(hours=2))
    times = [NOON, (NOON + timedelta(microseconds=1)).astimezone(berlin), NOON + timedelta(hours=1)]

    sorts = [keys.plan_index_key("a", at, "p")[keys.INDEX_SORT_KEY] for at in times]

    assert sorts == sorted(sorts)
    assert len({len(s) for s in sorts}) == 1


def test_a_plan_and_its_place_in_the_list_have_these_keys() -> None:
    assert keys.plan_key("p1") == {"PK": "PLAN#p1", "SK": "PLAN"}
    assert keys.plan_index_key("a1", NOON, "p1") == {
        "GSI1PK": "ACCOUNT#a1",
        "GSI1SK": "PLAN#2026-11-21T12:00:00.000000Z#p1",
    }


def test_each_kind_of_item_of_a_plan_is_listed_by_its_own_prefix() -> None:
    items = {
        keys.STEPS: keys.step_key("p1", "016"),
        keys.FILES: keys.file_key("p1", "016-2-expert_criticism.md"),
        keys.EVENTS: keys.event_key("p1", "0001"),
    }

    for prefix, item in items.items():
        assert item[keys.PARTITION_KEY] == "PLAN#p1"
        assert [p for p in items if item[keys.SORT_KEY].startswith(p)] == [prefix]
        assert not keys.plan_key("p1")[keys.SORT_KEY].startswith(prefix)


def test_implementation_plans_have_partitions_and_a_list_of_their_own() -> None:
    assert keys.implementation_key("p1") == {"PK": "IMPLEMENTATION#p1", "SK": "PLAN"}
    assert keys.implementation_index_key("a1", NOON, "p1") == {
        "GSI1PK": "IMPLEMENTATIONS#a1",
        "GSI1SK": "2026-11-21T12:00:00.000000Z#p1",
    }
    assert keys.revision_key("p1", 12) == {"PK": "IMPLEMENTATION#p1", "SK": "REVISION#000012"}
    assert keys.comment_key("p1", NOON, "c1") == {
        "PK": "IMPLEMENTATION#p1",
        "SK": "COMMENT#2026-11-21T12:00:00.000000Z#c1",
    }
    assert keys.implemented_key("s1", "p1") == {"PK": "PLAN#s1", "SK": "IMPLEMENTED#p1"}


def test_an_account_and_an_api_key_have_partitions_of_their_own() -> None:
    assert keys.account_key("a1") == {"PK": "ACCOUNT#a1", "SK": "ACCOUNT"}
    assert keys.credit_key("a1", "p-1#settled") == {"PK": "ACCOUNT#a1", "SK": "CREDIT#p-1#settled"}
    assert keys.api_key_key("ab12") == {"PK": "KEY#ab12", "SK": "KEY"}


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        keys.sortable_time(datetime(2026, 11, 21))  # noqa: DTZ001
