"""Programs over what accounts hold: the handlers of the planes themselves, over stores in memory."""

import asyncio
import inspect
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from planloom.core.endpoint import ApiModel, Endpoint
from planloom.core.plane import Plane
from planloom.planes import PLANES, SHARED
from planloom.planes.programs.catalog import Catalog, own_entities
from planloom.planes.programs.compile import compile_program
from planloom.planes.programs.evaluate import Result, evaluate
from planloom.planes.programs.own_backend import own_backends
from planloom.planes.programs.parse import parse
from planloom.planes.programs.ports import ProgramCaller
from planloom.planes.programs.sources import Sources
from tests.unit.graphs.services import Services
from tests.unit.programs.catalogs import NOW, no_sleep
from tests.unit.strategic.services.drafted import completed
from tests.unit.strategic.services.spy import Spy
from tests.unit.workflows.drafts import launch
from tests.unit.workflows.fakes import Services as WorkflowServices
from tests.unit.workflows.test_service import brief

CATALOG = Catalog(own_entities((*PLANES, *SHARED)))
QUESTIONS = json.loads(Path(__file__).with_name("questions.json").read_text(encoding="utf-8"))


class Planloom:
    """A drafted plan of *account*, and a graph of it that ran."""

    def __init__(self) -> None:
        fakes, plan = completed(Spy())
        self.plans = fakes.plans.plans
        self.flows = WorkflowServices()
        self.ports, self.account, self.plan_id = fakes.ports, plan.account, plan.plan_id
        self.graphs = Services()
        self.graphs.servers.add(self.account, "web", Services.URL)
        steps = [{"index": str(number), "tool": f"tool{number}"} for number in (1, 2)]
        view, _ = self.graphs.graphs.create(self.account, {"title": "Two steps", "steps": steps})
        self.graph_id = view.graph_id
        run, _ = self.graphs.graphs.run(self.account, view.graph_id)
        self.run_id = run.run_id
        self.graphs.until_ended(self.run_id)

    def port(self, name: str) -> Any:
        own = {"graphs": self.graphs.graphs, "runs": self.graphs.runs, "tool_servers": self.graphs.servers}
        own |= {"workflows": self.flows.workflows, "approvals": self.flows.workflows.approvals}
        return own[name] if name in own else getattr(self.ports, name)

    def call(self, plane: str, name: str, **arguments: Any) -> Any:
        """Return what an endpoint returns."""
        endpoint = next(
            each for found in PLANES if found.name == plane for each in found.endpoints if each.name == name
        )
        return self.invoke(self.account, endpoint, endpoint.request.model_validate(arguments))

    def call_operation(self, plane: str, name: str, **arguments: Any) -> Any:
        """Return what an operation returns that only programs call."""
        found = next(each for each in PLANES if each.name == plane)
        endpoint = next(each for each in found.operations if each.name == name)
        return self.invoke(self.account, endpoint, endpoint.request.model_validate(arguments))

    def invoke(self, account: str, endpoint: Endpoint, request: ApiModel) -> Any:
        caller = ProgramCaller(account=account, key="0" * 64)
        given = {"request": request, "account": account, "caller": caller}
        names = inspect.signature(endpoint.handler).parameters
        return endpoint.handler(**{name: given[name] if name in given else self.port(name) for name in names})

    def run(self, text: str, account: str = "") -> Result:
        """Return what *text* comes to for *account*, by default the one that has everything."""

        def invoke(_: Plane, endpoint: Endpoint, request: ApiModel) -> Any:
            return self.invoke(account or self.account, endpoint, request)

        plan = compile_program(parse(text), CATALOG)
        assert plan.problems == ()
        return asyncio.run(
            evaluate(plan, Sources(CATALOG, own_backends((*PLANES, *SHARED), invoke), sleep=no_sleep), NOW)
        )

    def rows(self, text: str) -> list[Any]:
        """Return the rows of the last thing that *text* returns."""
        result = self.run(text)
        assert (result.state, result.error) == ("succeeded", "")
        return result.returns[-1].value.rows


