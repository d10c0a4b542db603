"""The composition root of models: those that the environment or a secret makes available."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from planloom.adapters.bedrock_client import connect_bedrock
from planloom.adapters.secrets import read_object
from planloom.models.endpoint import OPENROUTER, Endpoint
from planloom.models.profiles import Models
from planloom.models.providers import Bedrock, Providers
from planloom.settings import GLOBAL, OFF, BedrockSettings, DeployedModels, EndpointSettings
from planloom.wiring.aws import client


def make_models(environment: Mapping[str, str] | None = None) -> Models:
    """Build the models that *environment*, the process's own by default, makes available, and the outline."""
    deployed = DeployedModels.read(environment)
    if not deployed.secret:
        own = BedrockSettings.read(environment)
        there = _providers(EndpointSettings.read(environment), _own_bedrock(own))
        there = replace(there, no_bedrock=own.lacks() or "")
        return Models(look=lambda: there)
    bedrock = None if deployed.bedrock == OFF else _bedrock(deployed.bedrock)

    def look() -> Providers:
        # not kept beyond Models.LOOKED_FOR: what the operator fills in later is found
        filled = EndpointSettings.read(read_object(client("secretsmanager"), deployed.secret))
        return replace(_providers(filled, bedrock), outline=False, no_bedrock="Bedrock is switched off here")

    return Models(look=look)


def _providers(endpoint: EndpointSettings, bedrock: Bedrock | None) -> Providers:
    return Providers(
        endpoint=Endpoint(
            endpoint.base_url,
            endpoint.api_key,
            endpoint.model,
            endpoint.concurrency,
            endpoint.timeout,
            endpoint.max_tokens,
        ),
        openrouter=Endpoint(endpoint.openrouter_url or OPENROUTER, endpoint.openrouter_key),
        bedrock=bedrock,
    )


def _own_bedrock(found: BedrockSettings) -> Bedrock | None:
    if not found.usable:
        return None
    return _bedrock(
        found.geography,
        found.url,
        aws_access_key_id=found.key_id or None,
        aws_secret_access_key=found.key or None,
        aws_session_token=found.session_token or None,
        region_name=found.region,
    )


def _bedrock(geography: str, url: str = "", **session: Any) -> Bedrock:
    # on demand: boto3 loads 65 modules that clients of botocore do without
    import boto3

    connected = boto3.Session(**session)
    return Bedrock(connected.region_name, connect_bedrock(connected, url), geography or GLOBAL)
