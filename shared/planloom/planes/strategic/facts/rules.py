"""Read a goal by rule, without a model: only what is explicit is stated, the rest is listed as not read or asked."""

from datetime import date

from planloom.planes.strategic.facts.coverage import unread
from planloom.planes.strategic.facts.fact import Facts, Kind, Spanned
from planloom.planes.strategic.facts.language import guess_language
from planloom.planes.strategic.facts.questions import questions
from planloom.planes.strategic.facts.rules_bans import read_bans
from planloom.planes.strategic.facts.rules_dates import deadlines, read_days, read_durations
from planloom.planes.strategic.facts.rules_money import candidates, read_money
from planloom.planes.strategic.facts.rules_page import open_page
from planloom.planes.strategic.facts.rules_people import read_people
from planloom.planes.strategic.facts.rules_places import home_country, read_places
from planloom.planes.strategic.facts.rules_text import (
    NOTHING,
    find_objective,
    name_of,
    read_closures,
    read_demands,
    read_organisations,
    read_quantities,
)
from planloom.planes.strategic.facts.spans import MOST_READ


def read_facts(goal: str, today: date) -> Facts:
    """Return what *goal* states; *today* places dates that name no year. Never raises, whatever the text."""
    text = goal[:MOST_READ]
    language = guess_language(text)
    page = open_page(text, language, today, home_country(text, language))
    objective = find_objective(page)
    aim = (objective.start, objective.end)
    title, subject = name_of(page, objective)
    people = read_people(page)
    facts = Facts(
        language=language,
        title=title,
        subject=subject,
        objective=objective,
        sentences=tuple(_spanned(page.goal, *span) for span in page.sentences),
        money=read_money(page),
        days=read_days(page, aim),
        durations=read_durations(page, aim),
        places=read_places(page, aim),
        organisations=read_organisations(page),
        quantities=read_quantities(page, people),
        demands=read_demands(page),
        bans=read_bans(page),
        closures=read_closures(page),
        roles=people,
        kind=Kind(words="" if subject == NOTHING else subject),
    )
    found = {
        "total": tuple(_spanned(page.goal, r.start, r.end) for r in candidates(page)),
        "deadline": tuple(_spanned(page.goal, r.start, r.end) for r in deadlines(page, aim)),
    }
    facts = facts.model_copy(update={"open": questions(facts, found, today)})
    return facts.model_copy(update={"unread": unread(goal, facts, language, today)})


def _spanned(goal: str, start: int, end: int) -> Spanned:
    return Spanned(text=goal[start:end], start=start, end=end)
