"""`leavebot chat`: the same conversation as the page's, in a terminal."""

import asyncio
from datetime import datetime
from unicodedata import east_asian_width

from model.outcome import Turn
from model.settings import Settings

CONFIRM, RESET, LEAVE = "/確認", "/重來", "/離開"
GREETING = f"（{CONFIRM} 是確認按鈕，{RESET} 重新開始，{LEAVE} 或 Ctrl-D 結束）"


async def converse(settings: Settings, account: str) -> None:
    """Reads lines and prints replies until the input ends. Raises EipRefused for an unknown account."""
    from module.app import build

    bot = build(settings)
    await bot.start()
    print(settings.page.greeting, GREETING, sep="\n")
    token = ""
    try:
        while (line := await asyncio.to_thread(_line)) is not None and line != LEAVE:
            if line == CONFIRM:
                turn = await bot.confirm(account, token)
            elif line == RESET:
                turn = await bot.reset(account)
            else:
                turn = await bot.say(account, line)
            token = turn.confirm_token
            print(shown(turn))
    finally:
        await bot.close()


def _line() -> str | None:
    try:
        return input("> ").strip()
    except (EOFError, KeyboardInterrupt):
        return None


def shown(turn: Turn) -> str:
    """A turn as text: the reply, the tappable answers and, where there is one, the button."""
    options = [f"［{'］［'.join(turn.options)}］"] if turn.options else []
    return "\n".join([turn.reply, *options, *([f"［{CONFIRM}］"] if turn.confirm_token else [])])


async def explained(settings: Settings, text: str, now: datetime, account: str) -> list[str]:
    """The lines of a table that says how a sentence is understood; nothing is stored. Raises EipRefused."""
    from module.app import build, embedded
    from module.understand.explain import explain

    bot = build(settings, clock=lambda: now, eip=embedded(settings, None, lambda: now))
    who = account or bot.accounts()[0][0]
    rows = explain(await bot.meaning(who, text))
    widths = [max(_width(row[column]) for row in rows) for column in range(4)]
    return ["  ".join(cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _width(text: str) -> int:
    """Columns on a terminal: Chinese takes two."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)
