"""Schedules in the table, and the timers of EventBridge Scheduler that call when they are due."""

import hashlib
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.planes.graphs.schedules import Schedule

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: The group of all timers: the grant names it too.
GROUP = "planloom"


class DynamoScheduleStore:
    """Implements planloom.planes.graphs.schedules.ScheduleStore on DynamoDB."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def put(self, schedule: Schedule) -> None:
        row = keys.schedule_key(schedule.account, schedule.name) | {"schedule": schedule.model_dump_json()}
        self._client.put_item(TableName=self._table, Item=item(row))

    def replace(self, before: Schedule, after: Schedule) -> bool:
        key = keys.schedule_key(after.account, after.name)
        found = self._client.get_item(TableName=self._table, Key=item(key), ConsistentRead=True).get("Item")
        # as text it may differ: an earlier release wrote it
        if found is None or _schedule(values(found)) != before:
            return False
        try:
            self._client.put_item(
                TableName=self._table,
                Item=item({**key, "schedule": after.model_dump_json()}),
                ConditionExpression="schedule = :before",
                ExpressionAttributeValues={":before": found["schedule"]},
            )
        except self._client.exceptions.ConditionalCheckFailedException:
            return False
        return True

    def get(self, account: str, name: str) -> Schedule | None:
        key = item(keys.schedule_key(account, name))
        found = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True)
        return _schedule(values(found["Item"])) if "Item" in found else None

    def of_account(self, account: str) -> list[Schedule]:
        rows = pages(
            self._client,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p AND begins_with({keys.SORT_KEY}, :s)",
            ExpressionAttributeValues=item({":p": keys.account_partition(account), ":s": keys.SCHEDULES}),
            ConsistentRead=True,
        )
        return [_schedule(row) for row in rows]

    def delete(self, account: str, name: str) -> None:
        self._client.delete_item(TableName=self._table, Key=item(keys.schedule_key(account, name)))


class EventBridgeTimer:
    """Implements planloom.planes.graphs.schedules.Timer on EventBridge Scheduler; *target* is the ARN of a Lambda.

    *connect* makes the client: few calls need it.
    """

    def __init__(self, connect: Callable[[], Any], target: str, role: str) -> None:
        self._connect = connect
        self._target = target
        self._role = role

    def set(self, account: str, name: str, when: str, timezone: str) -> None:
        client = self._connect()
        timer = {
            "Name": _name(account, name),
            "GroupName": GROUP,
            "ScheduleExpression": when,
            "ScheduleExpressionTimezone": timezone,
            "FlexibleTimeWindow": {"Mode": "OFF"},
            # one that fired once must not fire again after a restart
            "ActionAfterCompletion": "DELETE",
            "Target": {
                "Arn": self._target,
                "RoleArn": self._role,
                "Input": json.dumps({"account": account, "name": name}),
                "RetryPolicy": {"MaximumEventAgeInSeconds": 300, "MaximumRetryAttempts": 10},
            },
        }
        try:
            client.create_schedule(**timer)
        except client.exceptions.ConflictException:
            client.update_schedule(**timer)

    def clear(self, account: str, name: str) -> None:
        client = self._connect()
        try:
            client.delete_schedule(Name=_name(account, name), GroupName=GROUP)
        except client.exceptions.ResourceNotFoundException:
            return


def _name(account: str, name: str) -> str:
    # account names may hold what Scheduler does not take; names have 64 characters at most
    return f"{hashlib.sha256(account.encode()).hexdigest()[:20]}-{name}"


def _schedule(row: dict[str, Any]) -> Schedule:
    return Schedule.model_validate_json(row["schedule"])
