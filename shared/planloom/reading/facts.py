"""Read the facts of a prompt: one call that asks each reader of this package once."""

from datetime import date

from planloom.domain.facts import Facts
from planloom.reading.bans import read_bans
from planloom.reading.closures import read_closures
from planloom.reading.days import read_days
from planloom.reading.demands import read_demands
from planloom.reading.durations import read_durations
from planloom.reading.money import read_money
from planloom.reading.objective import find_objective
from planloom.reading.organisations import read_organisations
from planloom.reading.page import Taken, open_page
from planloom.reading.places import read_places
from planloom.reading.quantities import read_quantities
from planloom.reading.roles import read_roles
from planloom.reading.subject import read_subject
from planloom.reading.title import title_of


def read_facts(prompt: str, today: date) -> Facts:
    """Return what *prompt* states; *today* places dates that name no year. Never raises, whatever the text.

    At most :data:`planloom.reading.page.MOST_FACTS` facts of each kind are kept, the first ones.
    """
    page = open_page(prompt, today)
    objective = find_objective(page)
    aim = (objective.sentence.start, objective.sentence.end)
    subject = read_subject(page, objective)
    places = read_places(page, aim)
    home = next((place.country for place in places if place.country), None)
    money = read_money(page, aim, subject, home)
    days = read_days(page, aim, subject, home)
    durations = read_durations(page, aim, subject, Taken(money, days))
    roles = read_roles(page)
    return Facts(
        language=page.language,
        title=title_of(page, objective, subject, places),
        subject=subject,
        objective=objective.sentence,
        sentences=page.sentences,
        money=money,
        days=days,
        durations=durations,
        places=places,
        organisations=read_organisations(page),
        quantities=read_quantities(page, Taken(money, days, durations, roles)),
        demands=read_demands(page, objective),
        bans=read_bans(page, objective.sentence),
        closures=read_closures(page),
        roles=roles,
    )
