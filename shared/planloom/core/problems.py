"""What is wrong with a document that somebody wrote: where, which rule, and what to do about it."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Problem(BaseModel):
    """One finding of a validation. ``path`` is a JSON Pointer (RFC 6901) into the document."""

    model_config = ConfigDict(frozen=True)

    path: str = Field(description="Where it is, as a JSON Pointer: /steps/0/tool")
    code: str = Field(description="Stable code of the rule: DUPLICATE_INDEX")
    message: str = Field(description="What is wrong there")
    hint: str = Field(default="", description="What to write instead")
    severity: Literal["error", "warning"] = Field(default="error", description="A warning does not prevent a run")
