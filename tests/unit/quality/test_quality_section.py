"""The section and the figure of the report that say what the checks found, with and without a score."""

from planloom.quality.checks import CHECKS, assess
from planloom.stages.parts.quality_section import quality_card, quality_section
from tests.unit.quality.planted import GOVERNANCE
from tests.unit.quality.whole import whole, with_line
from tests.unit.three_goals import CAFE

FAULTY = "The chair is [insert name]."


def test_the_section_names_score_severity_finding_and_both_places() -> None:
    quality = assess(with_line(whole(CAFE), GOVERNANCE, FAULTY))
    said = quality_section(quality, {GOVERNANCE: "Governance"})

    assert said.startswith(f"**Score 85 of 100.** {len(CHECKS)} checks read the finished plan and found 1 high.")
    assert "The score is 100 less 15, 5 and 1 for each, at most 25 for one check." in said
    assert "| high | A placeholder was left in: “[insert name]”. | Governance: The chair is [insert name]." in said
    assert (quality_card(quality).value, quality_card(quality).tone) == ("85 of 100", "bad")


def test_an_outline_has_findings_and_no_score() -> None:
    quality = assess(with_line(whole(CAFE), GOVERNANCE, FAULTY), scored=False)
    said = quality_section(quality, {GOVERNANCE: "Governance"})

    assert said.startswith(f"**Not scored: an outline.** {len(CHECKS)} checks read the finished plan and found 1 high.")
    assert "The score is" not in said
    assert (quality_card(quality).value, quality_card(quality).tone) == ("not scored", "bad")
