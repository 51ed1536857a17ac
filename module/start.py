"""What has to happen before anything else: library switches, settings from the file, the clock of Taipei."""

import os
import socket
import stat
from collections.abc import Mapping
from configparser import ConfigParser
from configparser import Error as NoConfig
from datetime import datetime, timedelta, timezone
from pathlib import Path

from model.errors import ConfigError
from model.settings import CONFIG_VARIABLE, Settings, secret_variables

# Read by the libraries when they are imported: nothing is reported to anybody, nothing is unpickled.
SWITCHES = {
    "GRADIO_ANALYTICS_ENABLED": "False",
    "HF_HUB_OFFLINE": "1",
    "LANGSMITH_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGGRAPH_STRICT_MSGPACK": "true",
}
TAIPEI = timezone(timedelta(hours=8))  # without summer time since 1979; needs no zone file


def set_switches() -> None:
    """Sets the environment switches; call it before langgraph, langchain or gradio is imported."""
    os.environ.update(SWITCHES)


def taipei_now() -> datetime:
    """Now in Taipei, without zone, whatever the server's zone is."""
    return datetime.now(TAIPEI).replace(tzinfo=None)


def read_settings(path: Path | None = None) -> Settings:
    """The settings of that file, of LEAVEBOT_CONFIG, or of ./config.ini where it exists; the environment wins.

    Raises ConfigError.
    """
    named = path or (Path(os.environ[CONFIG_VARIABLE]) if CONFIG_VARIABLE in os.environ else None)
    parser = ConfigParser(interpolation=None, default_section="")
    place = named or Path("config.ini")
    if named or place.exists():
        try:
            parser.read_string(place.read_text(encoding="utf-8"), source=str(place))
        except OSError as wrong:
            raise ConfigError(f"{place}：讀不到設定檔（{wrong.strerror}），請確認路徑與權限") from None
        except UnicodeDecodeError:
            raise ConfigError(f"{place}：不是 UTF-8 文字檔，請另存成 UTF-8") from None
        except NoConfig as wrong:
            reason = " ".join(str(wrong).split())
            raise ConfigError(f"{place}：格式不對（{reason}），請更正") from None
    try:
        sections = {name: dict(parser[name]) for name in parser.sections()}
        return Settings.from_mapping(sections, with_secret_files(os.environ))
    except ConfigError as wrong:
        raise ConfigError(f"{place}：{wrong}") from None


def with_secret_files(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment with every secret that is given as LEAVEBOT_…_FILE read from there.

    Raises ConfigError when the file cannot be read, others may read it, or the secret is given twice.
    """
    given = dict(environ)
    for variable in secret_variables():
        if path := given.pop(f"{variable}_FILE", ""):
            if variable in given:
                raise ConfigError(f"環境變數 {variable} 與 {variable}_FILE 只能給一個")
            given[variable] = _secret(f"環境變數 {variable}_FILE = {path}", Path(path))
    return given


def _secret(place: str, path: Path) -> str:
    try:
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise ConfigError(f"{place}：其他人也能讀這個檔案，請執行 chmod 600 {path}")
        return path.read_text(encoding="utf-8").strip()
    except OSError as wrong:
        raise ConfigError(f"{place}：讀不到（{wrong.strerror}），請確認路徑與權限") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{place}：不是 UTF-8 文字檔") from None


def require_free_port(host: str, port: int) -> None:
    """Raises ConfigError when the page could not be served there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as wrong:
        raise ConfigError(
            f"[server] {host}:{port}：不能使用（{wrong.strerror}），請關掉佔用的程式，或改 [server] port"
        ) from None
