"""Findings of one cause are shown as one, and of those of low severity only the weightiest."""

from typing import Any

from planloom.planes.strategic.compute.computed import Finding
from planloom.planes.strategic.stages.findings_shown import MOST_LOW, by_cause, findings_text, known_text


def finding(check: str, *ids: str, severity: Any = "medium") -> Finding:
    name = f"{check}:{','.join(ids)}"
    return Finding(id=name, check=check, severity=severity, ids=ids, text=f"About {name}.", places=(f"at {ids[0]}",))


def test_findings_of_one_check_on_a_shared_row_or_on_the_same_rows_are_one_cause() -> None:
    late, later = finding("late", "N1", "P3"), finding("late", "N2", "P3", severity="high")
    same, other = finding("odds", "P3", "N1"), finding("odds", "P3", "N9")
    assert by_cause([late, later, same, other]) == [(later, late, same, other)]
    assert by_cause([late, finding("pay", "P3", "L1")]) == [(late,), (finding("pay", "P3", "L1"),)]


def test_chances_of_days_are_one_item_that_names_each_day() -> None:
    shown = findings_text([finding("time.unlikely", "N1", "P3"), finding("time.missed", "N2", "P4")])
    assert shown.count("- finding") == 1
    assert all(place in shown for place in ("at N1", "at N2"))


def test_a_cause_is_one_item_with_the_places_of_the_first_and_the_texts_of_all() -> None:
    shown = findings_text([finding("late", "N1", "P3"), finding("late", "N2", "P3")])
    assert shown.count("- finding") == 1
    assert "at N1" in shown
    assert "at N2" not in shown
    assert "About late:N2,P3." in shown
    assert len(known_text([finding("late", "N1", "P3"), finding("late", "N2", "P3")]).splitlines()) == 1


def test_of_low_findings_those_with_the_most_rows_are_shown_and_the_others_counted() -> None:
    small = [finding("x", f"P{n}", severity="low") for n in range(MOST_LOW + 3)]
    large = finding("y", "L1", "L2", severity="low")
    shown = findings_text([*small, large])
    assert large.id in shown
    assert shown.count("- finding") == MOST_LOW
    assert "4 more" in shown
