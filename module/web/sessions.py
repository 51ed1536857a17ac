"""Who is logged in: random ids in memory, and which Gradio session belongs to which login."""

import secrets
from collections import OrderedDict
from collections.abc import Callable

MOST = 10_000


class Sessions:
    """Server-side sessions with an expiry; the oldest go when there are too many.

    A Gradio session hash is made in the browser, so it is bound to the login that uses it first.
    """

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds = seconds
        self._clock = clock
        self._logins: OrderedDict[str, tuple[str, float]] = OrderedDict()
        self._hashes: OrderedDict[str, str] = OrderedDict()

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
        if self._logins.pop(sid, None):
            for name in [name for name, owner in self._hashes.items() if owner == sid]:
                del self._hashes[name]

    def bind(self, session_hash: str, sid: str) -> bool:
        """Whether that Gradio session is this login's; the first use decides."""
        owner = self._hashes.setdefault(session_hash, sid)
        self._hashes.move_to_end(session_hash)
        while len(self._hashes) > MOST:
            self._hashes.popitem(last=False)
        return owner == sid
