"""A boto3 session for the embedded AWS that ignores the AWS and proxy settings of the environment."""

import os

import boto3
import botocore.session
from botocore.config import Config

REGION = "us-east-1"
ACCOUNT = "000000000000"

#: The emulator requires credentials and accepts any.
CREDENTIAL = "test"


def make_session() -> boto3.Session:
    """Return the session; clients need the endpoint_url as well."""
    nothing = (None, None, os.devnull, None)
    ours = botocore.session.Session(
        session_vars={"profile": (None, None, None, None), "config_file": nothing, "credentials_file": nothing}
    )
    ours.set_default_client_config(Config(proxies={}))
    return boto3.Session(
        aws_access_key_id=CREDENTIAL, aws_secret_access_key=CREDENTIAL, region_name=REGION, botocore_session=ours
    )
