"""Read the facts of a prompt: one call that asks each reader of this package once."""

from datetime import date

from planloom.domain.facts import Facts
from planloom.reading.money import read_money
from planloom.reading.objective import find_objective
from planloom.reading.page import open_page
from planloom.reading.places import read_places
from planloom.reading.subject import read_subject
from planloom.reading.title import title_of


def read_facts(prompt: str, today: date) -> Facts:
    """Return what *prompt* states; *today* places dates that name no year. Never raises, whatever the text."""
    page = open_page(prompt, today)
    objective = find_objective(page)
    aim = (objective.sentence.start, objective.sentence.end)
    subject, _, _ = read_subject(page, objective)
    places = read_places(page, aim)
    home = next((place.country for place in places if place.country), None)
    money = read_money(page, aim, subject, home)
    return Facts(
        language=page.language,
        title=title_of(subject, places),
        subject=subject,
        objective=objective.sentence,
        sentences=page.sentences,
        money=money,
        places=places,
    )
