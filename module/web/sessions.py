"""Who is logged in: random ids in memory, and which Gradio session belongs to which login."""

import secrets
from collections import OrderedDict
from collections.abc import Callable

MOST, MOST_OF_ONE = 10_000, 100


class Sessions:
    """Server-side sessions with an expiry; the oldest go when there are too many.

    A Gradio session hash is made in the browser, so it is bound to the login that uses it first. A login that
    brings very many lets go of its own earliest ones, not of anybody else's.
    """

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds = seconds
        self._clock = clock
        self._logins: OrderedDict[str, tuple[str, float]] = OrderedDict()
        self._hashes: OrderedDict[str, str] = OrderedDict()
        self._pages: dict[str, OrderedDict[str, None]] = {}

    def open(self, account: str) -> str:
        """A new 256-bit id for that account."""
        sid = secrets.token_urlsafe(32)
        self._logins[sid] = (account, self._clock() + self._seconds)
        while len(self._logins) > MOST:
            self.close(next(iter(self._logins)))
        return sid

    def account(self, sid: str) -> str | None:
        """The account behind an id, None when unknown or expired."""
        account, until = self._logins.get(sid, ("", 0.0))
        if account and self._clock() < until:
            return account
        self.close(sid)
        return None

    def close(self, sid: str) -> None:
        """Ends a login and lets go of its Gradio sessions."""
        self._logins.pop(sid, None)
        for name in self._pages.pop(sid, ()):
            self._hashes.pop(name, None)

    def bind(self, session_hash: str, sid: str) -> bool:
        """Whether that Gradio session is this login's; the first use decides."""
        owner = self._hashes.setdefault(session_hash, sid)
        if owner != sid:
            return False
        self._hashes.move_to_end(session_hash)
        pages = self._pages.setdefault(sid, OrderedDict())
        pages[session_hash] = None
        pages.move_to_end(session_hash)
        if len(pages) > MOST_OF_ONE:
            del self._hashes[pages.popitem(last=False)[0]]
        while len(self._hashes) > MOST:
            name, owner = self._hashes.popitem(last=False)
            self._pages[owner].pop(name, None)
        return True
