"""What every test starts from: no AWS account, ever."""

import os

import pytest
from hypothesis import settings

# machines are noisy: no example is failed for its time. In CI every run tries the same examples
settings.register_profile("planloom", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("planloom")


@pytest.fixture(autouse=True)
def no_aws_account(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a forgotten mock fail at once instead of reaching for somebody's account."""
    for name, value in {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "eu-west-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "POWERTOOLS_TRACE_DISABLED": "1",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_PROFILE", raising=False)
