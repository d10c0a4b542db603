"""Check a plan: its schema, the rules beyond it, and what a planner would warn of."""

from planloom.planes.implementation.document.advice import advice
from planloom.planes.implementation.document.findings import Validation, first_of
from planloom.planes.implementation.document.rules import rule_findings
from planloom.planes.implementation.document.schema import Document
from planloom.planes.implementation.document.schema_findings import schema_findings
from planloom.planes.implementation.document.steps import StepGraph, read_steps


def check_plan(plan: Document) -> Validation:
    """Return what is wrong with *plan*; it is within the limits.

    The rules are checked even where the schema is broken, as far as steps can be read; warnings only where it is not.
    """
    steps = list(read_steps(plan))
    graph = StepGraph(steps)
    misfits = first_of(schema_findings(plan))
    errors = first_of([*misfits, *rule_findings(steps, graph)])
    return Validation(errors, () if misfits else first_of(advice(plan, steps, graph)))
