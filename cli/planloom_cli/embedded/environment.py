"""The environment of the child process, and so of every Lambda that it runs: little of the caller's, all of ours."""

import os

from planloom_cli.embedded.errors import NotReady
from planloom_cli.embedded.ports import HOST
from planloom_cli.embedded.session import REGION
from planloom_cli.embedded.small_botocore import write_endpoints
from planloom_cli.embedded.state_folder import StateFolder

#: All of the caller's environment that the child gets to see.
PASSED_ON = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TZ"),
    *("HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"),
)
#: How many plans are drafted at once. Each takes thirty processes of about 60 MB: two suit a small machine.
RUNS_AT_ONCE, USUAL_RUNS_AT_ONCE = "PLANLOOM_RUNS_AT_ONCE", "2"


def child_environment(folder: StateFolder, port: int, *, enforce_iam: bool) -> dict[str, str]:
    """Return what ministack needs to know to serve *folder* on *port* of the loopback interface, and nothing else."""
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
        # It would remove containers of other emulators that the user runs
        "DOCKER_HOST": f"unix://{folder.temporary}/no-docker.sock",
        "PYTHONUNBUFFERED": "1",
        # Forty small processes: what each saves, counts forty times
        "AWS_DATA_PATH": str(write_endpoints(folder.botocore)),
        "MALLOC_ARENA_MAX": "1",
        "MALLOC_TRIM_THRESHOLD_": "65536",
    }


def runs_at_once() -> str:
    """Return how many runs may be under way at once, as the setting of the Lambdas. Raises NotReady for no number."""
    told = os.environ.get(RUNS_AT_ONCE, "").strip() or USUAL_RUNS_AT_ONCE
    if not (told.isascii() and told.isdigit()):
        raise NotReady(f"{RUNS_AT_ONCE} is '{told[:20]}': say how many plans may be drafted at once, 0 for any number.")
    return told
