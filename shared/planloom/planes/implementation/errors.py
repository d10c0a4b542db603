"""What callers meet with implementation plans alone, a branch of the tree in planloom.core.errors.

PlanloomError
├── InvalidPlan                   INVALID_PLAN          an implementation plan that breaks its schema or rules
├── UnsupportedSchemaVersion      UNSUPPORTED_SCHEMA_VERSION
├── PlanTooLarge                  PLAN_TOO_LARGE
├── RevisionConflict              REVISION_CONFLICT
├── RevisionNotFound              REVISION_NOT_FOUND
└── StepNotFound                  STEP_NOT_FOUND
"""

from planloom.core.errors import PlanloomError


class InvalidPlan(PlanloomError):
    """An implementation plan breaks its schema or the rules; ``details["validation"]`` holds the findings."""

    code = "INVALID_PLAN"


class UnsupportedSchemaVersion(PlanloomError):
    """The schema of implementation plans has no such version here; ``details["supported"]`` lists the known ones."""

    code = "UNSUPPORTED_SCHEMA_VERSION"


class PlanTooLarge(PlanloomError):
    """An implementation plan is over a bound on size, depth or steps, and was not looked into any further."""

    code = "PLAN_TOO_LARGE"


class RevisionConflict(PlanloomError):
    """Somebody else saved the plan first; ``details["currentRevision"]`` is what to read and build upon."""

    code = "REVISION_CONFLICT"


class RevisionNotFound(PlanloomError):
    """The plan has no revision of that number."""

    code = "REVISION_NOT_FOUND"


class StepNotFound(PlanloomError):
    """The plan has no step of that id."""

    code = "STEP_NOT_FOUND"
