"""What docs/implementation-plans.md says can be typed: its session, call by call, and its tables of codes."""

import json
import re
from pathlib import Path
from typing import Any

from planloom.planes import PLANES
from planloom.planes.implementation.document.codes import CODES
from planloom.planes.implementation.document.limits import MOST_BYTES, MOST_DEPTH, MOST_STEPS
from planloom.transports.errors import statuses_of
from tests.fake_ports import Fakes
from tests.unit.api import calling
from tests.unit.api.calling import rpc

GUIDE = (Path(__file__).parents[3] / "docs" / "implementation-plans.md").read_text(encoding="utf-8")


def session() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return the calls of the guide with the answers that it shows."""
    told = GUIDE.partition("<!-- session -->")[2].partition("<!-- end of session -->")[0]
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", told, re.DOTALL)]
    return list(zip(blocks[::2], blocks[1::2], strict=True))


def holds(answer: Any, shown: Any) -> bool:
    """Say whether *answer* has all that is *shown*; objects may have more."""
    if isinstance(shown, dict):
        return isinstance(answer, dict) and all(name in answer and holds(answer[name], shown[name]) for name in shown)
    if isinstance(shown, list):
        return isinstance(answer, list) and len(answer) == len(shown) and all(map(holds, answer, shown))
    return bool(answer == shown)


def test_the_session_of_the_guide_runs_as_it_is_shown(fakes: Fakes) -> None:
    calls, plan_id = session(), ""
    assert len(calls) == 7
    for call, shown in calls:
        typed = json.loads(json.dumps(call).replace("PLAN_ID", plan_id or "PLAN_ID"))
        answer = calling.tool(typed["tool"], endpoint="/mcp/implementation", **typed["arguments"])
        plan_id = plan_id or answer.body.get("planId", "")
        assert holds(answer.body, json.loads(json.dumps(shown).replace("PLAN_ID", plan_id))), (call, answer.body)
        assert answer.is_error == ("error" in shown)


def test_the_table_of_findings_is_that_of_the_code() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| (error|warning) \| (.*) \|$", GUIDE, re.MULTILINE)
    assert rows == [(each.code, each.severity, each.rule) for each in CODES]


def test_the_table_of_refusals_has_their_statuses_and_the_limits() -> None:
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| (\d{3}) \|", GUIDE, re.MULTILINE))
    statuses = {kind.code: str(status) for kind, status in statuses_of(PLANES).items()}
    assert rows == {code: statuses[code] for code in rows}
    assert len(rows) == 7
    for bound in (MOST_BYTES, MOST_DEPTH, MOST_STEPS):
        assert f"{bound:,}" in GUIDE


def test_the_guide_names_every_tool(fakes: Fakes) -> None:
    table = GUIDE.partition("| tool |")[2].partition("\n\n")[0]
    tools = [each["name"] for each in rpc("tools/list", path="/mcp/implementation")["tools"]]
    assert [name for name in tools if f"`{name}`" not in table] == []
