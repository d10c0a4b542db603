"""Programs over what accounts hold: the handlers of the planes themselves, over stores in memory."""

import asyncio
import inspect
import json
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
from planloom.planes.programs.sources import Sources
from tests.unit.graphs.services import Services
from tests.unit.programs.catalogs import NOW, no_sleep
from tests.unit.strategic.services.drafted import completed
from tests.unit.strategic.services.spy import Spy

CATALOG = Catalog(own_entities((*PLANES, *SHARED)))
QUESTIONS = json.loads(Path(__file__).with_name("questions.json").read_text(encoding="utf-8"))


class Planloom:
    """A drafted plan of *account*, and a graph of it that ran."""

    def __init__(self) -> None:
        fakes, plan = completed(Spy())
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
        return own[name] if name in own else getattr(self.ports, name)

    def run(self, text: str, account: str = "") -> Result:
        """Return what *text* comes to for *account*, by default the one that has everything."""

        def invoke(plane: Plane, endpoint: Endpoint, request: ApiModel) -> Any:
            given = {"request": request, "account": account or self.account}
            names = inspect.signature(endpoint.handler).parameters
            return endpoint.handler(**{name: given[name] if name in given else self.port(name) for name in names})

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
        f"x = {plan}\nx.archive()\nPlan.count()\nPlan.filter{{archived = true}}[id]\nx.archive(false)"
    )
    assert [each.value.rows for each in result.returns][1:3] == [[{"count": 0}], [{"id": planloom.plan_id}]]
    assert planloom.rows("Plan.count()") == [{"count": 1}]


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


@pytest.mark.parametrize("each", QUESTIONS, ids=lambda each: each["question"])
def test_common_questions_can_be_asked(each: dict[str, str]) -> None:
    plan = compile_program(parse(each["program"]), CATALOG)
    assert (plan.problems, plan.verdict in ("ok", "review")) == ((), True)
    assert each["program"].count("\n") < 3
