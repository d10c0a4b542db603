"""Places come from the prompt, what they must offer from its demands, the currency from its budget."""

import pytest

from planloom.stages.locations import STAGE, Locations, LocationsAnswer
from tests.unit.stages.drafting import draft
from tests.unit.stages.sections import section
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP


def places(prompt: str) -> LocationsAnswer:
    found = section(prompt, "locations")
    assert isinstance(found, Locations)
    return found.places


def test_the_places_of_the_goal_come_first_and_what_must_be_found_after_them() -> None:
    assert [(p.name, p.given) for p in places(CAFE).locations] == [
        ("Alfama in Lisbon", True),
        ("Lisbon", True),
        ("Premises in Alfama, address open", False),
    ]
    assert [p.id for p in places(NURSE_APP).locations] == ["L1", "L2", "L3", "L4", "L5"]


def test_data_that_may_not_leave_the_country_is_hosted_in_it() -> None:
    hosting = places(NURSE_APP).locations[-1]
    assert (hosting.name, hosting.kind, hosting.given) == ("Hosting in Kenya, provider open", "online", False)


@pytest.mark.parametrize(
    ("prompt", "demands"),
    [
        (CAFE, ["Rent must not exceed €3,200 a month", "The façade cannot be changed"]),
        (FLOOD_WALL, ["Residents must keep access to the promenade", "more than 1.1 m above the promenade"]),
        (NURSE_APP, ["Data may not leave the country", "Sync must survive two weeks without a network"]),
    ],
    ids=["cafe", "flood wall", "nurse app"],
)
def test_each_demand_on_a_place_is_there_with_the_way_to_see_it(prompt: str, demands: list[str]) -> None:
    said = [requirement.text for requirement in places(prompt).requirements]
    assert [demand for demand in demands if not any(demand in text for text in said)] == []
    assert len({requirement.check for requirement in places(prompt).requirements}) >= 2


def test_money_and_measures_of_success_are_no_demands_on_a_place() -> None:
    said = " ".join(requirement.text for prompt in (CAFE, FLOOD_WALL) for requirement in places(prompt).requirements)
    assert "budget" not in said
    assert "success" not in said.lower()


def test_a_budget_in_the_currency_of_the_place_has_no_exposure() -> None:
    assert (places(CAFE).currency, places(CAFE).exposures) == ("EUR", [])
    assert (places(FLOOD_WALL).currency, places(FLOOD_WALL).exposures) == ("DKK", [])


def test_a_grant_in_another_currency_is_exposed_to_that_of_the_place() -> None:
    (exposure,) = places(NURSE_APP).exposures
    assert exposure.code == "KES"
    # 5% of 420,000, beside a reserve of a fifth
    assert "USD 21,000" in exposure.response
    assert "USD 84,000" in exposure.response


def test_main_place_and_currency_are_claimed() -> None:
    claims = {claim.id: claim for claim in section(NURSE_APP, "locations").claims}
    assert (claims["locations.main"].value, claims["locations.main"].kind) == ("Kenya", "fact")
    assert (claims["locations.currency"].value, claims["locations.currency"].kind) == ("USD", "fact")


def test_a_goal_without_place_and_money_says_that_both_are_open() -> None:
    drafted = draft("Found a choir for people over sixty.", "locations")["locations"]
    assert isinstance(drafted, Locations)
    assert (drafted.places.currency, drafted.places.locations[0].given) == ("", False)
    assert "# Locations: Premises, address open" in STAGE.markdown(drafted)
    assert "## Currency: open" in STAGE.markdown(drafted)
