"""What every test starts from: no AWS account, ever."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# machines are noisy: no example is failed for its time. In CI every run tries the same examples
settings.register_profile("planloom", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("planloom")


#: Rooms whose tests share what is slow to make, an embedded AWS or a synthesised stack: one worker runs them all.
SHARING = ("e2e", "infra")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep the tests of a sharing room together where several workers run; the others go to whoever is free."""
    room = item.path.relative_to(Path(__file__).parent).parts[0]
    if room in SHARING:
        item.add_marker(pytest.mark.xdist_group(room))


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
