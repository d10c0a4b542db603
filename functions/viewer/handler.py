"""Serves the built files of the viewer on a laptop, like CloudFront in AWS."""

import mimetypes
from pathlib import Path
from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions.viewer.headers import CONTENT_SECURITY_POLICY, REFERRER_POLICY, cache_control

logger = Logger()

#: infra.local copies it next to the handlers.
FILES = Path(__file__).parents[2] / "viewer"

NOT_BUILT = "The viewer is not built. Run 'make viewer', then start 'planloom up' again.\n"
NOT_THERE = "There is no such file. The viewer starts at app/.\n"

SAID_ALWAYS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Referrer-Policy": REFERRER_POLICY,
    "X-Content-Type-Options": "nosniff",
}


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return one file of the viewer; without a path, the page that loads the others."""
    path = (event.get("pathParameters") or {}).get("proxy") or ""
    logger.info("viewer file", path=path)
    if not path and not event["path"].endswith("/"):
        # everything on the page is relative to the folder
        return _answer(302, "", "text/plain", {"Location": "app/"})
    return serve(FILES, path or "index.html")


def serve(files: Path, path: str) -> dict[str, Any]:
    """Return the response for the file at *path* below *files*, all of which are UTF-8 text; 404 for anything else."""
    if not (files / "index.html").is_file():
        return _answer(404, NOT_BUILT, "text/plain")
    found = (files / path).resolve()
    if not found.is_relative_to(files.resolve()) or not found.is_file():
        return _answer(404, NOT_THERE, "text/plain")
    kind = mimetypes.guess_type(found.name)[0] or "text/plain"
    return _answer(200, found.read_text(encoding="utf-8"), kind, {"Cache-Control": cache_control(path)})


def _answer(status: int, body: str, kind: str, headers: dict[str, str] | None = None) -> dict[str, Any]:
    all_headers = {"Content-Type": f"{kind}; charset=utf-8", **SAID_ALWAYS, **(headers or {})}
    return {"statusCode": status, "headers": all_headers, "body": body}
