"""A boto3 session for the embedded AWS, untouched by the AWS and proxy settings of whoever calls."""

import os

import boto3
import botocore.session
from botocore.config import Config

REGION = "us-east-1"
ACCOUNT = "000000000000"

#: It asks for credentials as AWS does, and takes any.
ANY_WORD = "test"


def make_session() -> boto3.Session:
    """Return the session; clients made of it still need the endpoint."""
    nothing = (None, None, os.devnull, None)
    ours = botocore.session.Session(
        session_vars={"profile": (None, None, None, None), "config_file": nothing, "credentials_file": nothing}
    )
    ours.set_default_client_config(Config(proxies={}))
    return boto3.Session(
        aws_access_key_id=ANY_WORD, aws_secret_access_key=ANY_WORD, region_name=REGION, botocore_session=ours
    )