@pytest.fixture(scope="module")
def planloom() -> Planloom:
    return Planloom()


def test_a_plan_is_listed_and_read_with_the_same_fields(planloom: Planloom) -> None:
    (row,) = planloom.rows("Plan")
    assert planloom.rows(f'Plan("{planloom.plan_id}")') == [row]
    assert (row["id"], row["state"], row["progress"], row["archived"]) == (planloom.plan_id, "completed", 100.0, False)
    assert planloom.rows(f'Plan.filter{{created_at > {row["created_at"][:10]} and title contains "x"}}') in ([], [row])


def test_what_belongs_to_a_plan_is_read_through_its_relations(planloom: Planloom) -> None:
    plan = f'Plan("{planloom.plan_id}")'
    sections = planloom.rows(f"{plan}.sections.filter{{count(files) > 0}}[name, plan_id]")
    assert ("report", planloom.plan_id) in {(row["name"], row["plan_id"]) for row in sections}
    files = planloom.rows(f"{plan}.artifacts.sort(-size)[id, size]")
    (total,) = planloom.rows(f"{plan}.artifacts.aggregate(count, sum(size))")
    assert total == {"count": len(files), "sum_size": sum(row["size"] for row in files)}
    kinds = planloom.rows(f"{plan}.claims.group_by(kind).count()")
    assert sum(row["count"] for row in kinds) == len(planloom.rows(f"{plan}.claims.distinct(id)")) > 0
    events = planloom.rows(f"{plan}.events.sort(-id)[id, type, plan_id]")
    assert [row["id"] for row in events] == sorted((row["id"] for row in events), reverse=True)
    (text,) = planloom.rows(f'Artifact.text("{files[-1]["id"]}", plan_id="{planloom.plan_id}")')
    assert len(text["text"].encode()) == files[-1]["size"]


def test_a_graph_its_runs_and_their_steps_are_read(planloom: Planloom) -> None:
    (run,) = planloom.rows(f'Graph("{planloom.graph_id}").runs[id, state, steps, steps_completed]')
    assert run == {"id": planloom.run_id, "state": "completed", "steps": 2, "steps_completed": 2}
    steps = planloom.rows(f'Run("{planloom.run_id}").steps[id, tool, state, run_id]')
    assert [(row["id"], row["tool"], row["state"]) for row in steps] == [
        ("1", "tool1", "completed"),
        ("2", "tool2", "completed"),
    ]
    names = [row["name"] for row in planloom.rows(f'Run("{planloom.run_id}").events.filter{{step = null}}[name, id]')]
    assert names == ["run_started", "run_completed"]
    assert planloom.rows("ToolServer.tools.filter{id = tool3}[server, id]") == [{"server": "web", "id": "tool3"}]


def test_a_call_changes_what_it_should(planloom: Planloom) -> None:
    plan = f'Plan("{planloom.plan_id}")'
    result = planloom.run(
        f"x = {plan}\nx.archive()\nPlan.filter{{archived = false}}.count()\nPlan.filter{{archived = true}}[id]\n"
        "x.archive(false)"
    )
    assert [each.value.rows for each in result.returns][1:3] == [[{"count": 0}], [{"id": planloom.plan_id}]]
    assert planloom.rows("Plan.count()") == [{"count": 1}]


def test_messages_and_results_name_no_tools_of_other_endpoints(planloom: Planloom) -> None:
    missing = planloom.run('Run.resume("r-1")')
    assert missing.error == "No run has the id r-1. Run names your runs."
    (ended,) = planloom.rows(f'Run.stop("{planloom.run_id}")')
    assert (ended["state"], "next_steps" in ended) == ("completed", False)


