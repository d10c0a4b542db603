"""Every environment variable that planloom reads, once; infra sets those of Settings, and nothing else."""

import os
from collections.abc import Mapping
from datetime import timedelta

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.planes.strategic.watch_settings import Redact, WatchSettings

#: Value of PLANLOOM_BEDROCK that leaves Bedrock out.
OFF = "off"
GLOBAL = "global"
#: Those whose prices are known.
GEOGRAPHIES = (GLOBAL, "us", "eu", "apac", "jp", "au")


class Settings(Frozen):
    """What a deployment passes to its functions. A function reads only what its handler needs; the rest stays empty."""

    table: str = Field(default="", alias="PLANLOOM_TABLE")
    bucket: str = Field(default="", alias="PLANLOOM_BUCKET")
    bus: str = Field(default="", alias="PLANLOOM_BUS")
    state_machine: str = Field(default="", alias="PLANLOOM_STATE_MACHINE", description="ARN")
    run_steps: str = Field(default="", alias="PLANLOOM_RUN_STEPS", description="ARN of the machine that works on runs")
    notifications: str = Field(default="", alias="PLANLOOM_NOTIFICATIONS", description="URL of the queue of events")
    loopback_tools: bool = Field(
        default=False,
        alias="PLANLOOM_LOOPBACK_TOOLS",
        description="Tool servers on this machine are admitted: a laptop",
    )
    goal_reader: str = Field(default="", alias="PLANLOOM_GOAL_READER", description="Lambda that reads goals")
    schedule_target: str = Field(
        default="", alias="PLANLOOM_SCHEDULE_TARGET", description="ARN of the Lambda that starts scheduled runs"
    )
    schedule_role: str = Field(
        default="", alias="PLANLOOM_SCHEDULE_ROLE", description="ARN of the role with which it is called"
    )
    api_function: str = Field(
        default="", alias="PLANLOOM_API_FUNCTION", description="Lambda of the API: runs call planloom's own tools by it"
    )
    secret: str = Field(default="", alias="PLANLOOM_SECRET", description="ARN: signs MCP request state")
    rules: str = Field(default="", alias="PLANLOOM_RULES", description="As planloom.accounts.rules reads them")
    stage: str = Field(default="", alias="PLAN_STAGE", description="The stage that a stage Lambda runs")

    stalled_minutes: float = Field(default=10, gt=0, alias="PLANLOOM_STALLED_MINUTES", description="Silence: a stall")
    inactive_minutes: float = Field(default=35, gt=0, alias="PLANLOOM_INACTIVE_MINUTES", description="Silence: the end")
    redact: Redact = Field(default="logs", alias="PLANLOOM_REDACT", description="Where prompts are not quoted")
    holds: int = Field(default=0, ge=0, alias="PLANLOOM_HOLDS", description="Calls held open at once; 0: any number")
    runs_at_once: int = Field(
        default=0, ge=0, alias="PLANLOOM_RUNS_AT_ONCE", description="Plans at once; 0: any number"
    )
    live_operations: int = Field(
        default=16, ge=1, alias="PLANLOOM_LIVE_OPERATIONS", description="Operations of a session that run at once"
    )
    ended_operations: int = Field(
        default=32, ge=1, alias="PLANLOOM_ENDED_OPERATIONS", description="Ended operations that a session keeps"
    )

    def watching(self) -> WatchSettings:
        """Return how this deployment watches over its plans."""
        return WatchSettings(
            stalled_after=timedelta(minutes=self.stalled_minutes),
            inactive_after=timedelta(minutes=self.inactive_minutes),
            redact=self.redact,
            holds=self.holds,
            runs_at_once=self.runs_at_once,
        )

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None) -> "Settings":
        """Return the settings in *environment*, the process's own by default."""
        return cls.model_validate(_known(cls, environment))


