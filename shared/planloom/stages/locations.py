"""Stage 007: the places the plan needs, what each must offer, and the currency in which money is kept."""

from pydantic import Field

from planloom.domain.claims import Claim
from planloom.domain.frozen import Answer
from planloom.domain.wording import day_text
from planloom.stages.desk import Desk
from planloom.stages.parts.chosen_scenario import chosen_scenario
from planloom.stages.parts.location_outline import outline_locations
from planloom.stages.parts.place import Exposure, Location, Requirement
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import bullets, table

INSTRUCTIONS = """\
Say where this plan happens, what a place must offer, and in which currency money is kept.

- requirements: what the goal demands of a place (rent, size, access, power, noise, data residency, season, height) and
  what the chosen scenario adds. strength must where the goal binds, should where it wishes. basis quotes the goal or
  says "assumed". check is what one does at a place, or asks whom, to see that it is met.
- locations: first the places that the goal names, each with what happens there; then places that the work needs and the
  goal leaves open (premises, workshop, store, office, hosting, test site), as a kind of place to be found with where to
  look, given = false. Never an address, firm or building that the goal does not name. Where a place must be found, name
  what decides between candidates. verify: what must be checked there first because it could rule the place out.
- A digital goal still has places: where data lies, where the team works, where it is tried.
- currency: the one in which budget and reports are kept, and why. exposures: each other currency in which money is
  spent or received for certain (pay, rent and fees at a place with another currency), what for, and the response: plan
  rate, who fixes it when, how much is held ahead. strategy: how money is kept, paid and reported, in three sentences.
Avoid: tourism prose; exposure that is only imaginable; hedging instruments for small sums; advice on tax.
"""


class LocationsAnswer(Answer):
    """Places and currency."""

    requirements: list[Requirement] = Field(min_length=1, max_length=14)
    locations: list[Location] = Field(min_length=1, max_length=12)
    currency: str = Field(default="", max_length=3, description="ISO 4217; empty where nobody can know")
    currency_basis: str = Field(min_length=5, max_length=300)
    exposures: list[Exposure] = Field(default_factory=list, max_length=6)
    strategy: str = Field(min_length=20, max_length=800, description="How money is kept, paid and reported")


class Locations(StageResult):
    """Stage 007's result. Claims: ``locations.main``, and ``locations.currency`` where it is known."""

    places: LocationsAnswer


async def draft(desk: Desk) -> Locations:
    """One call, from the chosen scenario."""
    answer = await desk.ask(
        "places",
        INSTRUCTIONS,
        (desk.excerpt(chosen_scenario(desk, 2600)),),
        LocationsAnswer,
        lambda: LocationsAnswer.model_validate(outline_locations(desk.brief)),
    )
    return Locations(places=answer, claims=_claims(desk, answer))


def _claims(desk: Desk, answer: LocationsAnswer) -> tuple[Claim, ...]:
    main = answer.locations[0]
    source = next((p.source for p in desk.brief.facts.places if p.name == main.name), "stage:locations")
    claims = [
        Claim(
            id="locations.main",
            text=f"{main.name}: {main.use}",
            kind="fact" if main.given else "assumption",
            value=main.name[:80],
            unit="place",
            source=source if main.given else "to verify",
            owner=main.role,
            test=main.verify[:240],
        )
    ]
    if answer.currency:
        stated = desk.brief.currency == answer.currency
        claims.append(
            Claim(
                id="locations.currency",
                text=f"Budget and reports are kept in {answer.currency}: {answer.currency_basis}",
                kind="fact" if stated else "assumption",
                value=answer.currency,
                unit="ISO 4217",
                source="stage:start" if stated else "to verify",
                owner=desk.brief.role_title("finance"),
            )
        )
    return tuple(claims)


def markdown(result: Locations) -> str:
    """Places, what they must offer, and the currency."""
    found = result.places
    rows = [_row(place) for place in found.locations]
    demands = [(r.strength, r.text, r.basis, r.check) for r in found.requirements]
    parts = [
        f"# Locations: {found.locations[0].name}",
        table(("Id", "Place", "Kind", "What happens there", "From", "Check first", "Role", "By"), rows),
        bullets(f"{place.id}, {place.name}: {place.why}" for place in found.locations),
        "## What a place must offer",
        table(("Strength", "Requirement", "Basis", "How one sees it"), demands),
        f"## Currency: {found.currency or 'open'}",
        f"{found.currency_basis} {found.strategy}",
        table(("Currency", "What for", "Response"), [(e.code, e.what, e.response) for e in found.exposures]),
    ]
    return "\n\n".join(part.rstrip() for part in parts if part)


def _row(place: Location) -> tuple[str, ...]:
    given = "goal" if place.given else "to be found"
    return (place.id, place.name, place.kind, place.use, given, place.verify, place.role, day_text(place.by))


STAGE = Stage(
    number=7,
    name="locations",
    title="Locations and Currency",
    needs=("scenarios",),
    version=4,
    result=Locations,
    draft=draft,
    markdown=markdown,
)
