"""Response headers: a strict Content-Security-Policy with a hash for each inline script, and the usual locks."""

import base64
import hashlib
import re

Headers = list[tuple[bytes, bytes]]

_INLINE = re.compile(rb"<script(?![^>]*\ssrc\s*=)[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_DROPPED = (b"access-control-", b"server", b"x-powered-by", b"cache-control", b"content-security-policy")
_LOCKS: Headers = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    # same-origin, not no-referrer: with the latter browsers send `Origin: null` when the login form is posted.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
_NOTHING = b"default-src 'none'; frame-ancestors 'none'"
_PAGE = (
    "default-src 'none'; base-uri 'self'; object-src 'none'; frame-ancestors 'none'; form-action 'self'; "
    "connect-src 'self'; img-src 'self' data: blob:; font-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "manifest-src 'self'; worker-src 'self' blob:; script-src 'self'"
)


def is_html(headers: Headers) -> bool:
    """Whether the response is a page."""
    return any(name.lower() == b"content-type" and value.startswith(b"text/html") for name, value in headers)


def locked(headers: Headers, *, https: bool, keep: bool) -> Headers:
    """The response's headers with ours added and what tells or opens too much taken away; `keep` allows caching."""
    kept = [(name, value) for name, value in headers if not name.lower().startswith(_DROPPED)]
    kept += [*_LOCKS, (b"cache-control", b"public, max-age=86400" if keep else b"no-store")]
    return kept + [(b"strict-transport-security", b"max-age=63072000; includeSubDomains")] * https


def policy(page: bytes | None) -> tuple[bytes, bytes]:
    """The Content-Security-Policy of a page, or of anything else when None."""
    if page is None:
        return b"content-security-policy", _NOTHING
    digests = (hashlib.sha256(script).digest() for script in _INLINE.findall(page) if script.strip())
    hashes = "".join(f" 'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return b"content-security-policy", (_PAGE + hashes).encode()
