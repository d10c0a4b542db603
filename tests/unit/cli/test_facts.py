"""`planloom facts`: in this process or by the service, for people and for programs; and what `draft` makes of it."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from planloom_cli import exits, facts
from tests.fake_ports import PROMPT
from tests.unit.cli.conftest import Command
from tests.unit.strategic.services.goal_reading import GOAL, ReaderModel, ReaderModels

#: What `--json` holds at least, at its top.
ALWAYS = {"total", "deadline", "start", "kind", "people", "bans", "places", "unread", "questions", "facts_id", "state"}
MODELS = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "AWS_PROFILE", "AWS_ACCESS_KEY_ID")


@pytest.fixture(autouse=True)
def no_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of the tests may have models."""
    for name in MODELS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PLANLOOM_BEDROCK", "off")


@pytest.fixture
def modelled(monkeypatch: pytest.MonkeyPatch) -> ReaderModel:
    """An environment that sets a model up."""
    model = ReaderModel()
    monkeypatch.setattr(facts, "make_models", lambda _: ReaderModels(model))
    return model


def printed(command: Command, *words: str) -> dict[str, Any]:
    result = command.run("facts", *words, "--json")
    assert result.exit_code == 0, result.stderr
    return dict(json.loads(result.stdout))


def test_without_a_service_or_a_model_rules_read_here_and_nothing_is_started(command: Command) -> None:
    found = printed(command, PROMPT)

    assert set(found) >= ALWAYS
    assert (found["state"], found["read_by"], found["facts_id"]) == ("ready", "rules", None)
    assert (found["total"]["low"], found["deadline"]["earliest"]) == (240_000, "2027-05-01")
    assert (command.started, command.service.asked) == ([], [])


def test_facts_are_printed_with_their_words_and_the_next_commands(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "goal.txt"
    file.write_text("Buy a van by 3/4/2027 for $30,000 [red]. It costs €7 or 9 per day.")

    shown = command.run("facts", "--file", str(file)).stdout

    assert "none found in the goal" in shown
    assert "“3/4/2027”" in shown
    assert "is 2027-03-04 or 2027-04-03" in shown
    assert "Answer first" in shown
    assert f"planloom draft --file {file} --facts facts.json" in shown


def test_an_example_is_read_without_a_service(command: Command) -> None:
    assert printed(command, "--example", "bakery-cafe-lisbon")["total"]["low"] == 240_000
    refused = command.run("facts", "--example", "nothing")
    assert (refused.exit_code, "bakery-cafe-lisbon" in refused.stderr) == (exits.REFUSED, True)


def test_a_model_of_the_environment_reads_here_unless_rules_are_asked_for(
    command: Command, modelled: ReaderModel
) -> None:
    found = printed(command, GOAL)
    assert (found["read_by"], found["total"]["low"], found["quote"]["models"]) == ("model", 240_000, ["reader-1"])
    paid = len(modelled.asked)

    assert printed(command, GOAL, "--rules")["read_by"] == "rules"
    assert len(modelled.asked) == paid > 0


def test_a_failed_model_ends_with_1_after_the_facts_of_the_rules(command: Command, modelled: ReaderModel) -> None:
    from planloom.models.errors import ModelRejected

    modelled.error = ModelRejected("Check the key.")

    result = command.run("facts", GOAL, "--json")

    found = json.loads(result.stdout)
    assert (result.exit_code, found["state"], found["read_by"]) == (exits.FAILED, "failed", "rules")
    assert found["error"] == {"code": "generation_error", "message": "Check the key."}
    assert "Check the key." in result.stderr


@pytest.mark.parametrize("words", [("--profile", "tiny"), ("--profile", "custom"), ("--profile", "premium")])
def test_an_unknown_profile_is_rejected(command: Command, words: tuple[str, str]) -> None:
    result = command.run("facts", PROMPT, *words)
    assert (result.exit_code, result.stdout) == (exits.REFUSED, "")


def test_corrections_of_a_file_are_shown_and_what_equals_the_reading_keeps_its_words(
    command: Command, tmp_path: Path
) -> None:
    file = tmp_path / "facts.json"
    found = printed(command, PROMPT)
    file.write_text(json.dumps(found | {"deadline": "2027-06-01"}))

    corrected = printed(command, PROMPT, "--facts", str(file))

    assert (corrected["deadline"]["earliest"], corrected["deadline"]["quote"]) == ("2027-06-01", "2027-06-01")
    assert (corrected["total"], corrected["kind"]) == (found["total"], found["kind"])


def test_draft_sends_the_corrections_and_nothing_else_of_the_file(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "facts.json"
    given = {"facts_id": "7f1c1c52-1111-4222-8333-444455556666", "total": None, "bans": [{"what": "gas"}]}
    file.write_text(json.dumps({**given, "unread": ["x"], "quote": {}, "goal": []}))

    result = command.at_url("draft", PROMPT, "--facts", str(file), "--output", str(tmp_path))

    assert result.exit_code == 0, result.stderr
    (sent,) = [arguments for tool, arguments in command.service.asked if tool == "plan_create"]
    assert sent["facts"] == given


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "cannot be read as JSON"),
        ("[]", "is not a JSON object"),
        ('{"total": {"low": 1, "currency": "euro"}}', "total.currency"),
        ('{"people": [{"who": ""}]}', "people.0.who"),
    ],
)
def test_an_invalid_file_ends_the_command_with_its_errors(
    command: Command, tmp_path: Path, content: str, says: str
) -> None:
    file = tmp_path / "facts.json"
    file.write_text(content)
    for name in ("facts", "draft"):
        result = command.run(name, PROMPT, "--facts", str(file))
        assert (result.exit_code, says in result.stderr) == (exits.REFUSED, True), result.stderr
    assert command.started == []


