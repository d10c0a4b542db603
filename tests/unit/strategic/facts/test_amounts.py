"""Amounts of money: number, scale, range and currency, as people of many countries write them."""

from itertools import pairwise

import pytest
from babel.numbers import format_currency
from hypothesis import given
from hypothesis import strategies as st

from planloom.planes.strategic.facts.amounts import codes, find_amounts
from planloom.planes.strategic.facts.language import NAMES

#: Language, country, the amount as written to its last character, low, high, currency; ``?``: assumed.
CASES = [
    ("en", None, "€240,000", 240e3, 240e3, "EUR"),
    ("en", None, "USD 420,000", 420e3, 420e3, "USD"),
    ("en", None, "DKK 186 million", 186e6, 186e6, "DKK"),
    ("en", None, "USD 1.2-1.5m", 1.2e6, 1.5e6, "USD"),
    ("en", None, "€2 and €3 million", 2e6, 3e6, "EUR"),
    ("en", None, "HK$940 million-HK$1.7 billion", 940e6, 1.7e9, "HKD"),
    ("en", None, "US$120-220 million", 120e6, 220e6, "USD"),
    ("en", None, "US $5m", 5e6, 5e6, "USD"),
    ("en", None, "€200k-€300k", 200e3, 300e3, "EUR"),
    ("en", None, "€500 to €1 million", 500, 1e6, "EUR"),
    ("en", None, "$500 - $1,000", 500, 1000, "USD?"),
    ("en", None, "5 to 7 million USD", 5e6, 7e6, "USD"),
    ("en", None, "240 000-300 000 EUR", 240e3, 300e3, "EUR"),
    ("en", None, "45k euro", 45e3, 45e3, "EUR"),
    ("en", None, "45k usd", 45e3, 45e3, "USD"),
    ("en", None, "2 MEUR", 2e6, 2e6, "EUR"),
    ("en", None, "$1.2bn", 1.2e9, 1.2e9, "USD?"),
    ("en", None, "$3.4T", 3.4e12, 3.4e12, "USD?"),
    ("en", None, "3.9 million dollars", 3.9e6, 3.9e6, "USD?"),
    ("en", None, "1.5 million Australian dollars", 1.5e6, 1.5e6, "AUD"),
    ("en", None, "$50 AUD", 50, 50, "AUD"),
    ("en", None, "USD $50", 50, 50, "USD"),
    ("en", None, "R$ 500", 500, 500, "BRL"),
    ("en", None, "AUD$500", 500, 500, "AUD"),
    ("en", None, "COP 26 million", 26e6, 26e6, "COP"),
    ("en", None, "€9.99", 9.99, 9.99, "EUR"),
    ("en", None, "1.500 €", 1500, 1500, "EUR"),
    ("en", None, "€1.250 million", 1.25e6, 1.25e6, "EUR"),
    ("en", None, "€ 1.234,56", 1234.56, 1234.56, "EUR"),
    ("en", None, "CHF 1'250'000", 1.25e6, 1.25e6, "CHF"),
    ("en", None, "INR 1,50,000", 150e3, 150e3, "INR"),
    ("en", None, "₹5 crore", 5e7, 5e7, "INR"),
    ("en", None, "2 lakh rupees", 2e5, 2e5, "INR?"),
    ("en", None, "R3.8 million", 3.8e6, 3.8e6, "ZAR"),
    ("en", None, "LE 9.6 million", 9.6e6, 9.6e6, "EGP"),
    ("en", None, "GH₵ 900,000", 900e3, 900e3, "GHS"),
    ("en", None, "nine hundred thousand Fiji dollars", 900e3, 900e3, "FJD"),
    ("es", None, "un millón doscientos mil soles", 1.2e6, 1.2e6, "PEN"),
    ("en", "PK", "2 lakh rupees", 2e5, 2e5, "PKR"),
    ("en", None, "two and a half million dollars", 2.5e6, 2.5e6, "USD?"),
    ("en", None, "£500", 500, 500, "GBP"),
    ("en", "EG", "500 pounds", 500, 500, "EGP"),
    ("en", None, "¥300", 300, 300, "JPY?"),
    ("en", "CN", "¥300", 300, 300, "CNY"),
    ("en", "AU", "$500", 500, 500, "AUD"),
    ("en", "US", "$500", 500, 500, "USD"),
    ("en", "KE", "$500", 500, 500, "USD?"),
    ("en", "SE", "kr 500", 500, 500, "SEK"),
    ("en", None, "1 200 000 kr.", 1.2e6, 1.2e6, "DKK?"),
    ("de", None, "1,2 Mio. €", 1.2e6, 1.2e6, "EUR"),
    ("de", None, "3 Mio. Schweizer Franken", 3e6, 3e6, "CHF"),
    ("de", None, "500 T€", 500e3, 500e3, "EUR"),
    ("de", None, "TEUR 500", 500e3, 500e3, "EUR"),
    ("de", None, "250.000,- €", 250e3, 250e3, "EUR"),
    ("de", None, "45.000 bis 50.000 EUR", 45e3, 50e3, "EUR"),
    ("de", None, "zweihunderttausend Euro", 200e3, 200e3, "EUR"),
    ("fr", None, "1,5 M€", 1.5e6, 1.5e6, "EUR"),
    ("fr", None, "2,4 millions d'euros", 2.4e6, 2.4e6, "EUR"),
    ("fr", None, "5 Md€", 5e9, 5e9, "EUR"),
    ("fr", "CA", "500 000 $", 500e3, 500e3, "CAD"),
    ("fr", "CA", "20 dollars canadiens", 20, 20, "CAD"),
    ("es", "MX", "$500,000", 500e3, 500e3, "MXN"),
    ("es", "MX", "3 millones de pesos", 3e6, 3e6, "MXN"),
    ("es", None, "2 mil millones de dólares", 2e9, 2e9, "USD?"),
    ("pt", "BR", "R$ 1,5 milhão", 1.5e6, 1.5e6, "BRL"),
    ("pt", "BR", "45 mil reais", 45e3, 45e3, "BRL"),
    ("it", None, "1,5 milioni di euro", 1.5e6, 1.5e6, "EUR"),
    ("it", None, "200mila euro", 200e3, 200e3, "EUR"),
    ("nl", None, "anderhalf miljoen euro", 1.5e6, 1.5e6, "EUR"),
    ("sv", None, "500 tkr", 500e3, 500e3, "SEK"),
    ("sv", None, "3 Mkr", 3e6, 3e6, "SEK"),
    ("sv", None, "1,5 miljoner kronor", 1.5e6, 1.5e6, "SEK"),
    ("da", None, "5 mio. kr.", 5e6, 5e6, "DKK"),
    ("nb", None, "2,5 millioner kroner", 2.5e6, 2.5e6, "NOK"),
    ("fi", None, "2,5 miljoonaa euroa", 2.5e6, 2.5e6, "EUR"),
    ("pl", None, "45 tys. zł", 45e3, 45e3, "PLN"),
    ("pl", None, "3,5 mln złotych", 3.5e6, 3.5e6, "PLN"),
    ("cs", None, "3 mil. Kč", 3e6, 3e6, "CZK"),
    ("cs", None, "45 tisíc korun", 45e3, 45e3, "CZK"),
    ("hu", None, "5 millió forint", 5e6, 5e6, "HUF"),
    ("ro", None, "2 milioane de euro", 2e6, 2e6, "EUR"),
    ("tr", None, "500 bin lira", 500e3, 500e3, "TRY"),
    ("id", None, "Rp1.500.000", 1.5e6, 1.5e6, "IDR"),
    ("id", None, "Rp 5 juta", 5e6, 5e6, "IDR"),
    ("vi", None, "300 triệu đồng", 3e8, 3e8, "VND"),
    ("ru", None, "2,5 млн рублей", 2.5e6, 2.5e6, "RUB"),
    ("uk", None, "300 тисяч гривень", 300e3, 300e3, "UAH"),
    ("el", None, "2,5 εκατ. ευρώ", 2.5e6, 2.5e6, "EUR"),
    ("ja", None, "2400万円", 2.4e7, 2.4e7, "JPY"),
    ("ja", None, "¥3000", 3000, 3000, "JPY"),
    ("zh", None, "人民币2400万元", 2.4e7, 2.4e7, "CNY"),
    ("zh", None, "50万美元", 5e5, 5e5, "USD"),
    ("ko", None, "3천만 원", 3e7, 3e7, "KRW"),
    ("hi", None, "20 लाख रुपये", 2e6, 2e6, "INR"),
    ("ar", "AE", "500 ألف درهم", 500e3, 500e3, "AED"),
    ("he", None, "₪300,000", 300e3, 300e3, "ILS"),
    ("th", None, "5 ล้านบาท", 5e6, 5e6, "THB"),
]


