"""What every test starts from: no AWS account, ever."""

import os
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

# machines are noisy: no example is failed for its time. In CI every run tries the same examples
settings.register_profile("planloom", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("planloom")


#: Folders whose tests share what is slow to make, an embedded AWS or a synthesised stack: one worker runs them all.
SHARING = ("tests/e2e/", "tests/infra/")
#: Of these, what starts an embedded AWS of its own, or none: it runs beside them.
APART = tuple(
    f"tests/e2e/{name}"
    for name in (
        "conformance/",
        "test_ajv",
        "test_bedrock_wiring",
        "test_drafting_with_models",
        "test_embedded",
        "test_as_deployed",
    )
)


class ByRoom(LoadScopeScheduling):  # type: ignore[misc]
    """Gives a folder that shares to one worker as a whole, and the others file by file to the next free worker.

    The tests of a file often read the same plan, which each worker would draft again.
    """

    def _split_scope(self, nodeid: str) -> str:
        shared = next((folder for folder in SHARING if nodeid.startswith(folder)), None)
        return shared if shared and not nodeid.startswith(APART) else nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByRoom:
    """Replace --dist. In the order of the folders, so that the slow ones come first."""
    config.option.loadscopereorder = False
    return ByRoom(config, log)


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
