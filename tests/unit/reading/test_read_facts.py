"""read_facts on whole prompts."""

from datetime import date

from planloom.reading.facts import read_facts


def test_the_first_sentence_is_the_objective() -> None:
    facts = read_facts("Construct a bridge. It must be red.", date(2026, 11, 20))

    assert facts.objective.text == "Construct a bridge."
    assert [s.text for s in facts.sentences] == ["Construct a bridge.", "It must be red."]
