"""The production profile starts only with strong settings; secrets come from the environment or from files of one's own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from model.errors import ConfigError
from model.settings import Settings
from module.profile import require_strong, weaknesses
from module.start import read_settings, with_secret_files

ROOT = Path(__file__).parents[2]


def strong(folder: Path) -> dict[str, dict[str, str]]:
    return {
        "server": {"profile": "production", "public_url": "https://leave.example.com"},
        "auth": {"mode": "password"},
        "store": {"kind": "sqlite", "data_dir": str(folder)},
        "eip": {"provider": "sqlite", "company": "company.json"},
        "llm": {"provider": "none"},
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "data"
    place.mkdir(mode=0o700)
    return place


def test_strong_settings_may_start(folder: Path) -> None:
    require_strong(Settings.from_mapping(strong(folder), {}))


@pytest.mark.parametrize(
    ("section", "change", "parts"),
    [
        ("auth", {"mode": "demo"}, ("[auth] mode", "password")),
        ("auth", {"session_hours": "48"}, ("[auth] session_hours", "24")),
        ("server", {"public_url": "http://leave.example.com"}, ("[server] public_url", "https://")),
        ("server", {"public_url": ""}, ("[server] public_url", "https://")),
        ("server", {"allowed_hosts": "*"}, ("[server] allowed_hosts", "*")),
        ("server", {"allowed_hosts": "a.example | *.example"}, ("[server] allowed_hosts", "*.example")),
        ("store", {"kind": "memory"}, ("[store] kind", "sqlite")),
        ("log", {"level": "debug"}, ("[log] level", "info")),
        ("eip", {"company": ""}, ("[eip] company",)),
        ("eip", {"provider": "http"}, ("[eip] api_key", "LEAVEBOT_EIP_API_KEY_FILE")),
        ("eip", {"provider": "http", "base_url": "http://eip.example"}, ("[eip] base_url", "https://")),
        ("eip", {"provider": "http", "filing_url": "http://eip.example/x"}, ("[eip] filing_url", "https://")),
    ],
)
def test_each_weakness_is_named_with_what_is_allowed(
    folder: Path, section: str, change: dict[str, str], parts: tuple[str, ...]
) -> None:
    sections = strong(folder)
    sections[section] = sections.get(section, {}) | change
    found = list(weaknesses(Settings.from_mapping(sections, {})))
    assert [line for line in found if all(part in line for part in parts)]
    with pytest.raises(ConfigError, match="production"):
        require_strong(Settings.from_mapping(sections, {}))
    sections["server"]["profile"] = "development"
    require_strong(Settings.from_mapping(sections, {}))


def test_a_key_is_not_sent_to_a_model_in_the_open(folder: Path) -> None:
    sections = strong(folder) | {"llm": {"provider": "openai", "base_url": "http://10.0.0.5:1234/v1", "allowed_hosts": "10.0.0.5|127.0.0.1"}}
    key = {"LEAVEBOT_LLM_API_KEY": "geheim"}
    found = list(weaknesses(Settings.from_mapping(sections, key)))
    assert any("[llm] base_url" in line for line in found) and not any("geheim" in line for line in found)
    sections["llm"]["base_url"] = "http://127.0.0.1:1234/v1"
    assert list(weaknesses(Settings.from_mapping(sections, key))) == []


def test_a_data_folder_that_others_may_read_is_refused(folder: Path) -> None:
    folder.chmod(0o750)
    with pytest.raises(ConfigError, match=f"chmod 700 {folder}"):
        require_strong(Settings.from_mapping(strong(folder), {}))


def run(folder: Path, *command: str, **environ: str) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **environ}
    code = "from module.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *command],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_weak_start_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    done = run(tmp_path, "serve", LEAVEBOT_SERVER_PROFILE="production", LEAVEBOT_SERVER_PORT="17999")
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "[server] profile = production" in line and "[auth] mode = demo" in line and "doctor" in line
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_lists_every_weakness_and_no_secret(tmp_path: Path) -> None:
    secret = tmp_path / "key"
    secret.touch(mode=0o600)
    secret.write_text("geheim-9\n", encoding="utf-8")
    done = run(
        tmp_path,
        "doctor",
        LEAVEBOT_SERVER_PROFILE="production",
        LEAVEBOT_LLM_PROVIDER="none",
        LEAVEBOT_EIP_API_KEY_FILE=str(secret),
    )
    assert done.returncode == 1
    assert len([line for line in done.stdout.splitlines() if "正式環境" in line]) >= 4
    assert "geheim" not in done.stdout + done.stderr


def test_a_secret_is_read_from_a_file_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = tmp_path / "key"
    secret.touch(mode=0o600)
    secret.write_text("geheim\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LEAVEBOT_EIP_API_KEY_FILE", str(secret))
    settings = read_settings()
    assert settings.eip.api_key == "geheim"
    assert "geheim" not in repr(settings) + str(settings)


@pytest.mark.parametrize(
    ("mode", "more", "part"),
    [
        (0o640, {}, "chmod 600"),
        (0o604, {}, "chmod 600"),
        (0o600, {"LEAVEBOT_EIP_API_KEY": "x"}, "只能給一個"),
        (None, {}, "讀不到"),
    ],
)
def test_a_secret_file_that_is_open_missing_or_one_too_many_is_refused(
    tmp_path: Path, mode: int | None, more: dict[str, str], part: str
) -> None:
    secret = tmp_path / "key"
    if mode is not None:
        secret.write_text("geheim", encoding="utf-8")
        secret.chmod(mode)
    with pytest.raises(ConfigError, match=part) as error:
        with_secret_files({"LEAVEBOT_EIP_API_KEY_FILE": str(secret), **more})
    assert "geheim" not in str(error.value)


def test_a_secret_in_the_settings_file_is_refused_and_not_repeated(tmp_path: Path) -> None:
    (tmp_path / "config.ini").write_text("[eip]\napi_key = geheim\n", encoding="utf-8")
    done = run(tmp_path, "doctor")
    assert done.returncode == 2
    assert "LEAVEBOT_EIP_API_KEY" in done.stderr and "_FILE" in done.stderr and "geheim" not in done.stderr


def test_what_the_program_writes_only_its_owner_may_read(tmp_path: Path) -> None:
    done = run(tmp_path, "eip", "approve", "WF0")
    assert done.returncode == 1, done.stderr
    written = list(tmp_path.rglob("*"))
    assert written
    assert [path for path in written if path.stat().st_mode & 0o077] == []
