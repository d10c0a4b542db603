"""The door's lock: an API key in, the account that it belongs to out."""

from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from planloom import wiring
from planloom.services.authorize import authorize

logger = Logger()


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Allow or deny all routes of this deployment, so that the cached answer fits each of them."""
    headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
    account = authorize(wiring.world(), headers.get("x-api-key") or "")
    logger.info("key checked", allowed=account is not None)
    api, stage, *_ = event["methodArn"].split("/")
    statement = {
        "Action": "execute-api:Invoke",
        "Effect": "Allow" if account else "Deny",
        "Resource": f"{api}/{stage}/*",
    }
    return {
        "principalId": account or "nobody",
        "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
        "context": {"account": account} if account else {},
    }
