"""Clients of AWS, one of each service, made on first use.

botocore alone makes them: boto3 would load 65 modules more in every Lambda.
"""

from collections.abc import Callable
from functools import cache
from threading import RLock
from typing import Any, Literal

from botocore.config import Config
from botocore.session import Session

from planloom.wiring import CONNECTIONS

CONFIG = Config(
    max_pool_connections=CONNECTIONS, retries={"mode": "standard", "total_max_attempts": 4}, connect_timeout=5
)
Service = Literal["dynamodb", "events", "lambda", "s3", "scheduler", "secretsmanager", "sqs", "ssm", "stepfunctions"]


class Clients:
    """Clients of one account, made by *make*: ``create_client`` of a botocore session, or ``client`` of a boto3 one.

    *endpoint* is the URL of the embedded AWS.
    """

    def __init__(self, make: Callable[..., Any], endpoint: str | None = None) -> None:
        self._make = make
        self._endpoint = endpoint
        self._lock = RLock()
        self._made: dict[Service, Any] = {}

    def __call__(self, service: Service) -> Any:
        """Return the client of *service*."""
        # a session may not make two clients at once
        with self._lock:
            if service not in self._made:
                config = self._s3_config() if service == "s3" else CONFIG
                self._made[service] = self._make(service, config=config, endpoint_url=self._endpoint)
            return self._made[service]

    def _s3_config(self) -> Config:
        # the default signature would give links that never expire on some stores; without a style, links would name
        # S3's global host, which sends callers of a new bucket elsewhere than was signed for
        style: Literal["path", "virtual"] = "path" if self._endpoint else "virtual"
        return CONFIG.merge(Config(signature_version="s3v4", s3={"addressing_style": style}))


@cache
def clients() -> Clients:
    """Return the clients of this process."""
    return Clients(Session().create_client)


def client(service: Service) -> Any:
    """Return this process's client of *service*."""
    return clients()(service)
