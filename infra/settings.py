"""All settings that differ between AWS and a laptop; everything else in the stack is the same for both."""

from dataclasses import dataclass, field
from pathlib import Path

import aws_cdk as cdk
from aws_cdk import aws_logs as logs

from infra.sources import Bundle
from planloom.accounts.rules import Rules
from planloom.planes.strategic.stages.stage import MODEL_SECONDS
from planloom.settings import GEOGRAPHIES, OFF, Settings

#: The long polls on a laptop: each concurrent call is a process, and there are five for callers.
LOCAL_HOLDS = 2
#: The geographies of Bedrock's inference profiles; us-gov is not in the price table.
BEDROCK = (*GEOGRAPHIES, "us-gov", OFF)


@dataclass(frozen=True)
class WatchingSettings:
    """Limits of plans and operations, as planloom.settings reads them: ``cdk deploy -c stalled_minutes=5``."""

    stalled_minutes: float = 10
    inactive_minutes: float = 35
    redact: str = "logs"
    runs_at_once: int = 0
    # a tenth of the concurrency that an account has for all Lambdas: the rest is left for the stages
    holds: int = 100
    # of one session of programs
    live_operations: int = 16
    ended_operations: int = 32

    def variables(self, local: bool) -> dict[str, str]:
        """Return the variables for every Lambda."""
        return {
            "PLANLOOM_STALLED_MINUTES": f"{self.stalled_minutes:g}",
            "PLANLOOM_INACTIVE_MINUTES": f"{self.inactive_minutes:g}",
            "PLANLOOM_REDACT": self.redact,
            "PLANLOOM_HOLDS": str(LOCAL_HOLDS if local else self.holds),
            "PLANLOOM_LIVE_OPERATIONS": str(self.live_operations),
            "PLANLOOM_ENDED_OPERATIONS": str(self.ended_operations),
            # on a laptop planloom_cli.embedded.environment sets it
            **({} if local else {"PLANLOOM_RUNS_AT_ONCE": str(self.runs_at_once)}),
        }


@dataclass(frozen=True)
class StackSettings:
    """*bundles* has one directory per bundle, or one directory ``all`` if *local* is true.

    *as_deployed*, with *local*: each function runs its own bundle, and keys of models come from the secret, as in AWS.
    For AWS, the built viewer is next to *bundles*; on a laptop it is part of the code.
    *rules* are words that planloom.accounts.rules reads.
    *bedrock* is the geography of the inference profiles that draft plans (``global``, ``eu``, ``us``, ...), or ``off``.
    """

    bundles: Path
    local: bool
    rules: str = "none"
    watching: "WatchingSettings" = field(default_factory=WatchingSettings)
    alarm_email: str | None = None
    bedrock: str = "global"
    as_deployed: bool = False

    @property
    def shared_code(self) -> bool:
        """Whether all functions run the same code with the emulator's packages, and keys come from the environment."""
        return self.local and not self.as_deployed

    def __post_init__(self) -> None:
        # checked at synthesis, not by every Lambda
        Rules.read(self.rules)
        Settings.read(self.watching.variables(self.local))
        if self.watching.inactive_minutes * 60 <= MODEL_SECONDS:
            minutes = MODEL_SECONDS // 60
            raise ValueError(f"inactive_minutes must be more than the {minutes} minutes that a stage may take")
        if self.bedrock not in BEDROCK:
            raise ValueError(f"bedrock: {self.bedrock} is none of {', '.join(BEDROCK)}")

    @property
    def removal(self) -> cdk.RemovalPolicy:
        """In AWS, plans are kept when the stack is deleted; on a laptop they are not."""
        return cdk.RemovalPolicy.DESTROY if self.local else cdk.RemovalPolicy.RETAIN

    @property
    def log_retention(self) -> logs.RetentionDays:
        """The retention time of log groups."""
        return logs.RetentionDays.ONE_DAY if self.local else logs.RetentionDays.THREE_MONTHS

    def code(self, bundle: Bundle) -> Path:
        """Return the code directory of Lambdas of *bundle*; raise FileNotFoundError if it was not built."""
        folder = self.bundles / ("all" if self.shared_code else bundle)
        if not folder.is_dir():
            raise FileNotFoundError(f"{folder} does not exist. Run 'make package' first")
        return folder

    def viewer(self) -> Path:
        """Return the directory of the built viewer; raise FileNotFoundError if it was not built."""
        folder = self.bundles.parent / "viewer"
        if not folder.is_dir():
            raise FileNotFoundError(f"{folder} does not exist. Run 'make viewer' first")
        return folder
