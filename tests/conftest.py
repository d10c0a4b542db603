"""What every test starts from: no AWS account, ever."""

import gc
import os
from functools import cache
from typing import Any

import pytest
import typer.testing
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from tests.thorough import THOROUGH

# machines are noisy: no example is failed for its time. In CI every run tries the same examples
settings.register_profile(
    "planloom", deadline=None, derandomize=bool(os.environ.get("CI")), max_examples=300 if THOROUGH else 50
)
settings.load_profile("planloom")

# each call of the command in a test would build all its subcommands again
typer.testing._get_command = cache(typer.testing._get_command)  # type: ignore[attr-defined]

E2E, STACK = "tests/e2e/", "tests/infra/"
#: The e2e tests that use no service or start one of their own, with the group of each; all others share one service.
APART = {
    "test_as_deployed": "as deployed",
    "test_drafting_with_models": "with models",
    "test_graphs_drafted": "with models",
    "test_embedded": "embedded",
    "test_report_page": "report page",
    "conformance/": "conformance",
    "test_ajv": "ajv",
    "test_bedrock_wiring": "bedrock",
    "test_fork_server": "fork server",
}
SERVICE = "service"


def group_of(nodeid: str) -> str:
    """Return the group of a test, by default its file. The tests of a group share what is slow to make."""
    if nodeid.startswith(E2E):
        name = nodeid.removeprefix(E2E)
        return next((group for start, group in APART.items() if name.startswith(start)), SERVICE)
    return STACK if nodeid.startswith(STACK) else nodeid.partition("::")[0]


class ByGroup(LoadScopeScheduling):  # type: ignore[misc]
    """Gives the next group of tests to the next free worker."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByGroup:
    """Replace --dist."""
    config.option.loadscopereorder = False
    return ByGroup(config, log)


def pytest_collection_finish() -> None:
    """Keep what is imported out of garbage collection, which otherwise takes a seventh of the time of unit tests."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the groups that take longest: begun last, one of them would run alone."""
    order = [SERVICE, *dict.fromkeys(APART.values()), STACK]
    items.sort(key=lambda item: order.index(group) if (group := group_of(item.nodeid)) in order else len(order))


@pytest.fixture(autouse=True)
def no_aws_account(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a forgotten mock fail at once instead of reaching for somebody's account."""
    for name, value in {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "eu-west-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        # those credentials are no wish to be drafted for by Bedrock
        "PLANLOOM_BEDROCK": "off",
        "POWERTOOLS_TRACE_DISABLED": "1",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_PROFILE", raising=False)
