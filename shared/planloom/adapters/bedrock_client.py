"""Clients of Amazon Bedrock's runtime, as our own retries and our fan-out want them."""

from typing import Any

import boto3
from botocore.config import Config

from planloom.adapters.closable_connections import make_closable
from planloom.models.providers import ConnectBedrock

CONNECT_SECONDS = 10


def connect_bedrock(session: boto3.Session, url: str) -> ConnectBedrock:
    """Return what makes clients of *session*'s region, at *url* where one is given."""

    def connect(*, timeout: float, connections: int) -> Any:
        client = session.client(
            "bedrock-runtime",
            endpoint_url=url or None,
            config=Config(  # type: ignore[call-arg]  # the stubs lag behind
                read_timeout=timeout,
                connect_timeout=CONNECT_SECONDS,
                max_pool_connections=connections,
                # every request is counted and waited for by planloom's own rules
                retries={"mode": "standard", "total_max_attempts": 1},
                # the embedded AWS points every SDK at itself; its Bedrock only echoes
                ignore_configured_endpoint_urls=True,
                tcp_keepalive=True,
            ),
        )
        return make_closable(client)

    return connect
