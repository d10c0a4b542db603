"""The tables of kinds hold together, and their texts are true of any goal of the kind."""

import re
from importlib.resources import files

import pytest

from planloom.planes.strategic.outline.choose import GENERAL, kind_table, kinds
from planloom.planes.strategic.outline.tables import Kind

ALL = [kind_table(name) for name in (*kinds(), GENERAL)]


@pytest.fixture(params=ALL, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> Kind:
    found = request.param
    assert isinstance(found, Kind)
    return found


def test_every_reference_names_a_row(kind: Kind) -> None:
    packages = [p.key for p in kind.packages]
    roles, deliverables = {r.key for r in kind.roles}, {d.key for d in kind.deliverables}
    assert len(set(packages)) == len(packages)
    assert {p.deliverable for p in kind.packages} == deliverables
    assert {p.owner for p in kind.packages} <= roles
    named = {key for a in kind.approvals for key in (*a.papers, *a.frees)} | {line.package for line in kind.lines}
    assert named | {risk.hits for risk in kind.risks} | {kind.delivers} <= set(packages)
    assert {risk.owner for risk in kind.risks} | {"lead"} <= roles


def test_a_package_needs_only_packages_above_it(kind: Kind) -> None:
    keys = [p.key for p in kind.packages]
    assert [p.key for p in kind.packages if any(keys.index(n) >= keys.index(p.key) for n in p.needs)] == []


def test_estimates_are_ranges_and_shares_sum_to_one(kind: Kind) -> None:
    days = [p.days for p in kind.packages] + [a.days for a in kind.approvals]
    assert all(0 < low <= likely < high for low, likely, high in days)
    assert sum(line.share for line in kind.lines) == pytest.approx(1)


def test_no_text_states_an_amount_or_a_date(kind: Kind) -> None:
    rows = (*kind.packages, *kind.lines, *kind.risks, *kind.assumptions, *kind.questions)
    texts = [str(value) for row in rows for value in row.model_dump().values() if isinstance(value, str)]
    assert [text for text in texts if re.search(r"\d", text)] == []


def test_a_table_has_at_most_three_hundred_lines(kind: Kind) -> None:
    text = (files("planloom.planes.strategic.outline") / "kinds" / f"{kind.name}.toml").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 300
