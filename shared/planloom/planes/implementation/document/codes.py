"""Every code that a check can give, with what it means: the contract that agents program against."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Code:
    """A stable code; *severity* error: the plan is not stored."""

    code: str
    severity: Literal["error", "warning"]
    rule: str


CODES: tuple[Code, ...] = (
    Code("UNSUPPORTED_SCHEMA_VERSION", "error", "schemaVersion is 1.0.0"),
    Code("MISSING_FIELD", "error", "Required fields are there"),
    Code("MISSING_ACTION_FIELD", "error", "An action has the fields that its type needs"),
    Code("MISSING_VERIFICATION_FIELD", "error", "A verification has the fields that its type needs"),
    Code("UNKNOWN_FIELD", "error", "No fields but those of the schema; metadata takes any"),
    Code("WRONG_TYPE", "error", "A value is of the type that the schema says"),
    Code("NOT_ALLOWED", "error", "An enumerated value is one of those listed"),
    Code("BAD_FORMAT", "error", "Step ids are S and a number, risk ids R and a number"),
    Code("TOO_SHORT", "error", "A text is not shorter than the schema says"),
    Code("TOO_LONG", "error", "A text is not longer than the schema says"),
    Code("TOO_FEW_ITEMS", "error", "A list has at least as many entries as the schema says"),
    Code("TOO_MANY_ITEMS", "error", "A list has at most as many entries as the schema says"),
    Code("OUT_OF_RANGE", "error", "A number is within the bounds of the schema"),
    Code("DUPLICATE_ITEM", "error", "dependsOn names each step once"),
    Code("DUPLICATE_STEP_ID", "error", "Step ids are unique"),
    Code("UNKNOWN_DEPENDENCY", "error", "dependsOn names steps of the plan"),
    Code("SELF_DEPENDENCY", "error", "No step waits for itself"),
    Code("DEPENDENCY_CYCLE", "error", "No steps wait for one another in a circle"),
    Code("MORE_FINDINGS", "error", "Not a rule: there are more than 100 findings, only the first are listed"),
    Code("NO_ACCEPTANCE_CRITERIA", "warning", "The goal has acceptance criteria"),
    Code("DUPLICATE_RISK_ID", "warning", "Risk ids are unique"),
    Code("ORPHAN_STEP", "warning", "Each step waits for another or is waited for"),
    Code("UNREACHABLE_STEP", "warning", "No step waits, through others, for a circle or for a step that is not there"),
    Code("NO_VERIFICATION", "warning", "Steps are verified, unless they only discover, design or document"),
    Code("DONE_BEFORE_DEPENDENCY", "warning", "A step is done only after what it waits for"),
    Code("UNUSED_FIELD", "warning", "Actions and verifications carry no fields that their type does not use"),
    Code("EMPTY_FIELD", "warning", "Fields that a type needs are not empty"),
    Code("OUTSIDE_REPOSITORY", "warning", "Paths stay within the repository: relative, without .. that leads out"),
    Code("REVERSED_LINES", "warning", "lines are first and last"),
    Code("PARALLEL_EDIT", "warning", "Of two steps that write the same file, one waits for the other"),
)
