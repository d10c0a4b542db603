"""How plans print days and amounts."""

from datetime import date


def day_text(day: date) -> str:
    """Return *day* as plans print it: ``1 May 2027``."""
    return f"{day.day} {day:%B %Y}"


def amount_text(amount: float, currency: str) -> str:
    """Return an amount as plans print it: ``EUR 240,000``; cents only where there are any below 1,000."""
    places = 2 if abs(amount) < 1000 and amount != int(amount) else 0
    return f"{currency} {amount:,.{places}f}".strip()
