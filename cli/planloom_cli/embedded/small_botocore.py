"""A short list of AWS endpoints for the workers: botocore's own knows every service and region, at 7 MB a process."""

import json
from pathlib import Path

import botocore

#: By the names of the endpoint list; all that planloom's adapters and ministack's own hooks call.
SERVICES = frozenset({"bedrock", "dynamodb", "events", "lambda", "s3", "secretsmanager", "sqs", "ssm", "states", "sts"})


def write_endpoints(folder: Path) -> Path:
    """Write the list into *folder*, for the variable AWS_DATA_PATH, with which botocore looks there first."""
    full = json.loads((Path(botocore.__file__).parent / "data" / "endpoints.json").read_text(encoding="utf-8"))
    for partition in full["partitions"]:
        partition["services"] = {name: found for name, found in partition["services"].items() if name in SERVICES}
    folder.mkdir(exist_ok=True)
    (folder / "endpoints.json").write_text(json.dumps(full), encoding="utf-8")
    return folder