@pytest.mark.parametrize(("language", "country", "text", "low", "high", "currency"), CASES)
def test_an_amount_is_read_to_its_last_character(
    language: str, country: str | None, text: str, low: float, high: float, currency: str
) -> None:
    (found,) = find_amounts(text, language, country)

    assert (text[found.start : found.end], found.currency + "?" * found.assumed) == (text, currency)
    assert (found.low, found.high) == pytest.approx((low, high))


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
        "5 m high",
        "15 all in all",
        "R2",
    ],
)
def test_what_is_no_known_currency_is_no_amount(text: str) -> None:
    assert find_amounts(text, "en") == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a €2 ticket and €3 parking", [(2, 2), (3, 3)]),
        ("between 2 and 3 million euros", [(2e6, 3e6)]),
        ("€2 million and €3 million", [(2e6, 2e6), (3e6, 3e6)]),
        ("in 2028 $500 and USD 4,000/month", [(500, 500), (4000, 4000)]),
        ("It costs €2 million. We have €3.", [(2e6, 2e6), (3, 3)]),
        ("€45k from 3 donors, 12 people", [(45e3, 45e3)]),
    ],
)
def test_amounts_are_told_apart(text: str, expected: list[tuple[float, float]]) -> None:
    assert [(a.low, a.high) for a in find_amounts(text, "en")] == expected


