"""The most that a full-time month of one person can cost in a plan: more is not pay alone."""

#: By ISO 4217, whole units a month with all on-costs; rounded up, far above usual pay (2026, assumed). A currency that
#: is not here is not judged.
MOST_A_MONTH = {
    "AUD": 35_000, "BRL": 80_000, "CAD": 30_000, "CHF": 30_000, "CNY": 120_000, "CZK": 400_000, "DKK": 180_000,
    "EUR": 20_000, "GBP": 20_000, "HUF": 6_000_000, "INR": 1_200_000, "JPY": 2_500_000, "KES": 1_500_000,
    "MXN": 300_000, "NOK": 220_000, "NZD": 35_000, "PLN": 70_000, "SEK": 220_000, "USD": 28_000, "ZAR": 300_000,
}  # fmt: skip


def is_pay(a_month: float, currency: str | None) -> bool:
    """Return whether *a_month* can be what one person costs full time in *currency*."""
    return currency not in MOST_A_MONTH or a_month <= MOST_A_MONTH[currency]
