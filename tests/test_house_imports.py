"""The house's own rules, guarded by a machine: who may import whom, and what may not stand in the project."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted([*ROOT.glob("model/**/*.py"), *ROOT.glob("module/**/*.py")])
PORTS = {"module.llm.port", "module.eip.port", "module.web.port"}
ROOTS = ("app", "cli", "web", "doctor", "replay", "terminal")
LEAVES = ("understand", "leave", "handbook", "desk", "llm", "eip", "words")
# Who may import which part of module/ besides itself, `module.words`, ports and `module.logs`.
ALLOWED = {
    **{part: set() for part in LEAVES},
    "eip": {"database"},
    "handbook": {"llm"},
    "desk": {"llm", "database"},
    "nodes": {"understand", "leave", "handbook", "desk", "llm", "eip", "store"},
    "graph": {"nodes", "store"},
    "turn": {"nodes"},  # what a run of the graph left behind, as a value
    "filing": {"eip"},  # the outbox as one conversation sees it
    "store": {"database"},
    "conversations": {"database"},
    "database": set(),
    "profile": set(),
    "export": {"eip"},
    "start": set(),
    "logs": set(),
}
ONE_SET_OF_LEAVE_RULES = ("module/eip", "leave")


def imported(path: Path) -> Iterator[str]:
    """Every module a file imports, also inside functions, but not for type checking alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            yield from (
                f"{node.module}.{name.name}" if (ROOT / node.module.replace(".", "/")).is_dir() else node.module
                for name in node.names
            )


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", [p for p in SOURCES if place(p).startswith("model/")], ids=place)
def test_model_imports_the_standard_library_and_pydantic_only(path: Path) -> None:
    for name in imported(path):
        top = name.split(".")[0]
        assert top in sys.stdlib_module_names | {"pydantic", "pydantic_core", "model"}, name


@pytest.mark.parametrize("path", [p for p in SOURCES if place(p).startswith("module/")], ids=place)
def test_imports_run_one_way(path: Path) -> None:
    part = path.relative_to(ROOT / "module").parts[0].removesuffix(".py")
    if part in ROOTS or part == "__init__":
        return
    allowed = ALLOWED[part] | ({"leave"} if place(path).startswith(ONE_SET_OF_LEAVE_RULES[0]) else set())
    for name in imported(path):
        pieces = name.split(".")
        if pieces[0] != "module" or len(pieces) < 2 or ".".join(pieces[:3]) in PORTS:
            continue
        assert pieces[1] in {part, "words", "logs"} | allowed, f"{place(path)} imports {name}"


def test_only_the_roots_import_app() -> None:
    for path in SOURCES:
        if "module.app" in imported(path):
            part = path.relative_to(ROOT / "module").parts[0].removesuffix(".py")
            assert part in ROOTS, place(path)


def test_whatever_is_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    declared = {
        re.split(r"[\[<>=]", line)[0].lower().replace("_", "-")
        for line in [*project["dependencies"], *extras["postgres"], *extras["xlsx"]]
    }
    known = packages_distributions()
    for path in SOURCES:
        for top in {name.split(".")[0] for name in imported(path)} - sys.stdlib_module_names - {"model", "module"}:
            # A package that belongs to an extra need not be installed; what is installed must be declared.
            owners = {owner.lower().replace("_", "-") for owner in known.get(top, [])}
            assert not owners or owners & declared, f"{place(path)}: {top}"


@pytest.mark.parametrize("name", ["module.cli", "module.app", "module.replay", "module.llm.choose"])
def test_importing_brings_in_neither_gradio_nor_a_model_client(name: str) -> None:
    found = ast.literal_eval(
        subprocess.run(
            [sys.executable, "-c", f"import sys, {name}; print(sorted(set(sys.modules) & {set(HEAVY)!r}))"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )
    assert found == []


HEAVY = ("gradio", "langchain_ollama", "pandas", "openai")


def tracked() -> list[Path]:
    """The files of the repository, or of the folder where there is no git."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    names = listing.stdout.split("\0") if listing.returncode == 0 else [place(path) for path in SOURCES]
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def test_no_file_names_a_package_host_or_a_folder_of_somebodys_machine() -> None:
    # Put together here, so that this file does not hold what it looks for.
    banned = re.compile(
        "|".join(["pypi" + r"\.org", "pythonhosted" + r"\.", "/work" + "/", "/root" + "/", "/opt/" + "pypi"])
    )
    for path in tracked():
        text = path.read_text(encoding="utf-8", errors="ignore")
        assert not banned.search(text), f"{place(path)}: {banned.search(text)}"


def test_the_lock_holds_hashes_and_no_address() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert not re.search(r"https?:|file:|--index|--find-links", lock)
    assert all("==" in line and line.endswith("\\") for line in lock.splitlines() if line and line[0].isalnum())


def test_confirming_is_never_a_text() -> None:
    marker = "LeaveForm" + "Submit"
    for path in SOURCES:
        if path.name != "older.py":  # reads what older models answer, and takes it for nothing
            assert marker not in path.read_text(encoding="utf-8"), place(path)


def test_nothing_is_left_open_in_the_code() -> None:
    words = re.compile("|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "NotImplemented" + "Error"]))
    for path in SOURCES:
        assert not words.search(path.read_text(encoding="utf-8")), place(path)


def test_data_files_are_valid_json() -> None:
    for path in ROOT.glob("module/**/*.json"):
        json.loads(path.read_text(encoding="utf-8"))
