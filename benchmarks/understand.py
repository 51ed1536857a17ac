"""Our readings beside jionlp's on the same public time expressions: how many are right, how long each takes.

    python -m benchmarks.understand CASES.jsonl [--jionlp PYTHON]

CASES: one object a line with id, ref, text, leave and expect, as `tools/score_times.py` reads them; that script scores.
jionlp runs in an environment of its own (`make bench-understand` makes it) and gets the text in Simplified characters,
which it was written for; its answers are turned into the same form. Every message is read ROUNDS times, its median counts.
"""

import argparse
import collections
import importlib.util
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import Any

from model.company import Employee
from model.worktime import WorkCalendar

ROUNDS, LONG, SHORT = 5, 10_000, 500
NOW = datetime(2026, 11, 30, 10, 0)
CORPUS = Path(__file__).parent.parent / "tests" / "corpus"
Case = dict[str, Any]


def timed(read: Callable[[], object]) -> float:
    """Milliseconds of one reading: the median of all rounds."""
    spent = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        read()
        spent.append((time.perf_counter() - started) * 1000)
    return statistics.median(spent)


def ours(cases: Sequence[Case]) -> tuple[list[Case], list[float]]:
    """Raw readings and what each took."""
    from module.understand.times import raw_reading

    readings, spent = [], []
    for case in cases:
        ref = datetime.fromisoformat(case["ref"])
        start, end, seconds = raw_reading(case["text"], ref)
        values = {"start": start and start.isoformat(), "end": end and end.isoformat(), "duration_s": seconds}
        readings.append({"id": case["id"], **values})
        spent.append(timed(lambda text=case["text"], ref=ref: raw_reading(text, ref)))  # type: ignore[misc]
    return readings, spent


def theirs(cases: Sequence[Case], python: Path) -> tuple[list[Case], list[float]]:
    """jionlp's readings and times, read by the script beside this one in its own environment."""
    from opencc import OpenCC

    simplified = OpenCC("t2s")
    lines = [{"id": c["id"], "ref": c["ref"], "text": simplified.convert(c["text"]), "rounds": ROUNDS} for c in cases]
    script = Path(__file__).with_name("jionlp_readings.py")
    done = subprocess.run(
        [python, script],
        input="\n".join(map(json.dumps, lines)),
        capture_output=True,
        text=True,
        timeout=1800,
        check=True,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return rows, [row.pop("ms") for row in rows]


def meaning_of() -> Callable[[str], object]:
    """The whole understanding of a message, for an employee of the sample company."""
    import asyncio
    import tomllib
    from importlib import resources

    from module.eip.company_file import load_company
    from module.eip.sqlite import SqliteEip
    from module.understand.lexicon import Lexicon
    from module.understand.normalise import clean
    from module.understand.read import understand

    company = load_company(CORPUS / "eip.json")
    eip = SqliteEip.open(None, company, lambda: NOW)
    who: Employee = asyncio.run(eip.employee("irene.chen"))
    calendar: WorkCalendar = asyncio.run(eip.calendar(NOW.year))
    eip.close()
    words = resources.files("module.words").joinpath("lexicon.toml").read_text(encoding="utf-8")
    lexicon = Lexicon.of(tomllib.loads(words))
    return lambda text: understand(clean(text), NOW, who, calendar, lexicon)


def scorer(cases: Path) -> ModuleType:
    """The scoring script that lies in `tools` beside the corpus's folder."""
    path = cases.resolve().parent.parent / "tools" / "score_times.py"
    spec = importlib.util.spec_from_file_location("score_times", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def by_kind(
    cases: Sequence[Case], readings: Sequence[Case], right: Callable[[Case, Case], bool]
) -> dict[str, list[int]]:
    """Right and all, by kind of expression."""
    found: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])
    for case, reading in zip(cases, readings, strict=True):
        for kind in (case["expect"]["kind"], "together"):
            found[kind][0] += right(case["expect"], reading)
            found[kind][1] += 1
    return found


def speed(name: str, spent: Sequence[float]) -> float:
    """Prints median and p99 of one engine, gives the median."""
    median, p99 = statistics.median(spent), statistics.quantiles(spent, n=100)[98]
    print(f"{name:<18} median {median:8.3f} ms   p99 {p99:8.3f} ms   p99 / median {p99 / median:5.1f}  (at most 5)")
    return median


def growth(name: str, read: Callable[[str], object]) -> None:
    """Prints how much longer 10,000 characters take than 500."""
    sentence = "下週三下午兩點到四點要請特休,因為12/30要去看醫生,代理人王小明"
    for what, end in (("sentences", "。"), ("one sentence", ",")):
        text = (sentence + end) * LONG
        ratio = timed(lambda text=text: read(text[:LONG])) / timed(lambda text=text: read(text[:SHORT]))  # type: ignore[misc]
        print(f"{name:<18} {LONG:,} / {SHORT} characters, {what}: {ratio:5.1f} times as long  (at most 20)")


def main() -> None:
    """Reads, scores, measures, prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("cases", type=Path)
    parser.add_argument("--jionlp", type=Path, default=Path(".venv-bench/bin/python"))
    args = parser.parse_args()
    if not args.cases.exists():
        sys.exit(f"no such file: {args.cases} (give one with CASES=…)")
    from module.understand.times import raw_reading

    cases = [json.loads(line) for line in args.cases.read_text(encoding="utf-8").splitlines() if line.strip()]
    right = scorer(args.cases).right
    understand = meaning_of()
    (mine, my_times), (other, other_times) = ours(cases), theirs(cases, args.jionlp)
    for name, kept in (("leave", [case["leave"] for case in cases]), ("all", [True] * len(cases))):
        chosen, a, b = ([row for row, keep in zip(rows, kept, strict=True) if keep] for rows in (cases, mine, other))
        a_kinds, b_kinds = by_kind(chosen, a, right), by_kind(chosen, b, right)
        print(f"{name + ', right':<18} {'ours':>12} {'jionlp':>12} {'of':>6}")
        for kind in sorted(a_kinds):
            (good, total), (their_good, _) = a_kinds[kind], b_kinds[kind]
            print(f"  {kind:<16} {good / total:12.1%} {their_good / total:12.1%} {total:6}")
    median = speed("raw_reading", my_times)
    whole = speed("understand", [timed(lambda text=case["text"]: understand(text)) for case in cases])  # type: ignore[misc]
    reference = speed("jionlp", other_times)
    print(f"raw_reading / jionlp {median / reference:.2f}, understand / jionlp {whole / reference:.2f}  (at most 2)")
    growth("raw_reading", lambda text: raw_reading(text, NOW))
    growth("understand", understand)


if __name__ == "__main__":
    main()
