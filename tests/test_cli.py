"""The command line: what it prints, and one line with exit code 2 when something is set up wrong."""

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from module import cli

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "tests" / "corpus"
EIP = CORPUS / "eip.json"


def run(*words: str | Path, cwd: Path = ROOT, **environ: str) -> subprocess.CompletedProcess[str]:
    """A whole process, as a user starts it."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from module.cli import main; main()"
    settings = {"PATH": "/usr/bin:/bin", "LEAVEBOT_LLM_PROVIDER": "none", "PYTHONUTF8": "1", **environ}
    words_ = [str(word) for word in words]
    return subprocess.run(
        [sys.executable, "-c", code, *words_], cwd=cwd, env=settings, capture_output=True, text=True, check=False
    )


def complaint(*words: str | Path, cwd: Path = ROOT, **environ: str) -> str:
    """The one line on stderr of a run that must end with exit code 2."""
    done = run(*words, cwd=cwd, **environ)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stdout == ""
    return done.stderr


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def written(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


ROW: dict[str, object] = {
    "id": "d1",
    "employee": "E1024",
    "now": "2026-11-30T10:00",
    "turns": [{"say": "下週三要請特休"}, {"do": "confirm"}, {"do": "confirm_stale"}, {"do": "reset"}],
}


def test_a_broken_setting_ends_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "config.ini").write_text("[server]\nport = x\n", encoding="utf-8")
    assert "config.ini：[server] port" in complaint("serve", cwd=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["config.ini"]


@pytest.mark.parametrize("text", ["port = 1\n", "[server\n", "[a]\nx\n", "[server]\nport = 1\nport = 2\n"])
def test_a_config_file_of_the_wrong_form_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "broken.ini").write_text(text, encoding="utf-8")
    assert "broken.ini" in complaint("doctor", "--config", tmp_path / "broken.ini")


def test_a_missing_config_file_that_was_named_is_told(tmp_path: Path) -> None:
    assert "missing.ini" in complaint("doctor", cwd=tmp_path, LEAVEBOT_CONFIG="missing.ini")


def test_a_port_in_use_is_told_with_its_setting(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert port in complaint("serve", cwd=tmp_path, LEAVEBOT_SERVER_PORT=port)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"employe": "E1024"}, "employe"),
        ({"employee": "E9999"}, "E9999"),
        ({"now": "heute"}, "now"),
        ({"turns": [{"says": "x"}]}, "says"),
        ({"turns": [{"do": "jump"}]}, "do"),
        ({"turns": [{}]}, "say 與 do"),
        ({"turns": [{"say": "x", "eip": "asleep"}]}, "eip"),
    ],
)
def test_an_unknown_key_of_a_corpus_is_told_before_anything_is_printed(
    tmp_path: Path, change: dict[str, object], part: str
) -> None:
    error = complaint("replay", written(tmp_path / "c.jsonl", ROW, {**ROW, **change}), "--eip", EIP)
    assert "c.jsonl 第 2 行" in error
    assert part in error


def test_a_broken_company_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "eip.json").write_text("{}", encoding="utf-8")
    corpus = written(tmp_path / "c.jsonl", ROW)
    assert "eip.json" in complaint("replay", corpus, "--eip", tmp_path / "eip.json")
    assert "handbook" in complaint("replay", corpus, "--eip", EIP, "--handbook", tmp_path / "handbook")


def test_a_replay_prints_one_object_per_turn_and_writes_nothing(tmp_path: Path) -> None:
    corpus = written(tmp_path / "c.jsonl", ROW, {**ROW, "id": "d2"})
    done = run("replay", corpus, "--eip", EIP, "--jobs", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    turns = lines(done.stdout)
    assert [(turn["id"], turn["turn"]) for turn in turns] == [(name, n) for name in ("d1", "d2") for n in range(4)]
    assert [turn["outcome"] for turn in turns[:2]] == ["preview", "submitted"]
    first = turns[0]
    assert list(first) == ["id", "turn", "outcome", "also", "form", "hours", "reply", "llm_calls", "ms"]
    assert first["form"] == {
        "category": "特休假",
        "start": "2026-12-09 09:00",
        "end": "2026-12-09 18:00",
        "agent": "王小明",
        "memo": "休假",
        "event_date": None,
    }
    assert first["hours"] == 8
    assert [path.name for path in tmp_path.iterdir()] == ["c.jsonl"]


def test_times_prints_a_reading_for_every_line(tmp_path: Path) -> None:
    rows = written(tmp_path / "t.jsonl", {"id": "a", "ref": "2026-11-30T10:00:00", "text": "明天", "leave": True})
    done = run("times", rows)
    assert done.returncode == 0, done.stderr
    reading = lines(done.stdout)[0]
    assert list(reading) == ["id", "start", "end", "duration_s"]
    assert (reading["start"], reading["end"]) == ("2026-12-01T00:00:00", "2026-12-02T00:00:00")
    assert "t.jsonl" in complaint("times", written(tmp_path / "t.jsonl", {"id": "a"}))


def test_explain_shows_words_and_rule() -> None:
    done = run("explain", "下週三請特休", "--now", "2026-11-30T10:00:00")
    assert "下週三" in done.stdout, done.stderr


def test_chat_talks_in_the_terminal(tmp_path: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from module.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "chat", "--as", "irene.chen"],
        input="12/9請特休\n/重來\n",
        cwd=tmp_path,
        env={"LEAVEBOT_LLM_PROVIDER": "none", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "特休假" in done.stdout, done.stderr


def test_doctor_says_ok_or_what_to_do(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    done = run("doctor", cwd=tmp_path, LEAVEBOT_SERVER_PORT=port)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("ok ") == 6
    nowhere = {"LEAVEBOT_LLM_PROVIDER": "ollama", "LEAVEBOT_LLM_BASE_URL": "http://127.0.0.1:9"}
    done = run("doctor", cwd=tmp_path, LEAVEBOT_SERVER_PORT=port, LEAVEBOT_DESK_HANDBOOK="nowhere", **nowhere)
    assert done.returncode == 1
    assert "ollama serve" in done.stdout
    assert "!!  手冊" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_passwords_are_set_by_keyboard_and_short_ones_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    assert runner.invoke(cli.app, ["user", "add", "amy"], input="long enough\nlong enough\n").exit_code == 0
    assert runner.invoke(cli.app, ["user", "list"]).output == "amy\n"
    assert "long enough" not in (tmp_path / "data" / "accounts.json").read_text(encoding="utf-8")
    assert runner.invoke(cli.app, ["user", "passwd", "amy"], input="x\nx\n").exit_code != 0
