"""Amounts of money: number, scale, range and currency, as people write them."""

import pytest

from planloom.reading.amounts import currency_meant, find_amounts

CASES = [
    ("€240,000", 240_000, 240_000, "EUR", False),
    ("USD 420,000", 420_000, 420_000, "USD", False),
    ("DKK 186 million", 186e6, 186e6, "DKK", False),
    ("USD 1.2-1.5m", 1.2e6, 1.5e6, "USD", False),
    ("€2 and €3 million", 2e6, 3e6, "EUR", False),
    ("HK$940 million-HK$1.7 billion", 940e6, 1.7e9, "HKD", False),
    ("US$120-220 million", 120e6, 220e6, "USD", False),
    ("€20-40 million", 20e6, 40e6, "EUR", False),
    ("€200k-€300k", 200e3, 300e3, "EUR", False),
    ("€500 to €1 million", 500, 1e6, "EUR", False),
    ("$500 - $1,000", 500, 1000, "USD", True),
    ("5 to 7 million USD", 5e6, 7e6, "USD", False),
    ("240 000-300 000 EUR", 240e3, 300e3, "EUR", False),
    ("500k EUR", 500e3, 500e3, "EUR", False),
    ("2 MEUR", 2e6, 2e6, "EUR", False),
    ("$1.2bn", 1.2e9, 1.2e9, "USD", True),
    ("$3.4T", 3.4e12, 3.4e12, "USD", True),
    ("USD 300 M", 300e6, 300e6, "USD", False),
    ("$50 AUD", 50, 50, "AUD", False),
    ("USD $50", 50, 50, "USD", False),
    ("€9.99", 9.99, 9.99, "EUR", False),
    ("1.500 €", 1500, 1500, "EUR", False),
    ("€1.250 million", 1.25e6, 1.25e6, "EUR", False),
    ("€ 1.234,56", 1234.56, 1234.56, "EUR", False),
    ("CHF 1'250'000", 1.25e6, 1.25e6, "CHF", False),
    ("INR 1,50,000", 150e3, 150e3, "INR", False),
    ("₹5 crore", 5e7, 5e7, "INR", False),
    ("2 lakh rupees", 2e5, 2e5, "INR", True),
    ("1 200 000 kr.", 1.2e6, 1.2e6, "DKK", True),
    ("two hundred thousand euros", 200e3, 200e3, "EUR", False),
    ("half a million euros", 500e3, 500e3, "EUR", False),
    ("two and a half million dollars", 2.5e6, 2.5e6, "USD", True),
    ("a million dollars", 1e6, 1e6, "USD", True),
    ("5 Mio. EUR", 5e6, 5e6, "EUR", False),
    ("R$ 500", 500, 500, "BRL", False),
    ("AUD$500", 500, 500, "AUD", False),
    ("NIS 21 million", 21e6, 21e6, "ILS", False),
    ("COP 26 million", 26e6, 26e6, "COP", False),
    ("100zł", 100, 100, "PLN", False),
]


@pytest.mark.parametrize(("text", "low", "high", "currency", "assumed"), CASES)
def test_an_amount_is_read_to_its_last_character(
    text: str, low: float, high: float, currency: str, assumed: bool
) -> None:
    (found,) = find_amounts(text, "en")

    assert text[found.start : found.end] == text
    assert (found.low, found.high) == pytest.approx((low, high))
    assert currency_meant(found.mark, None) == (currency, assumed)


def test_between_makes_a_range_of_two_numbers_with_one_currency() -> None:
    (found,) = find_amounts("between 2 and 3 million euros", "en")

    assert (found.low, found.high, found.mark) == (2e6, 3e6, "euros")


def test_and_alone_lists_two_amounts() -> None:
    assert [(a.low, a.high) for a in find_amounts("a €2 ticket and €3 parking", "en")] == [(2, 2), (3, 3)]


@pytest.mark.parametrize(
    "text",
    [
        "XX$500",
        "RR$ 5 million",
        "QQ€5",
        "COP 26",
        "PEN 5 and TRY 3",
        "3 won medals",
        "200 pounds of flour",
        "€5m2",
        "12 EURO2024 matches",
        "240,000 visitors",
        "5 m wide",
        "version 1.2.3",
    ],
)
def test_what_is_not_surely_money_is_left_out(text: str) -> None:
    assert list(find_amounts(text, "en")) == []


def test_a_sentence_keeps_its_full_stop() -> None:
    (found,) = find_amounts("It costs $1.5 million.", "en")

    assert found.end == len("It costs $1.5 million")


@pytest.mark.parametrize(
    ("mark", "home", "currency"),
    [
        ("$", "AU", "AUD"),
        ("$", "KE", "USD"),
        ("$", "SG", "USD"),
        ("kr.", "NO", "NOK"),
        ("kr", "SE", "SEK"),
        ("kr", None, "DKK"),
        ("rupees", "NP", "NPR"),
        ("shillings", "UG", "UGX"),
        ("pesos", "CL", "CLP"),
    ],
)
def test_a_shared_mark_means_the_currency_of_the_country(mark: str, home: str | None, currency: str) -> None:
    assert currency_meant(mark, home) == (currency, True)


def test_german_numbers_have_a_decimal_comma() -> None:
    assert [(a.low, a.mark) for a in find_amounts("3,5 Millionen Euro und 250.000 €", "de")] == [
        (3.5e6, "Euro"),
        (250e3, "€"),
    ]
