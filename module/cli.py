"""The command `leavebot`. Whatever is heavy is imported inside the command that needs it."""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from model.errors import ConfigError, LeaveBotError
from module.start import read_settings, require_free_port, set_switches, taipei_now

if TYPE_CHECKING:
    from module.desk.cases import Cases

app = typer.Typer(
    name="leavebot", help="請假助理", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False
)
users = typer.Typer(help="密碼登入的帳號", no_args_is_help=True)
desk_commands = typer.Typer(help="轉給人資的案件", no_args_is_help=True)
eip_commands = typer.Typer(help="內建的 EIP", no_args_is_help=True)
app.add_typer(users, name="user")
app.add_typer(eip_commands, name="eip")
app.add_typer(desk_commands, name="desk")
CONSOLE = "console"  # who answered, when it was done at the server itself
T = TypeVar("T")
ACCOUNTS, LEAST_PASSWORD = "accounts.json", 10
Config = Annotated[Path | None, typer.Option(help="設定檔；預設是 LEAVEBOT_CONFIG，再來是 ./config.ini")]
Calls = Literal["never", "when_needed", "always"]


def main() -> None:
    """Runs the command line. An error of ours is one line on stderr; exit code 2 for a ConfigError, else 1."""
    set_switches()
    os.umask(0o077)  # whatever is written holds personal data
    try:
        app()
    except LeaveBotError as wrong:
        print(f"leavebot: {wrong}", file=sys.stderr)
        raise SystemExit(2 if isinstance(wrong, ConfigError) else 1) from None


@app.command()
def serve(config: Config = None) -> None:
    """開啟網頁（與 run_gradio.py 相同）。"""
    settings = read_settings(config)
    require_free_port(settings.server.host, settings.server.port)
    from module.app import build
    from module.logs import configure
    from module.web.page import serve as serve_page

    configure(settings.log.level)
    serve_page(build(settings), settings)


@app.command()
def chat(account: Annotated[str, typer.Option("--as", help="員工帳號")], config: Config = None) -> None:
    """在終端機裡對話。"""
    settings = read_settings(config)
    from module.logs import configure
    from module.terminal import converse

    configure("error")
    asyncio.run(converse(settings, account))


@app.command()
def explain(
    text: str,
    now: Annotated[datetime | None, typer.Option(help="當作現在的時間")] = None,
    account: Annotated[str, typer.Option("--as", help="員工帳號；預設是公司資料裡的第一位")] = "",
    config: Config = None,
) -> None:
    """逐字說明一句話怎麼理解：欄位、值、字句、規則。"""
    settings = read_settings(config)
    from module.terminal import explained

    for row in asyncio.run(explained(settings, text, now or taipei_now(), account)):
        print(row)


@app.command()
def replay(
    corpus: Path,
    eip: Annotated[Path, typer.Option(help="公司資料（JSON）")],
    handbook: Annotated[Path | None, typer.Option(help="手冊資料夾")] = None,
    llm: Annotated[Calls, typer.Option(help="何時呼叫模型")] = "never",
    jobs: Annotated[int, typer.Option(min=1, max=64, help="同時進行幾段對話")] = 1,
    config: Config = None,
) -> None:
    """重播語料，每一輪印一個 JSON 物件。"""
    from module.eip.company_file import load_company
    from module.logs import configure
    from module.replay import as_line, read_corpus, replayed, settings_for

    configure("error")
    settings = settings_for(read_settings(config), llm, handbook)
    company = load_company(eip)
    dialogues = read_corpus(corpus, company)

    async def run() -> None:
        async for result in replayed(dialogues, company, settings, jobs):
            print(as_line(result))

    asyncio.run(run())


@app.command()
def times(file: Path) -> None:
    """讀出每一行 {"id","ref","text"} 的時間，結束不含在內。"""
    from module.understand.times import raw_reading

    for row in _rows(file):
        start, end, seconds = raw_reading(row["text"], datetime.fromisoformat(row["ref"]))
        reading = {"start": start and start.isoformat(), "end": end and end.isoformat(), "duration_s": seconds}
        print(json.dumps({"id": row["id"], **reading}, ensure_ascii=False))


def _rows(file: Path) -> list[dict[str, str]]:
    try:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        return [{"id": str(row["id"]), "text": str(row["text"]), "ref": str(row["ref"])} for row in rows]
    except (OSError, ValueError, KeyError, TypeError) as wrong:
        raise ConfigError(f'{file}：每一行應為 {{"id","ref","text"}}（{type(wrong).__name__}: {wrong}）') from None


@app.command()
def doctor(config: Config = None) -> None:
    """檢查設定、模型、EIP、資料、手冊；有問題就說怎麼辦。"""
    settings = read_settings(config)
    from module.doctor import findings

    async def run() -> bool:
        fine = True
        async for what, well, detail in findings(settings):
            print(f"{'ok ' if well else '!! '} {what}：{detail}")
            fine = fine and well
        return fine

    if not asyncio.run(run()):
        raise typer.Exit(1)


@users.command("add")
@users.command("passwd")
def set_password(account: str, config: Config = None) -> None:
    """設定員工的密碼（[auth] mode = password）；密碼由鍵盤輸入兩次。"""
    settings = read_settings(config)
    from module.web.login_password import set_password as write

    password = typer.prompt("密碼", hide_input=True, confirmation_prompt="再輸入一次")
    if len(password) < LEAST_PASSWORD:
        raise ConfigError(f"密碼太短，至少要 {LEAST_PASSWORD} 個字")
    write(Path(settings.store.data_dir) / ACCOUNTS, account, password)


