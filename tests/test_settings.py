"""Settings: defaults, overrides, and errors that say where and what."""

from configparser import ConfigParser
from itertools import pairwise
from pathlib import Path

import pytest

from model.errors import ConfigError
from model.settings import Settings

ROOT = Path(__file__).parents[1]


def written() -> dict[str, dict[str, str]]:
    parser = ConfigParser(interpolation=None)
    parser.read_string((ROOT / "config.ini").read_text(encoding="utf-8"))
    return {name: dict(parser[name]) for name in parser.sections()}


def test_config_ini_holds_every_setting_with_its_default() -> None:
    assert Settings.from_mapping(written(), {}) == Settings()
    for name, section in Settings():
        assert set(written()[name]) == set(type(section).model_fields) - type(section).SECRETS


def test_every_setting_in_config_ini_has_a_comment_line_above_it() -> None:
    lines = (ROOT / "config.ini").read_text(encoding="utf-8").splitlines()
    for above, line in pairwise(lines):
        if "=" in line and not line.startswith("#"):
            assert above.startswith("#"), line


def test_the_environment_wins_over_the_file() -> None:
    settings = Settings.from_mapping({"server": {"port": "8000"}}, {"LEAVEBOT_SERVER_PORT": "9000", "HOME": "/"})
    assert settings.server.port == 9000


def test_lists_are_split_at_bars() -> None:
    assert Settings.from_mapping({"page": {"examples": "甲 | 乙|"}}, {}).page.examples == ("甲", "乙")


def test_a_secret_comes_from_the_environment_only_and_is_never_printed() -> None:
    settings = Settings.from_mapping({}, {"LEAVEBOT_LLM_API_KEY": "geheim"})
    assert settings.llm.api_key == "geheim"
    assert "geheim" not in repr(settings)
    with pytest.raises(ConfigError, match="LEAVEBOT_LLM_API_KEY"):
        Settings.from_mapping({"llm": {"api_key": "geheim"}}, {})


@pytest.mark.parametrize(
    ("sections", "environ", "parts"),
    [
        ({"sever": {}}, {}, ("[sever]", "server")),
        ({"server": {"prot": "1"}}, {}, ("[server] prot", "port")),
        ({"server": {"port": "viele"}}, {}, ("[server] port", "viele", "65535")),
        ({"server": {"port": "70000"}}, {}, ("[server] port", "70000", "65535")),
        ({"llm": {"provider": "skynet"}}, {}, ("[llm] provider", "ollama")),
        ({"llm": {"base_url": "localhost"}}, {}, ("[llm] base_url", "http")),
        ({}, {"LEAVEBOT_POLICY_ROUNDS": "0"}, ("LEAVEBOT_POLICY_ROUNDS", "1 到 10")),
        ({}, {"LEAVEBOT_POLICY_ROUND": "3"}, ("LEAVEBOT_POLICY_ROUND", "沒有這個設定")),
    ],
)
def test_a_mistake_names_the_place_and_what_is_allowed(
    sections: dict[str, dict[str, str]], environ: dict[str, str], parts: tuple[str, ...]
) -> None:
    with pytest.raises(ConfigError) as error:
        Settings.from_mapping(sections, environ)
    assert all(part in str(error.value) for part in parts)


def test_settings_are_frozen() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().server.port = 1  # type: ignore[misc]  # that is the point


@pytest.mark.parametrize(("key", "value"), [("colour", "#ffcc00"), ("colour", "blue"), ("colour", "#12345")])
def test_a_colour_on_which_white_words_cannot_be_read_is_refused(key: str, value: str) -> None:
    with pytest.raises(ConfigError, match=r"\[page\] colour = .*對比"):
        Settings.from_mapping({"page": {key: value}}, {})