def test_another_account_sees_nothing_of_it(planloom: Planloom) -> None:
    assert [each.value.rows for each in planloom.run("Plan; Graph; Run; ToolServer", "other").returns] == [[]] * 4
    for text in (
        f'Plan("{planloom.plan_id}")',
        f'Claim.filter{{plan_id = "{planloom.plan_id}"}}.limit(5)',
        f'Plan.delete("{planloom.plan_id}")',
        f'Graph("{planloom.graph_id}").runs',
        f'Run("{planloom.run_id}").steps',
        'ToolServer("web")',
    ):
        result = planloom.run(text, "other")
        assert (result.state, result.code[-9:]) in (("failed", "NOT_FOUND"), ("failed", "ON_DENIED")), text
    assert planloom.rows("Plan.count()") == [{"count": 1}]


class Everything(Planloom):
    """The same, and some of everything else that the questions are about."""

    def __init__(self) -> None:
        super().__init__()
        first = self.plans[self.plan_id]
        for number, changes in enumerate(
            [
                {"prompt_excerpt": "A solar roof", "archived_at": first.created_at},
                {"state": "failed", "ended_at": NOW - timedelta(days=40)},
                {"state": "processing", "steps_finished": {}, "ended_at": None},
            ]
        ):
            key = f"{self.plan_id[:-2]}9{number}"
            self.plans[key] = first.model_copy(update={"plan_id": key, **changes})
        made = self.call("implementation", "draft_from_strategic_plan", plan_id=self.plan_id, repo="acme/shop")
        step = self.rows(f'ImplementationPlan("{made.plan_id}").steps')[0]["id"]
        self.call("implementation", "set_step_status", plan_id=made.plan_id, step_id=step, status="doing")
        run = self.flows.workflows.create(self.account, launch())
        waiting = self.flows.workflows.submit(self.account, run.run_id, "draft-brief", brief()).run
        other, _ = self.graphs.graphs.run(self.account, self.graph_id)
        self.graphs.runs.stop(self.account, other.run_id)
        self.ids = {"P": self.plan_id, "I": made.plan_id, "G": self.graph_id, "R": self.run_id, "S7": step}
        self.ids |= {
            "W": run.run_id,
            "A": waiting.approval_ids[-1],
            "report.html": str(self.rows(f'Plan("{self.plan_id}").artifacts')[-1]["id"]),
        }


@pytest.fixture(scope="module")
def everything() -> Everything:
    return Everything()


def test_plans_are_all_that_there_are_page_by_page_and_filtered_where_they_are_kept(everything: Everything) -> None:
    known = {plan.plan_id: plan for plan in everything.plans.values()}
    read = everything.call_operation("strategic", "plan_rows", limit=2)
    rows, pages = list(read.plans), 1
    while read.next:
        read = everything.call_operation("strategic", "plan_rows", limit=2, before=read.next)
        rows, pages = rows + read.plans, pages + 1
    assert (sorted(row.plan_id for row in rows), pages > 1) == (sorted(known), True)
    # archived ones come last
    assert [row.archived for row in rows] == sorted(row.archived for row in rows)
    for text in ("archived != false", "archived in [true, false]", "state = failed", "created_at > now+1d"):
        kept = everything.rows(f"Plan.filter{{{text}}}[id]")
        assert {row["id"] for row in kept} <= known.keys()
    assert len(everything.rows("Plan.filter{archived in [true, false]}[id]")) == len(known)


@pytest.mark.parametrize("each", QUESTIONS, ids=lambda each: each["question"])
def test_what_a_reader_of_the_card_alone_wrote_for_a_question_runs_as_it_is(
    everything: Everything, each: dict[str, str]
) -> None:
    text = each["program"]
    for name, value in everything.ids.items():
        text = text.replace(f'"{name}"', f'"{value}"')
    text = text.replace("by=bob", "by=founder")
    assert text.count("\n") < 3
    result = everything.run(text)
    assert (result.state, result.error) == ("succeeded", "")
