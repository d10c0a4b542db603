"""The response headers of all files of the viewer, from CloudFront in AWS and from the handler on a laptop."""

#: Hashes of the style and the script of reports (page.css, page.js of the report package), the present first, then
#: those of earlier versions: a frame with srcdoc inherits the policy of the page. A test compares the first pair.
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


def content_security_policy(*uploads: str) -> str:
    """Return the policy of the page, which may send content of artifacts to the origins *uploads*.

    Otherwise only the viewer's own origin may be loaded, connected to or embedded; images and the frame of a report may
    also be created by the page.
    """
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self' " + " ".join(f"'{script}'" for _, script in REPORTS),
            "style-src 'self' " + " ".join(f"'{style}'" for style, _ in REPORTS),
            "img-src 'self' data: blob:",
            " ".join(("connect-src 'self'", *uploads)),
            "frame-src blob:",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


#: On a laptop everything has one origin, S3 too.
CONTENT_SECURITY_POLICY = content_security_policy()

REFERRER_POLICY = "no-referrer"

#: A file of assets/ never changes: its name has the hash of its content.
IMMUTABLE = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"


def cache_control(path: str) -> str:
    """Return the Cache-Control header of the file at *path*, relative to the folder of the viewer."""
    return IMMUTABLE if path.startswith("assets/") else ASK_AGAIN
