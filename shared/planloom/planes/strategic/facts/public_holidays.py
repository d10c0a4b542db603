"""Public holidays of the goal's country, by rule: working days are counted with them and nobody has to guess them."""

from collections.abc import Iterable
from datetime import date

from planloom.core.frozen import Frozen

#: Holidays of so many calendar years, from the day of drafting, are listed.
MOST_YEARS = 5


class PublicHoliday(Frozen):
    """A public holiday of the whole country."""

    day: date
    name: str


def public_holidays(country: str | None, today: date, until: date | None) -> tuple[PublicHoliday, ...]:
    """Return the public holidays of *country* (ISO 3166-1 alpha-2) from *today* on, in order.

    They reach to the end of the year of *until*, or of the second year after *today*, at most MOST_YEARS years in all.
    None where the country is not known. Holidays of regions alone, and those that are proclaimed each year, are not
    listed; those by the moon may differ by a day.
    """
    # only the stage that reads goals has the library
    import holidays

    if not country or country not in holidays.list_supported_countries():
        return ()
    last = min(until.year if until else today.year + 2, today.year + MOST_YEARS - 1)
    found = holidays.country_holidays(country, years=range(today.year, last + 1), language="en_US")
    days: Iterable[tuple[date, str]] = sorted(found.items())
    return tuple(PublicHoliday(day=day, name=name) for day, name in days if day >= today)