class DeployedModels(Frozen):
    """What a deployment in AWS passes to the Lambdas that ask or list models; empty on the embedded AWS."""

    secret: str = Field(
        default="", alias="PLANLOOM_MODEL_SECRET", description="ARN: what EndpointSettings reads, as JSON"
    )
    bedrock: str = Field(
        default="", alias="PLANLOOM_BEDROCK", description="Geography of the inference profiles, or off"
    )

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None) -> "DeployedModels":
        """Return the settings in *environment*, the process's own by default."""
        return cls.model_validate(_known(cls, environment))


class EndpointSettings(Frozen):
    """Which endpoints draft plans, and the keys to them: set by the operator, never by infra.

    `planloom up` and `draft` hand them on from their environment; in AWS the operator's secret holds them.
    """

    base_url: str = Field(default="", alias="OPENAI_BASE_URL", description="Empty with a key: OpenAI itself")
    api_key: str = Field(default="", alias="OPENAI_API_KEY", repr=False)
    model: str = Field(default="", alias="PLANLOOM_MODEL", description="As the endpoint names it")
    concurrency: str = Field(default="", alias="PLANLOOM_MODEL_CONCURRENCY", description="Calls of a stage at a time")
    timeout: str = Field(default="", alias="PLANLOOM_MODEL_TIMEOUT", description="Seconds that an answer may take")
    max_tokens: str = Field(default="", alias="PLANLOOM_MODEL_MAX_TOKENS", description="Of one answer, at most")
    openrouter_key: str = Field(default="", alias="OPENROUTER_API_KEY", repr=False)
    openrouter_url: str = Field(default="", alias="OPENROUTER_BASE_URL", description="Empty: OpenRouter's own")

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None) -> "EndpointSettings":
        """Return the settings in *environment*, the process's own by default; white space around them is dropped."""
        return cls.model_validate({name: value.strip() for name, value in _known(cls, environment).items()})

    def variables(self) -> dict[str, str]:
        """Return what is set, as an environment."""
        return {name: value for name, value in self.model_dump(by_alias=True).items() if value}


class BedrockSettings(Frozen):
    """Bedrock for a service on a laptop, whose Lambdas have the embedded AWS's own credentials under the usual names.

    The command makes them of the operator's AWS environment.
    """

    geography: str = Field(default="", alias="PLANLOOM_BEDROCK", description="Of the inference profiles; off: none")
    region: str = Field(default="", alias="PLANLOOM_BEDROCK_REGION")
    key_id: str = Field(default="", alias="PLANLOOM_BEDROCK_KEY_ID")
    key: str = Field(default="", alias="PLANLOOM_BEDROCK_KEY", repr=False)
    session_token: str = Field(default="", alias="PLANLOOM_BEDROCK_SESSION_TOKEN", repr=False)
    bearer: str = Field(default="", alias="AWS_BEARER_TOKEN_BEDROCK", repr=False)
    url: str = Field(default="", alias="PLANLOOM_BEDROCK_URL", description="Empty: the region's own")

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None) -> "BedrockSettings":
        """Return the settings in *environment*, the process's own by default."""
        return cls.model_validate({name: value.strip() for name, value in _known(cls, environment).items()})

    @property
    def usable(self) -> bool:
        """Whether a client can be made of them."""
        return self.lacks() is None

    def lacks(self) -> str | None:
        """Return what must be set before a client can be made of them, or None."""
        if self.geography == OFF:
            return "PLANLOOM_BEDROCK is off"
        if not self.bearer and not (self.key_id and self.key):
            return (
                "no AWS credentials: set AWS_ACCESS_KEY_ID and its secret, AWS_PROFILE (logged in) or "
                "AWS_BEARER_TOKEN_BEDROCK"
            )
        return None if self.region else "AWS credentials without a region: set AWS_REGION"

    def variables(self) -> dict[str, str]:
        """Return what is set, as an environment."""
        return {name: value for name, value in self.model_dump(by_alias=True).items() if value}


def _known(settings: type[Frozen], environment: Mapping[str, str] | None) -> dict[str, str]:
    source = os.environ if environment is None else environment
    names = {field.alias for field in settings.model_fields.values()}
    return {name: value for name, value in source.items() if name in names}
