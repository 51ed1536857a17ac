"""Sites to test, closed again afterwards."""

from collections.abc import AsyncIterator, Callable
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
