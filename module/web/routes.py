"""Every address the outside may reach. What is not in this table does not exist (404)."""

import re
from dataclasses import dataclass

KB = 1024


@dataclass(frozen=True)
class Route:
    """One allowed address.

    Attributes:
        login: whether a login is needed.
        cap: most bytes of a body.
        session_hash: where the Gradio session's name stands: query, path, body, or nowhere.
        own_origin: refused when another site asks, even by GET.
        keep: may be cached.
        pace: what a POST counts as (`pace.Pace`), or nothing.
    """

    pattern: re.Pattern[str]
    methods: frozenset[str]
    login: bool = True
    cap: int = 0
    session_hash: str = ""
    own_origin: bool = True
    keep: bool = False
    pace: str = ""


GET = frozenset({"GET", "HEAD"})
POST = frozenset({"POST"})

ROUTES = (
    Route(re.compile(r"/"), GET, own_origin=False),
    Route(re.compile(r"/healthz|/readyz"), GET, login=False, own_origin=False),
    Route(re.compile(r"/login\.css|/hr\.css|/favicon\.svg|/favicon\.ico|/logo"), GET, login=False, keep=True),
    Route(re.compile(r"/drawn/[0-9a-f]{20}|/panel|/panel/handbook|/form"), GET),
    Route(re.compile(r"/hr"), GET, own_origin=False),
    Route(re.compile(r"/hr/HR\d{11,14}"), GET),
    Route(re.compile(r"/hr/HR\d{11,14}/(?:answer|close)|/hr/questions/\d{1,12}/drop"), POST, cap=64 * KB, pace="press"),
    Route(re.compile(r"/leaves/[A-Za-z0-9_-]{1,64}\.ics"), GET),
    Route(re.compile(r"/js/[a-z]+\.js"), GET, login=False, keep=True),
    Route(re.compile(r"/login"), GET | POST, login=False, cap=4 * KB, own_origin=False, pace="login"),
    Route(re.compile(r"/logout"), POST, cap=4 * KB),
    Route(re.compile(r"/assets/[\w./@-]+|/static/[\w./@-]+|/svelte/[\w./@-]+"), GET, keep=True),
    Route(re.compile(r"/theme\.css|/gradio_api/theme\.css|/config|/gradio_api/startup-events"), GET),
    Route(re.compile(r"/gradio_api/heartbeat/(?P<hash>[^/]+)"), GET, session_hash="path"),
    Route(re.compile(r"/gradio_api/queue/data"), GET, session_hash="query"),
    Route(re.compile(r"/gradio_api/queue/join"), POST, cap=64 * KB, session_hash="body", pace="press"),
)


def find(path: str) -> tuple[Route, str] | None:
    """The route of a path, and the session hash if it stands in the path."""
    for route in ROUTES:
        if matched := route.pattern.fullmatch(path):
            return route, matched.groupdict().get("hash") or ""
    return None
