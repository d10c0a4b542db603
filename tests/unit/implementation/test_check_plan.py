"""The corpus: each plan draws exactly the errors and warnings that it should."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.planes.implementation.document.check_plan import check_plan
from planloom.planes.implementation.document.codes import CODES
from planloom.planes.implementation.document.findings import MOST_FINDINGS, Finding
from planloom.planes.implementation.document.normal_form import normal_form
from tests.corpus.base import base, patched
from tests.corpus.cases import ACTIONS, CASES, VERIFICATIONS, Case


def told(findings: tuple[Finding, ...]) -> tuple[str, ...]:
    return tuple(sorted(f"{each.code} {each.path}" for each in findings))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_plan_of_the_corpus_draws_the_findings_that_it_should(case: Case) -> None:
    found = check_plan(case.plan)
    assert (told(found.errors), told(found.warnings)) == (case.errors, case.warnings)
    assert found.is_valid == (not case.errors)


def test_the_corpus_is_large_and_no_two_of_its_plans_are_the_same() -> None:
    assert len(CASES) >= 60
    assert len({case.name for case in CASES}) == len(CASES)
    assert len({json.dumps(case.plan) for case in CASES}) == len(CASES)


def test_the_corpus_draws_every_code_that_there_is() -> None:
    drawn = {line.split()[0] for case in CASES for line in (*case.errors, *case.warnings)}
    assert {each.code for each in CODES} - drawn == {"MORE_FINDINGS"}
    severities = {each.code: each.severity for each in CODES}
    for case in CASES:
        assert {severities[line.split()[0]] for line in case.errors} <= {"error"}
        assert {severities[line.split()[0]] for line in case.warnings} <= {"warning"}


def test_the_base_has_every_type_of_action_and_verification() -> None:
    plan = base()
    assert {action["type"] for step in plan["steps"] for action in step["actions"]} == set(ACTIONS)
    assert {each["type"] for step in plan["steps"] for each in step["verification"]} == set(VERIFICATIONS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_check_leaves_the_plan_alone_and_a_normal_form_is_valid_and_final(case: Case) -> None:
    before = copy.deepcopy(case.plan)
    found = check_plan(case.plan)
    assert case.plan == before
    if found.is_valid:
        normal = normal_form(case.plan)
        assert check_plan(normal) == found
        assert normal_form(normal) == normal
        assert case.plan == before


def test_a_circle_is_told_with_its_steps_in_their_order() -> None:
    plan = patched(("/steps/1/dependsOn/0", "S4"), ("/steps/2/dependsOn/0", "S2"), ("/steps/3/dependsOn", ["S3"]))
    (error,) = check_plan(plan).errors
    assert error.message == "Steps wait for one another in a circle: S2 waits for S4 waits for S3 waits for S2."


@pytest.mark.parametrize(
    ("path", "value", "hint"),
    [
        ("/steps/0/kind", "implement", "Did you mean implementation?"),
        ("/steps/0/actions/0/querry", "x", "Did you mean query?"),
        ("/steps/0/ui/color", "x", "metadata"),
        ("/steps/4/id", "5", "S and a number"),
        ("/schemaVersion", "1.1.0", "Set it to 1.0.0"),
    ],
)
def test_hints_say_how_to_mend_it(path: str, value: str, hint: str) -> None:
    found = {each.path: each for each in check_plan(patched((path, value))).errors}
    assert hint in str(found[path].hint)


def test_an_action_without_its_payload_is_told_by_field_and_not_by_the_schemas_machinery() -> None:
    (error,) = check_plan(patched(("/steps/1/actions/2/instruction",))).errors
    assert error == Finding(
        "/steps/1/actions/2/instruction",
        "MISSING_ACTION_FIELD",
        "/steps/1/actions/2 is of type edit_file and has no instruction.",
        "edit_file needs path and instruction.",
    )


def test_findings_beyond_a_hundred_are_counted_as_more() -> None:
    plan = base()
    plan["steps"] = [{"id": f"S{n}"} for n in range(1, 200)]
    errors = check_plan(plan).errors
    assert len(errors) == MOST_FINDINGS + 1
    assert errors[-1].code == "MORE_FINDINGS"


def test_a_path_escapes_what_a_pointer_cannot_hold() -> None:
    (error,) = check_plan(patched(("/a~b", 1))).errors
    assert error.path == "/a~0b"


def knotted(steps: int) -> dict[str, object]:
    """A plan in which every step waits for every other before it, and the first for the last."""
    plan = base()
    first = plan["steps"][1]
    plan["steps"] = [
        first | {"id": f"S{n}", "dependsOn": [f"S{m}" for m in range(max(0, n - 60), n)]} for n in range(steps)
    ]
    plan["steps"][0]["dependsOn"] = [f"S{steps - 1}"]
    return plan


def test_a_knot_of_two_thousand_steps_and_a_hundred_thousand_dependencies_is_one_finding() -> None:
    found = [each for each in check_plan(knotted(2000)).errors if each.code == "DEPENDENCY_CYCLE"]
    assert [each.path for each in found] == ["/steps/0/dependsOn/0"]


def test_a_long_circle_is_told_by_its_ends() -> None:
    plan = base()
    step = plan["steps"][1]
    plan["steps"] = [step | {"id": f"S{n}", "dependsOn": [f"S{(n + 1) % 50}"]} for n in range(50)]
    (error,) = check_plan(plan).errors
    assert error.message.endswith(
        "waits for S5 waits for (39 more) waits for S45 waits for S46 waits for S47 waits for "
        "S48 waits for S49 waits for S0."
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 300) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
PLACES = [
    *(case.errors[0].split()[1] for case in CASES if case.errors and not case.fits_schema),
    "/steps/0",
    "/steps/0/actions",
    "/steps/0/verification/0",
    "/context",
]


@given(st.lists(st.tuples(st.sampled_from(PLACES), JSON), min_size=1, max_size=3))
def test_no_plan_breaks_the_check(changes: list[tuple[str, object]]) -> None:
    plan = base()
    for path, value in changes:
        try:
            plan = set_in(plan, path, value)
        except (KeyError, IndexError, TypeError):
            continue
    found = check_plan(plan)
    assert {each.code for each in (*found.errors, *found.warnings)} <= {each.code for each in CODES}


def set_in(plan: dict[str, object], path: str, value: object) -> dict[str, object]:
    *way, last = [int(part) if part.isdigit() else part for part in path.split("/")[1:]]
    place: object = plan
    for part in way:
        place = place[part]  # type: ignore[index]
    place[last] = value  # type: ignore[index]
    return plan
