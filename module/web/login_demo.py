"""示範登入: anybody may be any employee of the demo company. For a first look only."""

from collections.abc import Mapping
from html import escape

from module.web.port import Bot


class DemoLogin:
    """A list of employees to pick from."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def form(self, error: str) -> str:
        """One button for each employee."""
        people = "".join(
            f'<li><button name="account" value="{escape(account)}">'
            f'<span class="face" aria-hidden="true">{escape(name[:1])}</span>'
            f'<span class="person"><b>{escape(name)}</b><small>{escape(department)}</small></span>'
            f'<span class="account">{escape(account)}</span></button></li>'
            for account, name, _, department in self._bot.accounts()
        )
        return (
            '<p class="demo"><b>示範登入</b>這是示範公司，不需要密碼；選一位員工，就以他的身分試用。</p>'
            f'<form method="post" action="/login"><ul class="people">{people}</ul></form>'
        )

    async def account(self, form: Mapping[str, str], address: str) -> str | None:
        """The picked account, if it exists."""
        picked = form.get("account", "")
        return picked if any(picked == known[0] for known in self._bot.accounts()) else None
