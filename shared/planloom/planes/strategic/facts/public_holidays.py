"""Public holidays of the goal's country and region, by rule: working days are counted with them."""

from collections.abc import Iterable
from datetime import date

from planloom.core.frozen import Frozen

#: Holidays of so many calendar years, from the day of drafting, are listed.
MOST_YEARS = 5


class PublicHoliday(Frozen):
    """A public holiday of the country, or of the region of the undertaking."""

    day: date
    name: str


def public_holidays(
    country: str | None, region: str | None, today: date, until: date | None
) -> tuple[PublicHoliday, ...]:
    """Return the public holidays of *country* (ISO 3166-1 alpha-2) and its *region* (ISO 3166-2) from *today* on.

    They reach to the end of the year of *until*, or of the second year after *today*, at most MOST_YEARS years in all.
    In order; none where the country is not known, those of the whole country where the region is not. Those that are
    proclaimed each year are not listed; those by the moon may differ by a day.
    """
    # only the stage that reads goals has the library
    import holidays

    known = holidays.list_supported_countries()
    if not country or country not in known:
        return ()
    last = min(until.year if until else today.year + 2, today.year + MOST_YEARS - 1)
    years, subdivision = range(today.year, last + 1), region if region in known[country] else None
    found = holidays.country_holidays(country, subdivision, years=years, language="en_US")
    days: Iterable[tuple[date, str]] = sorted(found.items())
    return tuple(PublicHoliday(day=day, name=name) for day, name in days if day >= today)
