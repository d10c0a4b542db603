"""The embedded AWS: ministack as a child process on the loopback interface, with the same stack as in AWS.

with EmbeddedAws(state) as aws:
    where = deploy(aws)
    where.api_url
"""

from planloom_cli.embedded.deploy import Deployment, deploy
from planloom_cli.embedded.environment import runs_at_once
from planloom_cli.embedded.errors import (
    DeployFailed,
    EmbeddedError,
    FolderInUse,
    FolderUnusable,
    NoSources,
    NotReady,
    PortInUse,
)
from planloom_cli.embedded.process import EmbeddedAws

__all__ = [
    "DeployFailed",
    "Deployment",
    "EmbeddedAws",
    "EmbeddedError",
    "FolderInUse",
    "FolderUnusable",
    "NoSources",
    "NotReady",
    "PortInUse",
    "deploy",
    "runs_at_once",
]
