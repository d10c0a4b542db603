"""Clients of the Amazon Bedrock runtime, without retries of the SDK and with enough connections."""

from typing import TYPE_CHECKING, Any

from botocore.config import Config

from planloom.adapters.closable_connections import make_closable
from planloom.models.providers import ConnectBedrock

if TYPE_CHECKING:
    import boto3

CONNECT_SECONDS = 10


def connect_bedrock(session: "boto3.Session", url: str) -> ConnectBedrock:
    """Return a function that makes clients in the region of *session*, at *url* if it is not empty."""

    def connect(*, timeout: float, connections: int) -> Any:
        client = session.client(
            "bedrock-runtime",
            endpoint_url=url or None,
            config=Config(  # type: ignore[call-arg]  # the stubs lag behind
                read_timeout=timeout,
                connect_timeout=CONNECT_SECONDS,
                max_pool_connections=connections,
                # planloom counts and repeats requests itself
                retries={"mode": "standard", "total_max_attempts": 1},
                # the embedded AWS sets its endpoint for every SDK client, and its Bedrock only echoes
                ignore_configured_endpoint_urls=True,
                tcp_keepalive=True,
            ),
        )
        return make_closable(client)

    return connect
