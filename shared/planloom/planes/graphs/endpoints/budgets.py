"""Budgets of calls that runs share, by name."""

from typing import TYPE_CHECKING

from planloom.core.endpoint import DELETE, GET, PUT, Effect, Endpoint
from planloom.planes.graphs import requests, responses
from planloom.runs.errors import (
    BudgetNotFound,
)

if TYPE_CHECKING:
    from planloom.runs.budgets import Budgets

BUDGETS = "/v1/budgets"


def _set_budget(request: requests.SetBudget, account: str, budgets: "Budgets") -> responses.BudgetInfo:
    return responses.BudgetInfo.of(budgets.set(account, request.name, request.calls))


def _budgets(account: str, budgets: "Budgets") -> responses.BudgetList:
    return responses.BudgetList(budgets=[responses.BudgetInfo.of(each) for each in budgets.all(account)])


def _budget(request: requests.BudgetRequest, account: str, budgets: "Budgets") -> responses.BudgetInfo:
    return responses.BudgetInfo.of(budgets.get(account, request.name))


def _delete_budget(request: requests.BudgetRequest, account: str, budgets: "Budgets") -> responses.Deleted:
    budgets.delete(account, request.name)
    return responses.Deleted(deleted=request.name)


BUDGET_SET = Endpoint(
    name="budget_set",
    title="Set a budget of calls",
    description="""\
Sets how many calls of tools may be made by all runs together that name this budget (shared_budget of plan_execute).
What was taken before stays taken; calls is the new limit.""",
    group="budgets",
    http=PUT(f"{BUDGETS}/{{name}}"),
    request=requests.SetBudget,
    response=responses.BudgetInfo,
    effect=Effect.CHANGES,
    repeatable=True,
    handler=_set_budget,
)


BUDGET_LIST = Endpoint(
    name="budget_list",
    title="List budgets",
    description="Lists your budgets of calls with what was taken.",
    group="budgets",
    http=GET(BUDGETS),
    response=responses.BudgetList,
    handler=_budgets,
)


BUDGET_GET = Endpoint(
    name="budget_get",
    title="Look at a budget",
    description="Returns a budget of calls and what was taken.",
    group="budgets",
    http=GET(f"{BUDGETS}/{{name}}"),
    request=requests.BudgetRequest,
    response=responses.BudgetInfo,
    errors=(BudgetNotFound,),
    handler=_budget,
)


BUDGET_DELETE = Endpoint(
    name="budget_delete",
    title="Delete a budget",
    description="Deletes a budget of calls: runs that name it make no further call.",
    group="budgets",
    http=DELETE(f"{BUDGETS}/{{name}}"),
    request=requests.BudgetRequest,
    response=responses.Deleted,
    errors=(BudgetNotFound,),
    effect=Effect.DESTROYS,
    repeatable=True,
    handler=_delete_budget,
)
