"""Tickets: for one plan, for a minute, of one key, and of nobody's making but ours."""

import base64
import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.accounts.tickets import LIFE, key_of_ticket, make_ticket

KEY = "5e" * 32
SECRET, NOW, PLAN = b"0123456789abcdef", datetime(2026, 11, 2, 9, tzinfo=UTC), "7f1c1c52-1111-4222-8333-444455556666"


def test_a_ticket_tells_its_key_for_a_minute() -> None:
    ticket, expires_at = make_ticket(SECRET, KEY, PLAN, NOW)
    assert expires_at == NOW + LIFE
    assert key_of_ticket(SECRET, ticket, PLAN, NOW + LIFE - timedelta(seconds=1)) == KEY
    assert key_of_ticket(SECRET, ticket, PLAN, NOW + LIFE) is None


def test_a_ticket_fits_one_plan_and_one_deployment() -> None:
    ticket, _ = make_ticket(SECRET, KEY, PLAN, NOW)
    assert key_of_ticket(SECRET, ticket, PLAN[:-1] + "7", NOW) is None
    assert key_of_ticket(b"another secret", ticket, PLAN, NOW) is None


def test_a_ticket_needs_no_escape_in_a_query() -> None:
    ticket, _ = make_ticket(SECRET, KEY, PLAN, NOW)
    assert set(ticket) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
    assert key_of_ticket(SECRET, ticket, PLAN, NOW) == KEY


def test_a_ticket_that_was_written_over_is_refused() -> None:
    ticket, _ = make_ticket(SECRET, KEY, PLAN, NOW)
    forged = base64.urlsafe_b64encode(json.dumps(["other", PLAN, 9_999_999_999]).encode()).decode().rstrip("=")
    assert key_of_ticket(SECRET, f"{forged}.{ticket.partition('.')[2]}", PLAN, NOW) is None


@pytest.mark.parametrize("ticket", ["", ".", "a", "a.b", "é.ü", "AAAA.", ".AAAA", "=.=", "A" * 10_000])
def test_nonsense_is_refused(ticket: str) -> None:
    assert key_of_ticket(SECRET, ticket, PLAN, NOW) is None


@given(st.text())
def test_no_text_whatever_raises(ticket: str) -> None:
    assert key_of_ticket(SECRET, ticket, PLAN, NOW) is None
