"""Selects the settings of models from the caller's environment, for the Lambdas of the embedded AWS."""

import os
from collections.abc import Mapping

import boto3
from botocore.exceptions import BotoCoreError

from planloom.settings import OFF, BedrockSettings, EndpointSettings

#: AWS credentials are used only if the environment names them: a default profile on disk is no consent to costs.
NAMING = ("AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_BEARER_TOKEN_BEDROCK", "AWS_WEB_IDENTITY_TOKEN_FILE")


def model_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the endpoints and keys in *environment*, by default that of the process, as variables for the Lambdas.

    AWS credentials for Bedrock have their own names, since the Lambdas have the credentials of the embedded AWS.
    """
    found = os.environ if environment is None else environment
    return EndpointSettings.read(found).variables() | _bedrock(found).variables()


def _bedrock(found: Mapping[str, str]) -> BedrockSettings:
    settings = BedrockSettings.read(found)
    if settings.geography == OFF or settings.usable or not any(found.get(name) for name in NAMING):
        return settings
    try:
        session = boto3.Session(profile_name=found.get("AWS_PROFILE") or None)
        credentials = session.get_credentials()
    except BotoCoreError:
        return settings  # the profile does not exist or its session expired: `planloom models` shows the reason
    # boto3 does not read AWS_REGION, which all other SDKs read before AWS_DEFAULT_REGION
    region = found.get("PLANLOOM_BEDROCK_REGION") or found.get("AWS_REGION") or session.region_name or ""
    if credentials is None or settings.bearer:
        return settings.model_copy(update={"region": region})
    frozen = credentials.get_frozen_credentials()
    keys = {"key_id": frozen.access_key, "key": frozen.secret_key, "session_token": frozen.token or ""}
    return settings.model_copy(update={"region": region, **keys})
