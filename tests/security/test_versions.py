"""What is installed: exact, hashed, above the lowest safe versions, and never used to decode an upload."""

import re
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FLOORS = [
    line.split("\t")[:2]
    for line in (ROOT / "tests" / "corpus" / "version_floors.tsv").read_text(encoding="utf-8").splitlines()[1:]
]


def parts(number: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", number)[:4])


def locked() -> dict[str, tuple[str, int]]:
    """Name → version and how many hashes."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    blocks = re.findall(
        r"^([A-Za-z0-9_.-]+)==(\S+) \\\n((?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", text, re.MULTILINE
    )
    assert len(blocks) == text.count("==")
    return {name.lower(): (number, hashes.count("--hash")) for name, number, hashes in blocks}


@pytest.mark.parametrize(("package", "floor"), FLOORS, ids=[package for package, _ in FLOORS])
def test_CF_04_no_locked_version_is_below_its_safe_floor(package: str, floor: str) -> None:
    number, hashes = locked().get(package, (floor, 1))
    assert parts(number) >= parts(floor), f"{package} {number}: make lock"
    assert hashes


def test_CF_04_whatever_is_installed_must_match_its_hash_and_an_audit_of_nothing_fails() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (install,) = re.findall(r"pip install .*requirements\.lock", makefile)
    assert "--require-hashes" in install and "--no-deps" in install  # what is not in the lock does not come in
    (audit,) = re.findall(r"pip-audit .*requirements\.lock", makefile)
    assert "--strict" in audit


def test_what_an_override_allows_is_in_the_lock() -> None:
    lines = (ROOT / "overrides.in").read_text(encoding="utf-8").splitlines()
    for line in (line for line in lines if not line.startswith("#")):
        name, least = re.match(r"([a-z0-9-]+)>=([\d.]+)", line).groups()  # type: ignore[union-attr]
        assert parts(locked()[name][0]) >= parts(least), "make lock"


def test_no_code_of_ours_can_decode_a_picture() -> None:
    for path in [*ROOT.glob("model/**/*.py"), *ROOT.glob("module/**/*.py")]:
        assert not re.search(
            r"\b(PIL|Pillow|cv2|imageio|gr\.(Image|Gallery|AnnotatedImage))\b", path.read_text(encoding="utf-8")
        ), path


def test_this_python_and_its_gradio_are_what_the_lock_says() -> None:
    assert sys.version_info >= (3, 11)
    assert parts(version("gradio")) == parts(locked()["gradio"][0])
