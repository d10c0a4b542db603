"""Every environment variable that planloom reads, once; infra sets nothing else."""

import os
from collections.abc import Mapping

from pydantic import Field

from planloom.domain.frozen import Frozen


class Settings(Frozen):
    """What a deployment tells its functions. A function reads only what its door needs; the rest stays empty."""

    table: str = Field(default="", alias="PLANLOOM_TABLE")
    bucket: str = Field(default="", alias="PLANLOOM_BUCKET")
    bus: str = Field(default="", alias="PLANLOOM_BUS")
    state_machine: str = Field(default="", alias="PLANLOOM_STATE_MACHINE", description="ARN")
    secret: str = Field(default="", alias="PLANLOOM_SECRET", description="ARN: signs MCP request state")
    stage: str = Field(default="", alias="PLAN_STAGE", description="The stage that a stage Lambda runs")

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None) -> "Settings":
        """Return the settings in *environment*, the process's own by default."""
        source = os.environ if environment is None else environment
        names = {field.alias for field in cls.model_fields.values()}
        return cls.model_validate({name: value for name, value in source.items() if name in names})
