"""PostgreSQL that goes away in the middle: turns say so, nothing is lost, and it goes on when the database is back."""

from pathlib import Path

import pytest

from model.errors import ConfigError
from module.database.stores import open_stores
from tests.postgres_server import Server, free_port
from tests.test_traps import IRENE, KEVIN, Office

pytestmark = pytest.mark.slow


async def test_a_database_that_goes_away_is_told_and_nothing_is_lost(
    postgres_server: Server, postgres_url: str, tmp_path: Path, logged: list[dict[str, object]]
) -> None:
    office = Office(tmp_path, "postgres", url=postgres_url)
    await office.bot.start()
    shown = await office.bot.say(IRENE, "12/30下午兩點到四點請特休")
    before = len((await office.bot.view(IRENE)).messages)
    assert (await office.bot.health())["ok"]
    postgres_server.stop()
    turn = await office.bot.say(IRENE, "代理人改成雅婷")
    assert turn.chip == "failed" and "資料庫" in turn.reply
    assert "資料庫" in (await office.bot.confirm(IRENE, shown.confirm_token)).reply
    assert not (await office.bot.health())["ok"]
    postgres_server.start()
    for _ in range(10):
        turn = await office.bot.say(KEVIN, "你好")
        if turn.chip != "failed":
            break
    assert turn.chip != "failed", "the pools must recover by themselves"
    assert len((await office.bot.view(IRENE)).messages) == before
    filed = await office.filed()
    assert (await office.bot.confirm(IRENE, shown.confirm_token)).wf_no
    assert await office.filed() == filed + 1
    assert {entry["event"] for entry in logged if entry["log_level"] == "warning"} <= {"turn_without_store", "turn_lock_lost"}
    logged.clear()
    await office.bot.close()


def test_a_database_that_is_not_there_is_named_with_a_remedy() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(ConfigError, match=r"LEAVEBOT_STORE_URL.*請確認"):
        open_stores(f"postgresql://leavebot@127.0.0.1:{free_port()}/leavebot")
