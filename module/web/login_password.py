"""Accounts of our own: argon2id hashes in data/accounts.json (0600), wrong tries throttled."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from limits import parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from model.errors import ConfigError
from module.web.auth import Throttled

WRONG_TRIES = "5/10 minutes"
HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


class PasswordLogin:
    """Checks account and password; an unknown account costs the same time as a wrong password."""

    def __init__(self, data_dir: str) -> None:
        self._path = Path(data_dir) / "accounts.json"
        self._tries = MovingWindowRateLimiter(MemoryStorage())
        self._limit = parse(WRONG_TRIES)
        self._turn = asyncio.Lock()
        self._nobody = HASHER.hash("nobody")

    def form(self, error: str) -> str:
        """Account and password."""
        return (
            '<form method="post" action="/login" class="password"><label for="account">帳號</label>'
            '<input id="account" name="account" autocomplete="username" autofocus required maxlength="100">'
            '<label for="password">密碼</label><input id="password" name="password" type="password"'
            ' autocomplete="current-password" required maxlength="200"><button class="primary">登入</button></form>'
        )

    async def account(self, form: Mapping[str, str], address: str) -> str | None:
        """The account if the password is right. Raises Throttled from the 6th try after 5 wrong ones.

        One try at a time, so that tries sent at once cannot slip past the count and hashing takes little memory.
        """
        account = form.get("account", "")[:100]
        keys = (("account", account, address), ("address", address))
        async with self._turn:
            if not all(self._tries.test(self._limit, *key) for key in keys):
                raise Throttled
            if await asyncio.to_thread(self._right, account, form.get("password", "")[:200]):
                return account
            for key in keys:
                self._tries.hit(self._limit, *key)
        return None

    def _right(self, account: str, password: str) -> bool:
        known = read_accounts(self._path)
        try:
            return HASHER.verify(known.get(account, self._nobody), password) and account in known
        except (VerificationError, InvalidHashError):
            return False


def read_accounts(path: Path) -> dict[str, str]:
    """{account: argon2 hash}. Raises ConfigError when others may read the file, or when it is not JSON."""
    if not path.exists():
        return {}
    if path.stat().st_mode & 0o077:
        raise ConfigError(f"{path}：其他人也能讀這個檔案，請執行 chmod 600 {path}")
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise ConfigError(f"{path}：不是 JSON 檔") from None
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, dict) else {}


def set_password(path: Path, account: str, password: str) -> None:
    """Writes one account's hash; the file is replaced at once and only its owner may read it."""
    accounts = read_accounts(path) | {account: HASHER.hash(password)}
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.touch(mode=0o600)
    fresh.write_text(json.dumps(accounts, ensure_ascii=False, indent=1), encoding="utf-8")
    fresh.replace(path)
