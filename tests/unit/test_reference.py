"""docs/reference.md: every operation of every plane, as the endpoint tables have it."""

from infra.reference import PAGE, reference
from planloom.planes import PLANES, SHARED


def test_the_reference_is_current() -> None:
    current = PAGE.read_text(encoding="utf-8") == reference((*PLANES, *SHARED))
    assert current, "docs/reference.md is not current. Run 'python -m infra.reference'."


def test_the_reference_has_a_call_over_each_transport_for_every_operation() -> None:
    text = reference((*PLANES, *SHARED))
    for plane in (*PLANES, *SHARED):
        for endpoint in plane.endpoints:
            section = text.split(f"\n### {endpoint.name}\n", 1)[1].split("\n### ", 1)[0]
            assert ("curl" in section) == (endpoint.http is not None)
            assert ("tools/call" in section) == endpoint.tool
