"""`leavebot chat`: the same conversation as the page's, in a terminal."""

import asyncio

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