@users.command("list")
def list_users(config: Config = None) -> None:
    """列出有密碼的帳號。"""
    settings = read_settings(config)
    from module.web.login_password import read_accounts

    for account in sorted(read_accounts(Path(settings.store.data_dir) / ACCOUNTS)):
        print(account)


@app.command("eip-server")
def eip_server(
    port: Annotated[int, typer.Option(min=1, max=65535, help="埠號")] = 7861,
    host: Annotated[str, typer.Option(help="主機名稱或 IP")] = "127.0.0.1",
    contract: Annotated[bool, typer.Option("--contract", help="只印出 OpenAPI 合約")] = False,
    config: Config = None,
) -> None:
    """以 HTTP 提供內建的 EIP；金鑰放在 LEAVEBOT_EIP_API_KEY。"""
    settings = read_settings(config)
    from module.eip.serve import contract_text, serve_eip

    if contract:
        print(contract_text())
        return
    require_free_port(host, port)
    from module.app import embedded
    from module.logs import configure

    configure(settings.log.level)
    serve_eip(lambda: embedded(settings, Path(settings.store.data_dir), taipei_now), settings.eip.api_key, host, port)


@eip_commands.command("approve")
def approve_leave(wf_no: str, config: Config = None) -> None:
    """核准一張送審中的假單。"""
    settings = read_settings(config)
    from module.app import embedded

    eip = embedded(settings, Path(settings.store.data_dir), taipei_now)
    leave = asyncio.run(eip.approve(wf_no))
    eip.close()
    print(f"{leave.wf_no} 已核准：{leave.category} {leave.start:%Y/%m/%d %H:%M}～{leave.end:%Y/%m/%d %H:%M}")


@desk_commands.command("list")
def desk_list(all_: Annotated[bool, typer.Option("--all", help="連已結案的也列出")] = False, config: Config = None) -> None:
    """列出案件與員工留下的問題，最新的在前面。"""
    from module.desk.terminal import listed

    for line in _desk(config, lambda cases: listed(cases, all_)):
        print(line)


@desk_commands.command("show")
def desk_show(number: str, config: Config = None) -> None:
    """一個案件的全部內容與經過。"""
    from module.desk.terminal import whole

    for line in _desk(config, lambda cases: whole(cases, number)):
        print(line)


@desk_commands.command("answer")
def desk_answer(number: str, text: str, config: Config = None) -> None:
    """回覆員工；回覆會出現在他的對話裡。"""
    if not text.strip():
        raise ConfigError("回覆不能是空白")
    print(f"{_desk(config, lambda cases: cases.answer(number, text, CONSOLE)).number} 已回覆")


@desk_commands.command("close")
def desk_close(number: str, config: Config = None) -> None:
    """結案。"""
    print(f"{_desk(config, lambda cases: cases.close(number, CONSOLE)).number} 已結案")


def _desk(config: Path | None, act: Callable[["Cases"], Awaitable[T]]) -> T:
    """What becomes of `act` on the cases of the configured store."""
    from module.database.stores import open_stores, place_of
    from module.desk.cases import Cases

    place = place_of(read_settings(config).store)
    if isinstance(place, Path) and not place.exists():
        raise ConfigError(f"{place}：還沒有任何紀錄，請確認 [store] data_dir")
    stores = open_stores(place)
    try:
        return asyncio.run(_awaited(act(Cases(stores.safe, taipei_now))))
    finally:
        stores.close()


async def _awaited(doing: Awaitable[T]) -> T:
    return await doing


@app.command()
def audit(
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="最新的幾筆")] = 100, config: Config = None
) -> None:
    """列出誰在何時確認了什麼、結果如何；最新的在前面。"""
    from module.database.stores import place_of

    place = place_of(read_settings(config).store)
    if isinstance(place, Path) and not place.exists():
        raise ConfigError(f"{place}：還沒有任何紀錄，請確認 [store] data_dir")
    from module.eip.outbox import Outbox

    outbox = Outbox.open(place, taipei_now)
    for entry in asyncio.run(outbox.trail(limit)):
        print(f"{entry.at:%Y-%m-%d %H:%M:%S}\t{entry.account}\t{entry.what}\t{entry.digest[:16]}\t{entry.outcome}")
    outbox.close()


@app.command()
def export(
    file: Path,
    month: Annotated[str, typer.Option(help="哪一個月，例如 2026-12；預設是這個月")] = "",
    reasons: Annotated[bool, typer.Option("--reasons", help="連事由與事件發生日也寫出")] = False,
    config: Config = None,
) -> None:
    """把內建 EIP 一個月的假單寫成 .csv 或 .xlsx，給人資。"""
    settings = read_settings(config)
    from module.app import embedded
    from module.export import month_of, rows, write

    start, end = month_of(month or f"{taipei_now():%Y-%m}")
    if settings.eip.provider != "sqlite" or not (Path(settings.store.data_dir) / "eip.db").exists():
        raise ConfigError("[eip]：這裡沒有內建 EIP 的假單，請由公司的 EIP 匯出，或確認 [store] data_dir")
    eip = embedded(settings, Path(settings.store.data_dir), taipei_now)
    table = rows(asyncio.run(eip.filed(start, end)), reasons)
    eip.close()
    write(file, table)
    print(f"{file}：{len(table) - 1} 張假單")


if __name__ == "__main__":
    main()