def reading(state: str, **more: Any) -> dict[str, Any]:
    """Return what plan_facts answers."""
    shown = {"title": "Van", "read_by": "rules", "kind": "", "total": None, "deadline": None, "start": None}
    shown |= {name: [] for name in ("people", "bans", "places", "days", "values", "contradictions", "unverified")}  # type: ignore[dict-item]
    shown |= {"questions": [], "unread": []}  # type: ignore[dict-item]
    quote = {"model_profile": "baseline", "models": ["m"], "calls": {"low": 111, "high": 160}, "credits": 30}
    quote |= {"minutes": {"low": 10, "high": 20}, "price_usd": None}
    own = {"facts_id": "f-1", "state": state, "poll_after_sec": 0, "facts": shown, "quote": quote, "error": None}
    return own | more


def test_the_service_is_polled_until_its_model_has_read_the_goal(command: Command) -> None:
    said = [reading("reading"), reading("reading"), reading("ready")]
    asked: list[dict[str, Any]] = []

    async def answer(tool: str, arguments: dict[str, Any]) -> Any:
        asked.append({"tool": tool, **arguments})
        return SimpleNamespace(structured_content=said.pop(0), is_error=False)

    command.service.answer = answer  # type: ignore[attr-defined]
    result = command.at_url("facts", PROMPT)

    assert result.exit_code == 0, result.stderr
    first = {"tool": "plan_facts", "prompt": PROMPT, "model_profile": "baseline"}
    assert asked == [first, *[{"tool": "plan_facts", "facts_id": "f-1"}] * 2]
    assert "about 111 to 160 calls, 10 to 20 minutes, unknown price, 30 credits" in result.stdout


def test_the_service_quotes_the_detail_that_is_asked_for_at_each_poll(command: Command) -> None:
    said = [reading("reading"), reading("ready")]
    asked: list[dict[str, Any]] = []

    async def answer(_: str, arguments: dict[str, Any]) -> Any:
        asked.append(arguments)
        return SimpleNamespace(structured_content=said.pop(0), is_error=False)

    command.service.answer = answer  # type: ignore[attr-defined]
    assert command.at_url("facts", PROMPT, "--detail", "full").exit_code == 0
    assert [each["detail"] for each in asked] == ["full", "full"]


def test_in_this_process_the_quote_is_for_the_detail_and_one_that_is_none_is_refused(command: Command) -> None:
    found = json.loads(command.run("facts", PROMPT, "--rules", "--detail", "brief", "--json").stdout)
    assert found["quote"]["detail"] == "brief"
    refused = command.run("facts", PROMPT, "--rules", "--detail", "endless")
    assert (refused.exit_code, "brief, standard, full" in refused.stderr) == (exits.REFUSED, True)


def test_an_error_of_the_service_ends_the_command(command: Command) -> None:
    async def answer(*_: object) -> Any:
        error = {"code": "MODEL_PROFILES_UNAVAILABLE", "message": "No model."}
        return SimpleNamespace(structured_content={"error": error}, is_error=True)

    command.service.answer = answer  # type: ignore[attr-defined]
    result = command.at_url("facts", PROMPT, "--json")

    assert (result.exit_code, result.stdout) == (exits.REFUSED, "")
    assert "MODEL_PROFILES_UNAVAILABLE: No model." in result.stderr
