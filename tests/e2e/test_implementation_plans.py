"""Implementation plans through the gateway: stored in the bucket, saved by two at once, made from a finished plan."""

import asyncio
import copy
import http.client
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from planloom.planes.implementation.document.format import examples
from planloom_cli.service import connect
from tests.e2e.conftest import Running

ROOT = "/v1/implementation-plans"
PROTOCOLS = {"legacy": "2025-11-25", "auto": "2026-07-28"}


def ask(service: Running, method: str, path: str, body: object = None) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", service.aws.port, timeout=60)
    where = service.address.http_url.removeprefix(service.aws.endpoint) + path
    headers = {"X-API-Key": service.address.key, "Content-Type": "application/json"}
    connection.request(method, where, json.dumps(body) if body is not None else None, headers)
    answer = connection.getresponse()
    found = answer.status, json.loads(answer.read())
    connection.close()
    return found


def created(service: Running) -> str:
    status, body = ask(service, "POST", ROOT, {"schemaVersion": "1.0.0", "plan": examples()[2]})
    assert status == 201, body
    return str(body["planId"])


def test_of_four_who_save_at_once_one_wins_and_the_others_are_told_of_the_revision_that_won(service: Running) -> None:
    plan_id = created(service)

    def save(number: int) -> tuple[int, Any]:
        plan = copy.deepcopy(examples()[2]) | {"title": f"Saved by number {number}"}
        return ask(service, "PUT", f"{ROOT}/{plan_id}", {"plan": plan, "revision": 1})

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(save, range(4)))

    assert sorted(status for status, _ in answers) == [200, 409, 409, 409]
    lost = [body["error"] for status, body in answers if status == 409]
    assert {(each["code"], each["details"]["currentRevision"]) for each in lost} == {("REVISION_CONFLICT", 2)}
    winner = next(number for number, (status, _) in enumerate(answers) if status == 200)
    assert ask(service, "GET", f"{ROOT}/{plan_id}")[1]["plan"]["title"] == f"Saved by number {winner}"
    assert ask(service, "GET", f"{ROOT}/{plan_id}?revision=1")[1]["plan"]["title"] == examples()[2]["title"]


def test_each_revision_lies_in_the_bucket(service: Running) -> None:
    plan_id = created(service)
    assert ask(service, "PUT", f"{ROOT}/{plan_id}/steps/S3/status", {"status": "doing"})[0] == 200
    stored = service.client("s3").list_objects_v2(
        Bucket=service.deployment.outputs["BucketName"], Prefix=f"implementation-plans/{plan_id}/"
    )
    names = [found["Key"].rsplit("/", 1)[-1] for found in stored["Contents"]]
    assert names == ["000001.json", "000002.json"]
    history = ask(service, "GET", f"{ROOT}/{plan_id}/history")[1]["revisions"]
    assert [(each["revision"], each["changeCount"]) for each in history] == [(2, 1), (1, 0)]
    listed = ask(service, "GET", f"{ROOT}?planType=migration&limit=1")[1]["plans"]
    assert listed[0]["planId"] == plan_id


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_tools_answer_in_both_eras_of_the_protocol(service: Running, protocol: str) -> None:
    async def work() -> dict[str, Any]:
        address = replace(service.address, mcp_url=f"{service.address.mcp_url}/implementation")
        async with connect(address, protocol) as open_:
            form = await open_.call("get_plan_format")
            checked = await open_.call("validate_plan", schemaVersion="1.0.0", plan=form["examples"][0])
            saved = await open_.call("create_plan", schemaVersion="1.0.0", plan=form["examples"][0])
            read = await open_.call("get_plan", planId=saved["planId"])
            return {
                "protocol": open_.client.protocol_version,
                "valid": checked["isValid"],
                "same": read["plan"] == form["examples"][0] | {"planId": saved["planId"]},
            }

    assert asyncio.run(work()) == {"protocol": PROTOCOLS[protocol], "valid": True, "same": True}


def test_a_plan_of_five_megabytes_is_refused(service: Running) -> None:
    plan = examples()[0] | {"metadata": {"text": "x" * 5_000_000}}
    status, body = ask(service, "POST", ROOT, {"plan": plan})
    assert (status, body["error"]["code"]) == (413, "PLAN_TOO_LARGE")


def test_a_finished_strategic_plan_becomes_an_implementation_plan(service: Running, drafted: str) -> None:
    status, made = ask(service, "POST", f"{ROOT}/from-plan", {"plan_id": drafted})
    assert (status, made["validation"]["warnings"], made["meta"]["madeFrom"]) == (201, [], drafted)
    linked = ask(service, "GET", f"/v1/plans/{drafted}/implementation-plans")[1]["plans"]
    assert made["planId"] in [each["planId"] for each in linked]
