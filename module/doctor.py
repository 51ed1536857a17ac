"""`leavebot doctor`: is everything there that the settings name, and if not, what to do."""

import os
from collections.abc import AsyncIterator
from importlib import resources
from pathlib import Path

from model.errors import ConfigError
from model.settings import Settings
from module.profile import weaknesses

Line = tuple[str, bool, str]


async def findings(settings: Settings) -> AsyncIterator[Line]:
    """(what, whether it is well, detail or what to do) for each part; writes nothing."""
    yield "設定", True, "每一項都可用"
    for weak in weaknesses(settings) if settings.server.profile == "production" else ():
        yield "正式環境", False, weak
    yield await _model(settings)
    yield _eip(settings)
    yield _store(settings)
    yield _handbook(settings)
    yield _place(settings)


async def _model(settings: Settings) -> Line:
    from module.llm.choose import build_llm

    llm = build_llm(settings.llm)
    if llm is None:
        return "模型", True, "沒有設定模型，只用規則（[llm] provider = none）"
    wrong = await llm.probe()
    return "模型", not wrong, f"{wrong}（在那之前以規則模式運作）" if wrong else f"{llm.name} 可用"


def _eip(settings: Settings) -> Line:
    from module.eip.company_file import load_company

    try:
        company = load_company(company_path(settings))
    except ConfigError as wrong:
        return "EIP", False, str(wrong)
    return "EIP", True, f"{company.company}，{len(company.employees)} 位員工，{len(company.leave_types)} 種假別"


def company_path(settings: Settings) -> Path:
    """The company file that the settings name; the demo company's where they name none."""
    return Path(settings.eip.company or str(resources.files("module.eip") / "demo_company.json"))


def _store(settings: Settings) -> Line:
    place = Path(settings.store.data_dir).absolute()
    existing = next(folder for folder in (place, *place.parents) if folder.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        return "資料", False, f"不能寫入 {existing}：請改權限，或改 [store] data_dir"
    if settings.store.kind == "postgres":
        return _postgres(settings.store.url)
    kept = "對話只在記憶體" if settings.store.kind == "memory" else "對話存在 SQLite"
    return "資料", True, f"{place}（{kept}）"


def _postgres(url: str) -> Line:
    from module.database.postgres import state_of

    try:
        return "資料庫", True, state_of(url)
    except ConfigError as wrong:
        return "資料庫", False, str(wrong)


def _handbook(settings: Settings) -> Line:
    if not settings.desk.handbook:
        return "手冊", True, "內附的範例手冊"
    folder = Path(settings.desk.handbook)
    count = len(list(folder.glob("*.md"))) if folder.is_dir() else 0
    return "手冊", count > 0, f"{folder}：{count} 個檔案" + ("" if count else "，請放入 .md 檔，或改 [desk] handbook")


def _place(settings: Settings) -> Line:
    from module.start import require_free_port

    try:
        require_free_port(settings.server.host, settings.server.port)
    except ConfigError as wrong:
        return "網頁", False, f"{wrong}（若那就是本程式，則不必理會）"
    where = settings.server.public_url or f"http://{settings.server.host}:{settings.server.port}"
    if settings.auth.mode == "demo" and settings.server.host not in ("127.0.0.1", "localhost", "::1"):
        return "網頁", False, f"{where}：示範登入不查密碼，請只在本機使用（[server] host = 127.0.0.1）"
    return "網頁", True, where
