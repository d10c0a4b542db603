"""Each Lambda's bundle holds every package that its handler may import, at once or on a later call."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from infra.package import EXTRAS, closure, needed
from infra.sources import Bundle
from planloom.planes.strategic.stages.pipeline import PIPELINE
from tests.infra.conftest import Template, of_type
from tests.infra.imports import ASKING, MODEL_CLIENTS, Function, distributions, reached

STAGES = {stage.name: Function("functions.stage.handler.handler", stage.name) for stage in PIPELINE}
OTHERS = (
    "api",
    "authorizer",
    "notify",
    "on_plan_event",
    "on_run_ended",
    "on_schedule",
    "read_goal",
    "run_worker",
    "viewer",
    "watchdog",
)
FUNCTIONS = STAGES | {name: Function(f"functions.{name}.handler.handler") for name in OTHERS}

SHIPPED: dict[Bundle, frozenset[str]] = {bundle: frozenset(closure(needed(EXTRAS[bundle]))) for bundle in EXTRAS}


def asked(bundle: Bundle) -> set[str]:
    """Return the packages that pyproject.toml asks for, for *bundle*."""
    return {canonicalize_name(each.name) for each in needed(EXTRAS[bundle])}


@pytest.fixture(scope="module")
def bundles(paths: dict[str, Path]) -> dict[str, Bundle]:
    """The bundle of each function, by the function's name, as the two synthesised stacks deploy it."""
    found: dict[str, Bundle] = {}
    for path in (paths["embedded"], paths["aws"]):
        for function, asset in deployed(path).items():
            word = (asset / "word.txt").read_text()
            # on a laptop all run the same code; the viewer's own Lambda is deployed nowhere else
            found[function.name] = "base" if word == "all" else word  # type: ignore[assignment]
    return found


def deployed(template: Path) -> Mapping[Function, Path]:
    """Return our functions in *template*, each with the folder of its code."""
    stack: Template = json.loads(template.read_text())
    found = {}
    for each in of_type(stack, "AWS::Lambda::Function").values():
        properties = each["Properties"]
        if properties["Handler"].startswith("functions."):
            stage = properties["Environment"]["Variables"].get("PLAN_STAGE", "")
            asset = template.parent / f"asset.{properties['Code']['S3Key'].removesuffix('.zip')}"
            found[Function(properties["Handler"], stage)] = asset
    return found


@cache
def imported(name: str) -> dict[str, set[str]]:
    return distributions(FUNCTIONS[name])


def missing(name: str, shipped: frozenset[str]) -> dict[str, set[str]]:
    """Return what function *name* may import and a bundle of *shipped* lacks, with our modules that import it."""
    return {package: modules for package, modules in imported(name).items() if package not in shipped}


def test_every_function_of_the_stack_is_looked_at(bundles: dict[str, Bundle]) -> None:
    assert set(bundles) == set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_may_import_nothing_that_its_bundle_lacks(name: str, bundles: dict[str, Bundle]) -> None:
    assert missing(name, SHIPPED[bundles[name]]) == {}


@pytest.mark.parametrize(
    ("bundle", "package"), [(bundle, package) for bundle in EXTRAS for package in sorted(asked(bundle) - asked("base"))]
)
def test_a_package_removed_from_a_bundle_is_missed(bundle: Bundle, package: str, bundles: dict[str, Bundle]) -> None:
    without = SHIPPED[bundle] - {package}

    assert {lacks for name in bundles if bundles[name] == bundle for lacks in missing(name, without)} == {package}


@pytest.mark.parametrize("package", sorted(asked("base")))
def test_a_package_removed_from_all_bundles_is_missed(package: str, bundles: dict[str, Bundle]) -> None:
    found = {lacks for name, bundle in bundles.items() for lacks in missing(name, SHIPPED[bundle] - {package})}

    assert found == {package}


def test_only_functions_that_declare_that_they_ask_reach_the_model_library() -> None:
    with_models = {name for name in FUNCTIONS if {"openai", "pydantic-ai-slim"} & imported(name).keys()}

    assert with_models == {stage.name for stage in PIPELINE if stage.asks_model} | ASKING


def test_only_the_stage_that_reads_goals_reaches_the_library_of_holidays() -> None:
    assert {name for name in FUNCTIONS if "holidays" in imported(name)} == {"start"}


def test_imports_inside_functions_and_by_name_are_seen() -> None:
    assert "planloom.planes.implementation.document.schema_findings" in imported("api")["jsonschema"]
    assert "planloom.models.openai_chat" in imported("draft")["openai"]
    assert imported("report")["jinja2"] == {"planloom.planes.strategic.report.page"}


def test_a_worker_of_a_stage_loads_no_stage_whose_result_it_does_not_read() -> None:
    called, loaded = reached(FUNCTIONS["schedule"])

    assert {"planloom.planes.strategic.stages.schedule", MODEL_CLIENTS} <= called
    stages = {"planloom.planes.strategic.stages.report", "planloom.planes.strategic.report.page"}
    assert stages & (called | loaded) == set()
