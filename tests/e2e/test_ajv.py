"""The corpus of implementation plans before ajv, the validator that the specification names: one verdict."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from planloom.planes.implementation.document.format import examples
from planloom.planes.implementation.document.schema import schema
from planloom.planes.implementation.document.schema_findings import schema_findings
from tests.corpus.cases import CASES
from tests.e2e import npm

SOURCES = Path(__file__).parent / "ajv"


def judged(plans: list[Any]) -> list[bool]:
    folder = npm.install(SOURCES)
    shutil.copy(SOURCES / "judge.mjs", folder)
    asked = json.dumps({"schema": schema(), "plans": plans})
    ended = subprocess.run(
        [npm.NODE, "judge.mjs"], cwd=folder, input=asked, capture_output=True, text=True, timeout=300, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return list(json.loads(ended.stdout))


@pytest.fixture(scope="module")
def verdicts() -> dict[str, bool]:
    return dict(zip([case.name for case in CASES], judged([case.plan for case in CASES]), strict=True))


def test_ajv_and_planloom_agree_on_every_plan_of_the_corpus(verdicts: dict[str, bool]) -> None:
    ours = {case.name: next(iter(schema_findings(case.plan)), None) is None for case in CASES}
    assert verdicts == ours


def test_ajv_says_what_the_corpus_expects(verdicts: dict[str, bool]) -> None:
    assert verdicts == {case.name: case.fits_schema for case in CASES}
    assert {True, False} == set(verdicts.values())


def test_the_examples_that_agents_learn_from_fit_by_ajv_as_well() -> None:
    assert judged(examples()) == [True, True, True]
