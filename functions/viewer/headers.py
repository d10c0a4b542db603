"""What a browser is told with every file of the viewer: by CloudFront in AWS, by the handler here on a laptop."""

#: The style and the script of reports (planloom/report/page.css and page.js), today's first, then those of earlier
#: versions, whose reports stay readable: a frame that the page fills itself has the page's policy on top of its own. A
#: test compares the first pair with the files.
REPORTS = (
    (
        "sha256-2s6lj+QtpEJ8/7fQbu5/u+jr/xoGqtIfqGCk1Y4A0dM=",
        "sha256-890eGdWXmRfI6So91uWD1frGoms+ZuBWe7MpfS6wZaM=",
    ),
    (
        "sha256-iGOChyrYO+hNTqF7pI5e19n4Lk0E3gr3w3Tg7fYaljY=",
        "sha256-Byd5NTmb1nYc+wn5Yx8gO8FLy2W0K8LuHYUUijMJDJY=",
    ),
)

#: Nothing is loaded, sent or embedded but from the viewer's own origin; pictures and the frame of a report may also be
#: made on the page.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' " + " ".join(f"'{script}'" for _, script in REPORTS),
        "style-src 'self' " + " ".join(f"'{style}'" for style, _ in REPORTS),
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "frame-src blob:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

REFERRER_POLICY = "no-referrer"

#: A file of assets/ carries the hash of its content in its name, so that it never changes.
IMMUTABLE = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"


def cache_control(path: str) -> str:
    """Return how long the file at *path*, below the viewer's folder, may be kept."""
    return IMMUTABLE if path.startswith("assets/") else ASK_AGAIN
