"""Every environment variable that planloom reads, once; infra sets those of Settings, and nothing else."""

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
        return cls.model_validate(_known(cls, environment))


class EndpointSettings(Frozen):
    """Which OpenAI-compatible endpoint drafts plans: set by the operator, handed on by `planloom up` and `draft`."""

    base_url: str = Field(default="", alias="OPENAI_BASE_URL", description="Empty with a key: OpenAI itself")
    api_key: str = Field(default="", alias="OPENAI_API_KEY", repr=False)
    model: str = Field(default="", alias="PLANLOOM_MODEL", description="As the endpoint names it")

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None) -> "EndpointSettings":
        """Return the settings in *environment*, the process's own by default; white space around them is dropped."""
        return cls.model_validate({name: value.strip() for name, value in _known(cls, environment).items()})

    def variables(self) -> dict[str, str]:
        """Return what is set, as an environment."""
        return {name: value for name, value in self.model_dump(by_alias=True).items() if value}


def _known(settings: type[Frozen], environment: Mapping[str, str] | None) -> dict[str, str]:
    source = os.environ if environment is None else environment
    names = {field.alias for field in settings.model_fields.values()}
    return {name: value for name, value in source.items() if name in names}
