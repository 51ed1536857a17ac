"""`[server] profile = production`: what must not be weak where real employees file real leaves."""

import stat
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from model.errors import ConfigError
from model.settings import Settings

LONGEST_LOGIN_H = 24


def require_strong(settings: Settings) -> None:
    """Nothing under another profile. Raises ConfigError with the first weakness and how many more there are."""
    if settings.server.profile != "production":
        return
    weak = list(weaknesses(settings))
    if weak:
        more = f"（還有 {len(weak) - 1} 項，leavebot doctor 會全部列出）" if weak[1:] else ""
        raise ConfigError(f"[server] profile = production：{weak[0]}{more}")


def weaknesses(settings: Settings) -> Iterator[str]:
    """What is too weak for production, each naming the setting and what is allowed. Reads modes, writes nothing."""
    yield from _who(settings)
    yield from _where(settings)
    yield from _kept(settings)
    yield from _spoken_to(settings)


def _who(settings: Settings) -> Iterator[str]:
    if settings.auth.mode == "demo":
        yield "[auth] mode = demo 誰都能登入成任何人，請用其他登入方式，例如 password"
    if settings.auth.session_hours > LONGEST_LOGIN_H:
        yield f"[auth] session_hours = {settings.auth.session_hours:g} 太久，最多 {LONGEST_LOGIN_H}"


def _where(settings: Settings) -> Iterator[str]:
    if not settings.server.public_url.startswith("https://"):
        yield f"[server] public_url = {settings.server.public_url!r} 不是加密的網址，應為 https:// 開頭"
    for host in settings.server.allowed_hosts:
        if "*" in host or host in ("0.0.0.0", "::"):
            yield f"[server] allowed_hosts 裡的 {host} 等於不檢查，請逐一寫出主機名稱"


def _kept(settings: Settings) -> Iterator[str]:
    if settings.store.kind == "memory":
        yield "[store] kind = memory 重開就忘記對話，應為會存檔的，例如 sqlite"
    folder = Path(settings.store.data_dir)
    if folder.exists() and (mode := stat.S_IMODE(folder.stat().st_mode)) & 0o077:
        yield f"[store] data_dir = {folder} 其他人也能讀（{mode:o}），請執行 chmod 700 {folder}"
    if settings.log.level == "debug":
        yield "[log] level = debug 記得太細，應為 info、warning、error 其中之一"


def _spoken_to(settings: Settings) -> Iterator[str]:
    if settings.eip.provider == "sqlite" and not settings.eip.company:
        yield "[eip] company 是空白，用的是示範公司，請填公司資料檔，或設 [eip] provider = http"
    if settings.eip.provider == "http":
        if not settings.eip.api_key:
            yield "[eip] api_key 是空白，請設環境變數 LEAVEBOT_EIP_API_KEY 或 LEAVEBOT_EIP_API_KEY_FILE"
        for key in ("base_url", "filing_url"):
            if _in_the_open(getattr(settings.eip, key)):
                yield f"[eip] {key} = {getattr(settings.eip, key)} 沒有加密，應為 https:// 開頭"
    if settings.llm.provider != "none" and settings.llm.api_key and _in_the_open(settings.llm.base_url):
        yield f"[llm] base_url = {settings.llm.base_url} 會把金鑰不加密送出去，應為 https:// 開頭"


def _in_the_open(url: str) -> bool:
    """Whether what is sent there leaves this machine unencrypted."""
    parts = urlsplit(url)
    if parts.scheme != "http":
        return False
    try:
        return not ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return parts.hostname != "localhost"
