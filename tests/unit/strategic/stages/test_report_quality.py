"""The section and the figure of the report that say what the checks found, with and without a score."""

from planloom.planes.strategic.quality.checks import CHECKS, assess
from planloom.planes.strategic.stages.quality_section import quality_card, quality_section
from tests.unit.strategic.quality.plans import GOVERNANCE, whole, with_line

FAULTY = with_line(GOVERNANCE, "The chair is [insert name].")


def test_the_section_names_score_severity_finding_and_both_places():
    quality = assess(FAULTY)
    said = quality_section(quality, {GOVERNANCE: "Governance"})

    assert said.startswith(f"**Score 85 of 100.** {len(CHECKS)} checks read the finished plan and found 1 high.")
    assert "| high | A placeholder was left in: “[insert name]”. | Governance: The chair is [insert name]." in said
    assert (quality_card(quality).value, quality_card(quality).tone) == ("85 of 100", "bad")


def test_an_outline_has_findings_and_no_score():
    quality = assess(FAULTY, scored=False)
    said = quality_section(quality, {GOVERNANCE: "Governance"})

    assert said.startswith(f"**Not scored: an outline.** {len(CHECKS)} checks read the finished plan and found 1 high.")
    assert "The score is" not in said
    assert (quality_card(quality).value, quality_card(quality).tone) == ("not scored", "bad")


def test_a_plan_without_findings_says_so_and_lists_what_was_read():
    said = quality_section(assess(whole()), {})

    assert said.startswith(f"Nothing was found. {len(CHECKS)} checks read the finished plan")
    assert said.count("| nothing |") == len(CHECKS)
