"""What a browser is told with every file of the viewer: by CloudFront in AWS, by the handler here on a laptop."""

#: Nothing is loaded, sent or embedded but from the viewer's own origin; pictures may also be made on the page.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
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
