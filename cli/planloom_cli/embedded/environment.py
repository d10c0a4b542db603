"""The environment of the child process and of every Lambda that it runs."""

import os

from planloom_cli.embedded.errors import NotReady
from planloom_cli.embedded.ports import HOST
from planloom_cli.embedded.session import REGION
from planloom_cli.embedded.small_botocore import write_endpoints
from planloom_cli.embedded.state_folder import StateFolder

#: The variables of the caller's environment that are passed to the child.
PASSED_ON = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TZ"),
    *("HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"),
)
#: How many plans are drafted at once. Each takes a process per stage: 2 suit a small machine.
RUNS_AT_ONCE, USUAL_RUNS_AT_ONCE = "PLANLOOM_RUNS_AT_ONCE", "2"


def child_environment(folder: StateFolder, port: int, *, enforce_iam: bool) -> dict[str, str]:
    """Return the variables that ministack needs to serve *folder* on *port* of the loopback interface."""
    passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    return passed | {
        RUNS_AT_ONCE: runs_at_once(),
        "BIND_HOST": HOST,
        "GATEWAY_PORT": str(port),
        "MINISTACK_REGION": REGION,
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "PERSIST_STATE": "1",
        "S3_PERSIST": "1",
        "STATE_DIR": str(folder.aws),
        "S3_DATA_DIR": str(folder.files),
        "TMPDIR": str(folder.temporary),
        "AUTH": "true" if enforce_iam else "false",
        # With Docker, ministack would remove containers of other emulators
        "DOCKER_HOST": f"unix://{folder.temporary}/no-docker.sock",
        "PYTHONUNBUFFERED": "1",
        # To save memory in each of forty processes
        "AWS_DATA_PATH": str(write_endpoints(folder.botocore)),
        "MALLOC_ARENA_MAX": "1",
        "MALLOC_TRIM_THRESHOLD_": "65536",
    }


def runs_at_once() -> str:
    """Return the maximum number of active runs, as a setting of the Lambdas. Raises NotReady if it is no number."""
    value = os.environ.get(RUNS_AT_ONCE, "").strip() or USUAL_RUNS_AT_ONCE
    if not (value.isascii() and value.isdigit()):
        raise NotReady(
            f"{RUNS_AT_ONCE} is '{value[:20]}', which is not a number. Set it to the number of plans that may be "
            "drafted at once, 0 for no limit."
        )
    return value
