"""Authorizer of the API: finds the account of an API key, or of a ticket for the events of one plan."""

from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from planloom import wiring
from planloom.accounts.authorize import account_of_key, authorize
from planloom.accounts.keys import digest_of
from planloom.accounts.tickets import key_of_ticket

logger = Logger()


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Allow or deny all routes of this deployment, so that the result can be cached; a ticket allows one route."""
    headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
    api, stage, *_ = event["methodArn"].split("/")
    ticket = (event.get("queryStringParameters") or {}).get("ticket")
    plan_id = (event.get("pathParameters") or {}).get("plan_id")
    if ticket and plan_id and "x-api-key" not in headers:
        key = key_of_ticket(wiring.request_state_key(), ticket, plan_id, wiring.ports().clock())
        account = account_of_key(wiring.ports().keys, key) if key else None
        opens = event["methodArn"]
        logger.info("ticket checked", allowed=account is not None)
    else:
        secret = headers.get("x-api-key") or ""
        key, account = digest_of(secret), authorize(wiring.ports().keys, wiring.ports().clock, secret)
        opens = f"{api}/{stage}/*"
        logger.info("key checked", allowed=account is not None)
    statement = {"Action": "execute-api:Invoke", "Effect": "Allow" if account else "Deny", "Resource": opens}
    return {
        "principalId": account or "nobody",
        "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
        "context": {"account": account, "key": key} if account else {},
    }
