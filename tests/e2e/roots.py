"""Copies of the sources: as they are, and with tiny Lambdas, to test the embedded AWS apart from what runs on it."""

import shutil
from pathlib import Path

import planloom

ROOT = Path(__file__).parents[2]
IGNORED = shutil.ignore_patterns("__pycache__")

API = """
import json, os, planloom

def handler(event, context):
    answer = {
        "path": event["path"],
        "account": (event["requestContext"].get("authorizer") or {}).get("account"),
        "planloom": planloom.__file__,
        "environment": dict(os.environ),
    }
    return {"statusCode": 200, "body": json.dumps(answer)}
"""

AUTHORIZER = """
def handler(event, context):
    keys = [value for name, value in event["headers"].items() if name.lower() == "x-api-key"]
    api, stage, *_ = event["methodArn"].split("/")
    effect = "Allow" if keys == ["good"] else "Deny"
    statement = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": f"{api}/{stage}/*"}
    policy = {"Version": "2012-10-17", "Statement": [statement]}
    return {"principalId": "a1", "policyDocument": policy, "context": {"account": "a1"}}
"""

STAGE = """
import json, os, boto3

def handler(event, context):
    stage = os.environ["PLAN_STAGE"]
    key = f"plans/{event['plan_id']}/{stage}"
    boto3.client("s3").put_object(Bucket=os.environ["PLANLOOM_BUCKET"], Key=key, Body=b"done")
    detail = json.dumps({"plan_id": event["plan_id"], "stage": stage})
    entry = {"Source": "planloom.strategic", "DetailType": "Done", "Detail": detail}
    entry["EventBusName"] = os.environ["PLANLOOM_BUS"]
    boto3.client("events").put_events(Entries=[entry])
    if event["plan_id"] == f"fails-at-{stage}":
        raise ValueError("as asked")
"""

ON_PLAN_EVENT = """
import json, os, boto3

def handler(event, context):
    table = boto3.resource("dynamodb").Table(os.environ["PLANLOOM_TABLE"])
    for record in event["Records"]:
        detail = json.loads(record["body"])["detail"]
        table.put_item(Item={"PK": f"PLAN#{detail['plan_id']}", "SK": f"STEP#{detail['stage']}"})
    return {"batchItemFailures": []}
"""

ON_RUN_ENDED = """
import json, os, boto3

def handler(event, context):
    table = boto3.resource("dynamodb").Table(os.environ["PLANLOOM_TABLE"])
    for record in event["Records"]:
        detail = json.loads(record["body"])["detail"]
        plan_id = json.loads(detail["input"])["plan_id"]
        table.put_item(Item={"PK": f"PLAN#{plan_id}", "SK": "PLAN", "status": detail["status"]})
    return {"batchItemFailures": []}
"""

WATCHDOG = """
def handler(event, context):
    return {"watched": True}
"""


HANDLERS = {
    "api": API,
    "authorizer": AUTHORIZER,
    "stage": STAGE,
    "on_plan_event": ON_PLAN_EVENT,
    "on_run_ended": ON_RUN_ENDED,
    "watchdog": WATCHDOG,
}


def write_root(target: Path) -> Path:
    """Copy the sources of the stack into *target*; return it."""
    for folder in ("infra", "statemachine", "functions"):
        shutil.copytree(ROOT / folder, target / folder, ignore=IGNORED)
    for file in ("cdk.json", "requirements.lock"):
        shutil.copy(ROOT / file, target / file)
    shutil.copytree(Path(planloom.__file__).parent, target / "shared" / "planloom", ignore=IGNORED)
    return target


def write_tiny_root(target: Path) -> Path:
    """Copy the sources of the stack into *target*, with six tiny Lambdas for its own; return it."""
    write_root(target)
    for name, source in HANDLERS.items():
        (target / "functions" / name / "handler.py").write_text(source)
    return target
