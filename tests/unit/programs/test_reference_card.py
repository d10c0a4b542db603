"""The reference card: what it teaches runs, it is short, and it shows first what was asked for."""

import pytest

from planloom.core.entities import Entity, ListCall, fields
from planloom.planes import PLANES, SHARED
from planloom.planes.programs.catalog import Catalog, own_entities
from planloom.planes.programs.compile import compile_program
from planloom.planes.programs.parse import parse
from planloom.planes.programs.reference_card import MOST_TOKENS, prompt_hash, reference_card, tokens
from tests.unit.programs.catalogs import CATALOG

OWN = Catalog(own_entities((*PLANES, *SHARED)))
LARGE = Catalog(
    Entity(
        name=f"Thing{chr(65 + n // 26)}{chr(97 + n % 26)}x",
        description=f"a thing of kind {n} with a long description",
        backend="http:things",
        fields=fields(**{f"field_number_{m}": "text" for m in range(40)}, id="text"),
        list=ListCall(operation="GET /things"),
    )
    for n in range(200)
)
ASKS = ["", "stop all runs that are waiting", "claims that are guesses", "Which steps are blocked?", "tools"]


def examples(card: str) -> list[str]:
    lines = card.partition("\n\n")[0].splitlines()[2:]
    return [line.split("\t")[1].replace("\\n", "\n") for line in lines]


@pytest.mark.parametrize("catalog", [OWN, CATALOG], ids=["own", "small"])
@pytest.mark.parametrize("ask", ASKS)
def test_every_example_on_the_card_can_run(catalog: Catalog, ask: str) -> None:
    found = examples(reference_card(catalog, ask))
    assert len(found) > 15
    for text in found:
        program = parse(text)
        if program.continuation is None:
            assert compile_program(program, catalog).problems == ()


@pytest.mark.parametrize("catalog", [OWN, CATALOG, LARGE, Catalog()], ids=["own", "small", "large", "empty"])
@pytest.mark.parametrize("ask", ASKS)
def test_the_card_has_fewer_than_1500_tokens(catalog: Catalog, ask: str) -> None:
    assert tokens(reference_card(catalog, ask)) <= MOST_TOKENS < 1_500


def test_all_entities_of_planloom_are_on_the_card() -> None:
    card = reference_card(OWN)
    assert all(f"\n{entity.name}\t" in card for entity in OWN)


def test_what_does_not_fit_is_counted() -> None:
    card = reference_card(LARGE)
    shown = card.count("\nThing")
    assert 0 < shown < 200
    assert f"… and {200 - shown} more entities" in card
    # the first one has its fields too
    assert "field_number_39" in card


@pytest.mark.parametrize(
    ("ask", "first"),
    [
        ("stop all runs that are waiting", "Run"),
        ("claims that are guesses", "Claim"),
        ("implementation steps that are blocked", "ImplementationStep"),
        ("my tool servers", "ToolServer"),
    ],
)
def test_what_was_asked_for_comes_first_and_in_full(ask: str, first: str) -> None:
    line = reference_card(OWN, ask).partition("\n\n")[2].splitlines()[1]
    entity = OWN.get(first)
    assert entity is not None
    assert line.startswith(f"{first}\t")
    for each in entity.fields:
        assert "|".join(each.values) in line


def test_the_hash_of_a_card_names_its_text() -> None:
    assert prompt_hash(reference_card(OWN)) == prompt_hash(reference_card(OWN))
    assert prompt_hash(reference_card(OWN)) != prompt_hash(reference_card(CATALOG))
    assert len(prompt_hash("")) == 64
