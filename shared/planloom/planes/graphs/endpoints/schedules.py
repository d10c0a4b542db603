"""Schedules by which graphs run."""

from typing import TYPE_CHECKING

from planloom.core.endpoint import DELETE, GET, PUT, Effect, Endpoint
from planloom.planes.graphs import requests, responses
from planloom.planes.graphs.errors import (
    GraphNotFound,
    ScheduleNotFound,
)

if TYPE_CHECKING:
    from planloom.planes.graphs.schedules import Schedules

SCHEDULES = "/v1/schedules"


def _set_schedule(request: requests.SetSchedule, account: str, schedules: "Schedules") -> responses.ScheduleInfo:
    found = schedules.set(
        account,
        request.name,
        request.plan_id,
        request.when,
        request.timezone,
        request.variables,
        request.options,
    )
    return responses.ScheduleInfo.of(found, schedules.now())


def _schedules(account: str, schedules: "Schedules") -> responses.ScheduleList:
    now = schedules.now()
    return responses.ScheduleList(schedules=[responses.ScheduleInfo.of(each, now) for each in schedules.all(account)])


def _schedule(request: requests.ScheduleRequest, account: str, schedules: "Schedules") -> responses.ScheduleInfo:
    return responses.ScheduleInfo.of(schedules.get(account, request.name), schedules.now())


def _delete_schedule(request: requests.ScheduleRequest, account: str, schedules: "Schedules") -> responses.Deleted:
    schedules.delete(account, request.name)
    return responses.Deleted(deleted=request.name)


SCHEDULE_SET = Endpoint(
    name="schedule_set",
    title="Schedule a graph",
    description="""\
Runs a graph at times to come: again and again with cron(...), once with at(...). A run that did not start when it was
due, such as while the service was down, is reported in missed and is not made up for.""",
    group="schedules",
    http=PUT(f"{SCHEDULES}/{{name}}"),
    request=requests.SetSchedule,
    response=responses.ScheduleInfo,
    errors=(GraphNotFound,),
    effect=Effect.CHANGES,
    repeatable=True,
    handler=_set_schedule,
)


SCHEDULE_LIST = Endpoint(
    name="schedule_list",
    title="List schedules",
    description="Lists your schedules with when each is due, what it ran, and what it missed.",
    group="schedules",
    http=GET(SCHEDULES),
    response=responses.ScheduleList,
    handler=_schedules,
)


SCHEDULE_GET = Endpoint(
    name="schedule_get",
    title="Look at a schedule",
    description="Returns when a schedule is due, what it ran, and what it missed.",
    group="schedules",
    http=GET(f"{SCHEDULES}/{{name}}"),
    request=requests.ScheduleRequest,
    response=responses.ScheduleInfo,
    errors=(ScheduleNotFound,),
    handler=_schedule,
)


SCHEDULE_DELETE = Endpoint(
    name="schedule_delete",
    title="Delete a schedule",
    description="Deletes a schedule; runs that it started stay.",
    group="schedules",
    http=DELETE(f"{SCHEDULES}/{{name}}"),
    request=requests.ScheduleRequest,
    response=responses.Deleted,
    errors=(ScheduleNotFound,),
    effect=Effect.DESTROYS,
    repeatable=True,
    handler=_delete_schedule,
)
