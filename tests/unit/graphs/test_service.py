"""Graphs and tool servers of accounts: stored, revised, tried, run; nothing of one account shown to another."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from planloom.planes.graphs.errors import GraphConflict, GraphNotFound, InvalidGraph, StepNotRecorded
from planloom.planes.graphs.options import RunOptions
from planloom.runs.errors import RunNotFound, TooManyRuns
from planloom.runs.records import RunState
from planloom.tools.errors import InvalidToolServer, ToolServerNotFound, ToolServerUnreachable
from planloom.tools.tool import Tool
from tests.unit.graphs.services import Services, numbered_tools
from tests.unit.graphs.tools import DIAMOND, graph, step


@pytest.fixture
def services() -> Services:
    made = Services()
    made.servers.add("ann", "web", made.URL)
    return made


def test_a_graph_is_stored_run_and_its_results_are_read(services: Services) -> None:
    view, problems = services.graphs.create("ann", DIAMOND)
    assert (view.title, view.steps, view.revision, problems) == ("A graph", 4, 1, [])

    run, _ = services.graphs.run("ann", view.graph_id)
    assert services.engine.started == [(run.run_id, 1, 1)]
    with pytest.raises(StepNotRecorded):
        services.graphs.step("ann", run.run_id, "1")

    assert services.work(run.run_id).state is RunState.COMPLETED
    record, value = services.graphs.step("ann", run.run_id, "4")
    assert (record.state, value) == ("completed", '"tool4 done"')


def test_a_graph_that_is_wrong_is_not_stored_and_one_whose_tools_are_missing_is_not_run(services: Services) -> None:
    with pytest.raises(InvalidGraph) as refused:
        services.graphs.create("ann", graph(step("1", "2"), step("2", "1")))
    assert [each["code"] for each in refused.value.details["problems"]] == ["CYCLE"]

    view, problems = services.graphs.create("ann", graph(step("1", tool="later")))
    assert [each.code for each in problems] == ["UNKNOWN_TOOL"]
    with pytest.raises(InvalidGraph, match="later"):
        services.graphs.run("ann", view.graph_id)

    services.client.tools[services.URL] = [*numbered_tools(), Tool(name="later")]
    services.servers.test("ann", "web")
    assert services.graphs.run("ann", view.graph_id)[0].state is RunState.RUNNING


def test_a_revision_follows_the_one_that_was_read(services: Services) -> None:
    view, _ = services.graphs.create("ann", DIAMOND)
    changed, _ = services.graphs.revise("ann", view.graph_id, graph(step("1")), 1, "shorter")

    assert (changed.revision, changed.steps) == (2, 1)
    with pytest.raises(GraphConflict):
        services.graphs.revise("ann", view.graph_id, DIAMOND, 1)
    assert len(services.graphs.read("ann", view.graph_id, 1)[1].graph["steps"]) == 4
    assert len(services.graphs.read("ann", view.graph_id)[1].graph["steps"]) == 1
    with pytest.raises(GraphNotFound):
        services.graphs.read("ann", view.graph_id, 3)
    services.graphs.delete("ann", view.graph_id)
    with pytest.raises(GraphNotFound):
        services.graphs.read("ann", view.graph_id)


def test_a_dry_run_shows_resolved_arguments_and_calls_nothing(services: Services) -> None:
    document = graph(
        step("1", args={"who": "${who}"}, result_variable="found"),
        step("2", "1", args={"first": "${found.rows[0]}", "lost": "${nobody}"}),
    )
    view, _ = services.graphs.create("ann", document)

    _, steps, problems = services.graphs.dry_run("ann", view.graph_id, {"who": "caller"})

    assert [each.args for each in steps] == [
        {"who": "caller"},
        {"first": "<tool1 result.rows.0>", "lost": "${nobody}"},
    ]
    assert [each.unresolved for each in steps] == [(), ("nobody",)]
    assert [each.code for each in problems] == ["UNBOUND_VARIABLE"]
    with pytest.raises(InvalidGraph, match="nobody"):
        services.graphs.run("ann", view.graph_id, {"who": "caller"})
    assert not services.called.calls


def test_a_tool_whose_schema_changed_is_reported_before_the_run(services: Services) -> None:
    view, _ = services.graphs.create("ann", graph(step("1"), step("2")))
    schema = {"type": "object", "required": ["path"]}
    services.client.tools[services.URL] = [
        Tool(name="tool1", input_schema={"type": "object", "title": "new"}),
        *numbered_tools()[1:],
    ]
    assert services.graphs.run("ann", view.graph_id)[1] == []
    services.clock.ahead += timedelta(minutes=11)
    assert [each.code for each in services.graphs.run("ann", view.graph_id)[1]] == ["TOOL_CHANGED"]

    services.client.tools[services.URL] = [Tool(name="tool1", input_schema=schema), *numbered_tools()[1:]]
    services.clock.ahead += timedelta(minutes=11)
    with pytest.raises(InvalidGraph, match="path"):
        services.graphs.run("ann", view.graph_id)


def test_a_server_that_is_silent_before_a_run_is_reported_and_its_last_catalog_used(services: Services) -> None:
    view, _ = services.graphs.create("ann", graph(step("1")))
    services.client.tools.clear()
    services.clock.ahead += timedelta(minutes=11)

    assert [each.code for each in services.graphs.run("ann", view.graph_id)[1]] == ["SERVER_NOT_REACHED"]


def test_limits_hold(services: Services) -> None:
    services.runs = replace(services.runs, most_active=1)
    graphs = replace(services.graphs, runs=services.runs)
    view, _ = graphs.create("ann", DIAMOND)
    with pytest.raises(InvalidGraph, match="bytes"):
        graphs.run("ann", view.graph_id, {"large": "x" * 1_000_001})
    run, _ = graphs.run("ann", view.graph_id)
    with pytest.raises(TooManyRuns):
        graphs.run("ann", view.graph_id)
    assert services.work(run.run_id).state is RunState.COMPLETED
    assert graphs.run("ann", view.graph_id)[0].state is RunState.RUNNING


def test_a_run_has_a_deadline_and_options(services: Services) -> None:
    view, _ = services.graphs.create("ann", DIAMOND)
    run, _ = services.graphs.run("ann", view.graph_id, {}, RunOptions(budget=1), deadline_seconds=60)

    assert run.deadline == run.created_at + timedelta(seconds=60)
    assert services.work(run.run_id).failure.code == "CALL_BLOCKED"  # type: ignore[union-attr]
    assert len(services.called.calls) == 1


def test_another_account_reaches_nothing(services: Services) -> None:
    view, _ = services.graphs.create("ann", DIAMOND)
    run, _ = services.graphs.run("ann", view.graph_id)
    graphs, servers = services.graphs, services.servers
    refused: list[tuple[type[Exception], Any, tuple[Any, ...]]] = [
        (GraphNotFound, graphs.read, (view.graph_id,)),
        (GraphNotFound, graphs.revise, (view.graph_id, DIAMOND, 1)),
        (GraphNotFound, graphs.delete, (view.graph_id,)),
        (GraphNotFound, graphs.dry_run, (view.graph_id, {})),
        (GraphNotFound, graphs.run, (view.graph_id,)),
        (RunNotFound, graphs.step, (run.run_id, "1")),
        (RunNotFound, graphs.work, (run.run_id,)),
        (ToolServerNotFound, servers.get, ("web",)),
        (ToolServerNotFound, servers.test, ("web",)),
        (ToolServerNotFound, servers.remove, ("web",)),
    ]
    for error, call, arguments in refused:
        with pytest.raises(error):
            call("bob", *arguments)
    assert graphs.newest("bob", 10) == []
    assert servers.all("bob") == []
    assert not servers.catalog("bob")


def test_headers_of_a_server_are_sent_to_it_and_never_shown(services: Services) -> None:
    server, why = services.servers.add("ann", "keyed", services.URL, {"X-Key": "hush"})

    assert (why, server.tools, server.headers) == ("", 11, ("X-Key",))
    assert "hush" not in server.model_dump_json()
    assert services.client.headers[-1] == {"X-Key": "hush"}
    services.servers.add("ann", "keyed", services.URL)
    assert services.client.headers[-1] == {}
    services.servers.remove("ann", "keyed")
    assert [each.name for each in services.servers.all("ann")] == ["web"]


def test_a_server_that_cannot_be_reached_is_kept_and_says_so(services: Services) -> None:
    server, why = services.servers.add("ann", "away", "https://away.example/mcp")

    assert "refused" in why
    assert server.listed_at is None
    with pytest.raises(ToolServerUnreachable):
        services.servers.test("ann", "away")


@pytest.mark.parametrize(
    "given",
    [
        {"name": "Web"},
        {"name": "../x"},
        {"url": "https://private.example"},
        {"headers": {"X Key": "a"}},
        {"headers": {"X-Key": "a\r\nX-Other: b"}},
        {"headers": {"X-Key": "a" * 4000}},
    ],
)
def test_a_server_that_must_not_be_is_refused(services: Services, given: dict[str, Any]) -> None:
    with pytest.raises(InvalidToolServer):
        services.servers.add("ann", **{"name": "ok", "url": services.URL} | given)


def test_hints_count_where_the_account_trusts_the_server(services: Services) -> None:
    url = "https://hints.example/mcp"
    services.client.tools[url] = [Tool(name="erase", destructive=True, idempotent=True)]
    services.servers.add("ann", "hints", url)
    assert services.servers.catalog("ann").find("erase")[0].destructive is None

    services.servers.add("ann", "hints", url, trusted=True)
    assert services.servers.catalog("ann").find("erase")[0].destructive is True
