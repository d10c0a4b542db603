"""Store an implementation plan once, as its first revision."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from planloom.core.clock import NewId
from planloom.core.errors import InvalidArgument, RequestConflict
from planloom.planes.implementation.document.findings import Validation
from planloom.planes.implementation.document.schema import Document, supported
from planloom.planes.implementation.ports import ImplementationPlans, PlanRegistry
from planloom.planes.implementation.records import (
    ImplementationPlan,
    Revision,
    RevisionDocument,
    plan_sha256,
    view_of,
)
from planloom.planes.implementation.services.check_implementation_plan import checked_implementation_plan

#: Where a plan comes from is a hash and a name or two.
SOURCE_CHARACTERS = 4_000


@dataclass(frozen=True)
class Saved:
    """A revision that was stored, with what its check said."""

    view: ImplementationPlan
    revision: Revision
    validation: Validation


def create_implementation_plan(
    implementation_plans: ImplementationPlans,
    account: str,
    plan: Document,
    schema_version: str | None = None,
    source: dict[str, Any] | None = None,
    client_request_id: str | None = None,
    made_from: str | None = None,
) -> Saved:
    """Store *plan* for *account*, give it an id and return its first revision.

    With *client_request_id* a repeat returns what the first call made. *made_from* is a strategic plan of the account.
    Raises InvalidPlan, UnsupportedSchemaVersion, PlanTooLarge and InvalidArgument, with nothing stored, and
    RequestConflict where the first call with that id sent another plan.
    """
    validation = checked_implementation_plan(plan, schema_version)
    plan_id = _plan_id(implementation_plans.new_id, account, client_request_id)
    kept = {**plan, "planId": plan_id}
    now = implementation_plans.now()
    revision = Revision(
        number=1,
        created_at=now,
        author=account,
        sha256=plan_sha256(kept),
        source=checked_source(source),
        schema_version=supported(schema_version),
    )
    document = RevisionDocument(plan_id=plan_id, account=account, made_from=made_from, revision=revision, plan=kept)
    view = view_of(document, now)
    earlier = implementation_plans.registry.get(plan_id) if client_request_id else None
    if earlier is None and implementation_plans.registry.save(view, document):
        return Saved(view, revision, validation)
    return _repeated(implementation_plans.registry, plan_id, revision, validation)


def checked_source(source: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return *source*. Raises InvalidArgument where it is not a small object of texts, numbers and the like."""
    try:
        text = json.dumps(source, allow_nan=False, ensure_ascii=False)
        text.encode()
    except (ValueError, RecursionError):
        text = ""
    if not text or len(text) > SOURCE_CHARACTERS:
        raise InvalidArgument(
            f"source must be a JSON object of at most {SOURCE_CHARACTERS:,} characters, such as mdHash and origin.",
            field="source",
        )
    return source


def _repeated(registry: PlanRegistry, plan_id: str, revision: Revision, validation: Validation) -> Saved:
    view = registry.get(plan_id)
    first = registry.document(plan_id, 1)
    assert view, "a plan whose id is taken can be read"
    assert first, "every plan has a first revision"
    if (first.revision.sha256, first.revision.source) != (revision.sha256, revision.source):
        raise RequestConflict(
            f"This client_request_id already made plan {plan_id}, from another plan. Use a new id for a new plan."
        )
    return Saved(view_of(first, view.created_at), first.revision, validation)


def _plan_id(new_id: NewId, account: str, client_request_id: str | None) -> str:
    if client_request_id is None:
        return new_id()
    return str(uuid5(NAMESPACE_URL, f"planloom:implementation:{account}:{client_request_id}"))
