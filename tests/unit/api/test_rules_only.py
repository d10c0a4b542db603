"""A goal that is being written is read by rules alone, whatever profile is chosen: nothing is paid for."""

from dataclasses import replace

import pytest

from planloom import wiring
from planloom.models.endpoint import Endpoint
from planloom.models.profiles import Models
from tests.fake_ports import PROMPT, Fakes
from tests.fakes import FakeGoalReader
from tests.unit.api.calling import http

ASK = {"prompt": PROMPT, "model_profile": "custom"}


@pytest.fixture
def reader(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> FakeGoalReader:
    """What asks the model of profile custom, which is set up."""
    made = FakeGoalReader()
    ports = replace(fakes.ports, models=Models(Endpoint("http://models.test", "", "some")), goal_reader=made)
    monkeypatch.setattr(wiring, "ports", lambda: ports)
    return made


def test_with_rules_only_no_model_is_asked_and_the_answer_is_ready(reader: FakeGoalReader) -> None:
    answer = http("POST", "/v1/facts", ASK | {"rules_only": True})

    assert (answer.status, answer.body["state"], answer.body["facts"]["read_by"]) == (200, "ready", "rules")
    assert answer.body["quote"]["models"] == ["some"]
    assert reader.started == []


def test_the_reading_of_the_profile_is_another_and_asks_its_model(reader: FakeGoalReader) -> None:
    by_rules = http("POST", "/v1/facts", ASK | {"rules_only": True}).body["facts_id"]
    by_model = http("POST", "/v1/facts", ASK)

    assert (by_model.status, by_model.body["state"]) == (202, "reading")
    assert reader.started == [by_model.body["facts_id"]]
    assert by_rules != by_model.body["facts_id"]


def test_profiles_that_cannot_be_chosen_say_what_must_be_set_up(reader: FakeGoalReader) -> None:
    answer = http("GET", "/v1/model-profiles").body

    assert {each["profile"] for each in answer["profiles"]} & set(answer["unavailable"]) == set()
    assert "OPENROUTER_API_KEY" in answer["unavailable"]["frontier"]
