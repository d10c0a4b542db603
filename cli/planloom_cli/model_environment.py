"""What of the caller's environment says which models draft, as the Lambdas of the embedded AWS are told it."""

import os
from collections.abc import Mapping

import boto3
from botocore.exceptions import BotoCoreError

from planloom.settings import OFF, BedrockSettings, EndpointSettings

#: Credentials count where the environment names them: a profile that merely lies on the disk is no wish to pay.
NAMING = ("AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_BEARER_TOKEN_BEDROCK", "AWS_WEB_IDENTITY_TOKEN_FILE")


def model_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the endpoints and keys in *environment*, the process's own by default, as variables for the Lambdas.

    AWS credentials for Bedrock come under names of their own: the embedded AWS gives its Lambdas its own credentials.
    """
    found = os.environ if environment is None else environment
    return EndpointSettings.read(found).variables() | _bedrock(found).variables()


def _bedrock(found: Mapping[str, str]) -> BedrockSettings:
    told = BedrockSettings.read(found)
    if told.geography == OFF or told.usable or not any(found.get(name) for name in NAMING):
        return told
    try:
        session = boto3.Session(profile_name=found.get("AWS_PROFILE") or None)
        credentials = session.get_credentials()
    except BotoCoreError:
        return told  # a profile that does not exist, a session that ended: `planloom models` says that there is none
    # every other SDK reads AWS_REGION, and before AWS_DEFAULT_REGION; this one does not
    region = found.get("PLANLOOM_BEDROCK_REGION") or found.get("AWS_REGION") or session.region_name or ""
    if credentials is None or told.bearer:
        return told.model_copy(update={"region": region})
    frozen = credentials.get_frozen_credentials()
    keys = {"key_id": frozen.access_key, "key": frozen.secret_key, "session_token": frozen.token or ""}
    return told.model_copy(update={"region": region, **keys})
