"""Check an implementation plan without storing it, and refuse one that does not hold."""

from typing import Any

from planloom.planes.implementation.document.check_plan import check_plan
from planloom.planes.implementation.document.findings import Finding, Validation
from planloom.planes.implementation.document.limits import check_limits
from planloom.planes.implementation.document.schema import Document, supported
from planloom.planes.implementation.errors import InvalidPlan


def check_implementation_plan(plan: Document, schema_version: str | None) -> Validation:
    """Return what is wrong with *plan*. Raises UnsupportedSchemaVersion, PlanTooLarge, InvalidArgument."""
    supported(schema_version)
    check_limits(plan)
    return check_plan(plan)


def checked_implementation_plan(plan: Document, schema_version: str | None) -> Validation:
    """Return the warnings for *plan*. Raises InvalidPlan and what check_implementation_plan raises."""
    validation = check_implementation_plan(plan, schema_version)
    if not validation.is_valid:
        count = len(validation.errors)
        raise InvalidPlan(
            f"The plan has {count} error{'s' * (count != 1)}: {validation.errors[0].message} Nothing was stored. "
            "Correct what validation.errors names and send it again.",
            validation=shown_validation(validation),
        )
    return validation


def shown_validation(validation: Validation) -> dict[str, Any]:
    """Return *validation* in the specification's form."""
    return {
        "isValid": validation.is_valid,
        "errors": [shown_finding(each) for each in validation.errors],
        "warnings": [shown_finding(each) for each in validation.warnings],
    }


def shown_finding(finding: Finding) -> dict[str, str]:
    """Return *finding* in the specification's form: ``{path, code, message, hint?}``."""
    found = {"path": finding.path, "code": finding.code, "message": finding.message}
    return found | ({"hint": finding.hint} if finding.hint else {})
