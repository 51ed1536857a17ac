"""The company's own colour and logo, from [page] of config.ini."""

from pathlib import Path

from model.errors import ConfigError
from model.settings import Page

KINDS = (".svg", ".png", ".jpg", ".jpeg", ".webp")


def brand(page: Page) -> str:
    """The colour as a style sheet of one line; page.css takes every other shade from it."""
    return f"<style>:root, .gradio-container {{ --brand: {page.colour}; }}</style>"


def check(page: Page) -> None:
    """Raises ConfigError when the logo is no picture that can be read."""
    if page.logo and (Path(page.logo).suffix.lower() not in KINDS or not Path(page.logo).is_file()):
        raise ConfigError(f"[page] logo = {page.logo}：找不到這個圖檔，應為 {'、'.join(KINDS)} 檔案的路徑，或空白")
