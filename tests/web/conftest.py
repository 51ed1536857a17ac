"""Sites to test, closed again afterwards."""

from collections.abc import AsyncIterator, Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from web_fake import FakeBot
from web_site import ORIGIN, Site, running

from model.settings import Settings


@pytest.fixture
async def open_site() -> AsyncIterator[Callable[..., Any]]:
    """Opens a site with given sections of settings."""
    from module.web.page import create_app

    running_now = []

    async def start(sections: dict[str, dict[str, str]] | None = None, **more: Any) -> Site:
        settings = Settings.from_mapping(sections or {}, {})
        bot = FakeBot()
        app = create_app(bot, settings, **more)
        life = running(app)
        await life.__aenter__()
        running_now.append(life)
        return Site(app, bot, settings.server.public_url or ORIGIN)

    yield start
    for life in running_now:
        await life.__aexit__(None, None, None)


@pytest.fixture
async def site(open_site: Callable[..., Any]) -> Site:
    """The site as it comes, with demo login."""
    return await open_site()


@pytest.fixture
async def real_site(tmp_path: Path) -> AsyncIterator[Site]:
    """The real assistant without a model behind the site, on a Monday morning, with the demo company."""
    from module.app import build
    from module.web.page import create_app

    settings = Settings.from_mapping({"llm": {"provider": "none"}, "store": {"data_dir": str(tmp_path)}}, {})
    bot = build(settings, clock=lambda: datetime(2026, 11, 30, 10, 0))
    app = create_app(bot, settings)
    async with running(app):
        yield Site(app, bot, ORIGIN)
