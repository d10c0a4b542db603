"""Example plans over HTTP."""

from fastapi import APIRouter

from planloom.api.examples_answers import ExamplePlans, shown_examples
from planloom.api.http_caller import Account, key_in_header
from planloom.api.refusals import refusals

router = APIRouter(prefix="/v1", tags=["plans"], dependencies=[key_in_header], responses=refusals(401, 403, 422, 500))


@router.get("/example-plans", operation_id="example_plans", response_model=ExamplePlans)
def examples(_: Account) -> ExamplePlans:
    """Show what finished plans look like, with links to report and zip."""
    return shown_examples()
