"""How often one account or one address may do something: a moving window in this process's memory."""

import math
import time

from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from model.settings import Limits


class Pace:
    """Counts what is done by its kind: turn, press, upload, login."""

    def __init__(self, limits: Limits) -> None:
        self._windows = MovingWindowRateLimiter(MemoryStorage())
        self._factor = limits.address_factor
        self._most: dict[str, RateLimitItem] = {
            "turn": RateLimitItemPerMinute(limits.turns_per_minute),
            "press": RateLimitItemPerMinute(limits.presses_per_minute),
            "upload": RateLimitItemPerHour(limits.uploads_per_hour),
            "login": RateLimitItemPerMinute(limits.logins_per_minute),
        }

    def wait(self, kind: str, account: str = "", address: str = "") -> int:
        """0 when it may be done, and then it is counted; else the seconds to wait.

        An address may hold a whole office: with an account it may do `address_factor` times as much.
        """
        most = self._most[kind]
        shared = type(most)(most.amount * self._factor) if account else most
        for limit, key in ((most, f"account {account}" if account else ""), (shared, f"at {address}" if address else "")):
            if key and not self._windows.hit(limit, kind, key):
                return max(1, math.ceil(self._windows.get_window_stats(limit, kind, key).reset_time - time.time()))
        return 0