_PRINTED = ("EUR", "USD", "GBP", "JPY", "CHF", "SEK", "PLN", "INR", "ZAR", "BRL", "KES", "MXN")


@given(st.sampled_from(sorted(NAMES)), st.integers(100, 10**9), st.sampled_from(_PRINTED))
def test_what_babel_prints_is_read_again(language: str, value: int, currency: str) -> None:
    printed = format_currency(value, currency, locale=language, currency_digits=False)

    assert [(a.low, a.high, a.currency) for a in find_amounts(printed, language)] == [(value, value, currency)]


@given(st.sampled_from(sorted(set(NAMES) - {"th", "he"})), st.integers(100, 10**9), st.sampled_from(_PRINTED))
def test_the_full_name_of_a_currency_is_read(language: str, value: int, currency: str) -> None:
    printed = format_currency(value, currency, locale=language, currency_digits=False, format_type="name")

    assert [(a.low, a.currency) for a in find_amounts(printed, language)] == [(value, currency)]


@given(st.sampled_from(sorted(NAMES)), st.text(st.sampled_from("€$£¥ 12,.0kmMTUSDR-toandkr million万円\nſİıKς")))
def test_amounts_are_in_order_and_their_bounds_too(language: str, text: str) -> None:
    found = find_amounts(text, language)

    assert all(0 <= a.start < a.end <= len(text) and 0 <= a.low <= a.high and a.currency in codes() for a in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
