"""The rows of rules: names, a sentence each, patterns that cannot run away, and nothing that breaks the reading."""

import asyncio
import functools
import importlib
import json
import pkgutil
import re
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import module.understand.rules
from model.company import Employee
from model.worktime import WorkCalendar
from module.eip.company_file import load_company
from module.eip.sqlite import SqliteEip
from module.understand.days import festival
from module.understand.lexicon import Lexicon
from module.understand.normalise import clean, fold
from module.understand.read import Situation, understand
from module.understand.rule import Rule, scan
from module.understand.rules import clock, days, kinds, kinship
from module.understand.rules.days import NAMES
from module.understand.spans import MOST as MOMENTS

CORPUS = Path(__file__).parent / "corpus"
FILES: dict[str, ModuleType] = {
    info.name: importlib.import_module(f"module.understand.rules.{info.name}")
    for info in pkgutil.iter_modules(module.understand.rules.__path__)
}
TIME: tuple[Rule, ...] = (*days.NOT_DAYS, *days.DAYS, *clock.TIMES)
NOT_HERE: frozenset[str] = getattr(FILES.get("raw"), "NOT_HERE", frozenset())
RAW: tuple[Rule, ...] = (*getattr(FILES.get("raw"), "RAW", ()), *(rule for rule in TIME if rule.name not in NOT_HERE))
TOGETHER = (TIME, RAW, kinds.WHOLE, kinds.SENTENCE, kinship.KIN)

# What no corpus says: a phrase for each of the rows that are left.
PHRASES = """
今年12月30號請特休|上個月20號補請病假|下個月最後一天請特休|下個月最後兩個工作天請特休|新年請特休|春節請特休|大年初一請特休|過年請特休
小年夜請特休|元宵節請特休|和平紀念日請特休|二二八請特休|228請特休|婦女節請特休|兒童節請特休|七夕請特休|中元節請特休|教師節請特休
重陽節請特休|光復節請特休|萬聖節請特休|情人節請特休|父親節請特休|christmas eve 請特休|christmas 請特休|兩週前的特休補請|三個工作天前的特休補請
凌晨肚子痛|兩小時半的特休|2.5小時的特休|算了吧|成績是 3/12/5|結婚週年要慶祝|今明兩天請特休|明後天請特休|9點30到11點30請特休
除夕前兩天請特休|元旦後兩天請特休|12/9，前兩天也請|12/9，後三天也請
"""
RAW_PHRASES = """
後年三月、前年五月|2026年的春天，98年夏天|民國115年、114年三月|2026-12 那個月|下個月初|下週禮拜三|下下個禮拜的禮拜三|第二個星期三
第三週開始、第二個月結束|12月上旬到1月下旬|後的第三天|大大後天|12·25 放假|2026 12 25 見|12/25/2026 見|2026-13-05 見
2026-12-30 14:30 見，2026-12-3014:30|2026年12月3014:30|農曆八月十五、農曆八月|正月十五、十二月廿三、臘月、閏六月、閏六月初一|閏六月
愚人節母親節感恩節五一雙十一青年節植樹節軍人節臘八|立春 雨水 驚蟄 春分 穀雨 立夏 小滿 芒種 夏至 小暑 大暑 立秋
處暑 白露 秋分 寒露 霜降 立冬 小雪 大雪 冬至 小寒 大寒|下午七八點，下午3.30，下午2-4點|今晨，清晨出門
兩日、百日、三日後、三天兩夜、一個半鐘、個半小時、個半月、三天5時、3小時20分、一刻鐘|兩點到三點之間，再過三天，上個小時
12月中、12月底|下一季、第二季|上半年|25-12-2026 見|三年後、五年前|會議在 45分|明後天、今明兩天
"""
LONG, SHORT, MOST = 10_000, 500, 40.0
# These are matched against slices of sixteen characters at most.
A_FEW_CHARACTERS = ("kinds.EVENT_BEFORE", "kinds.EVENT_AFTER")
HOSTILE = (
    "一", "1", "1/", "12/", "12:", "2026-", "週", "到", "~", "-", "請", " ", "a", "to ", "代理人", "不是", "因為", "幫",
    "「", ">", "\n", "請假", "個半", "今明", "民國一百", "十", "爸", "登記", "mon", "wf1", "早上9點", "\0",
)  # fmt: skip


def rows(file: ModuleType) -> dict[int, Rule]:
    """All rules that a file holds, by identity: a row stands in several tuples."""
    tuples = [value for value in vars(file).values() if isinstance(value, tuple)]
    return {id(rule): rule for value in tuples for rule in value if isinstance(rule, Rule)}


RULES: dict[str, list[Rule]] = {name: list(rows(file).values()) for name, file in FILES.items()}
ALL = [rule for found in RULES.values() for rule in found]


def said() -> Iterator[str]:
    """Every sentence of the corpora and of the tables above."""
    for path in [*CORPUS.glob("dev*.jsonl"), *CORPUS.glob("phrases*.jsonl")]:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield from (
                [row["text"]] if "text" in row else [turn["say"] for turn in row.get("turns", ()) if "say" in turn]
            )
    yield from re.split(r"[|\n]", PHRASES + RAW_PHRASES)


def test_every_rule_has_a_name_of_its_own() -> None:
    assert [name for name, times in Counter(rule.name for rule in ALL).items() if times > 1] == []


def test_every_rule_reads_a_sentence() -> None:
    texts = [fold(clean(text)) for text in said()]
    read = {token.rule for text in texts for rules in TOGETHER for token in scan(text, rules)}
    assert sorted({rule.name for rule in ALL} - read) == []


# ---- patterns


def patterns() -> dict[str, re.Pattern[str]]:
    """Every pattern of the rule files, rows and plain ones, by where it stands."""
    found = {f"{rule.name}": rule.compiled for rule in ALL}
    for file, held in FILES.items():
        for name, value in vars(held).items():
            group = value if isinstance(value, tuple) else (value,)
            found |= {f"{file}.{name}[{n}]": one for n, one in enumerate(group) if isinstance(one, re.Pattern)}
            found |= {
                f"{file}.{name}[{one[0]}]": re.compile(one[1])
                for one in group
                if isinstance(one, tuple) and len(one) == 3
            }
    return found


PATTERNS = patterns()
_PARSER: Any = importlib.import_module("re._parser")
_NEVER_ENDING: Any = importlib.import_module("re._constants").MAXREPEAT


def repeats(parsed: Any, inside: bool = False) -> Iterator[bool]:
    """For each repeat without an upper bound: whether it stands inside another such one."""
    for operation, argument in parsed:
        name = str(operation)
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            open_end = argument[1] is _NEVER_ENDING
            if open_end:
                yield inside
            yield from repeats(argument[2], inside or open_end)
        elif name == "BRANCH":
            for branch in argument[1]:
                yield from repeats(branch, inside)
        elif name in ("SUBPATTERN", "ASSERT", "ASSERT_NOT", "ATOMIC_GROUP"):
            yield from repeats(argument[-1], inside)


@pytest.mark.parametrize("where", sorted(PATTERNS))
def test_no_unbounded_repeat_stands_inside_another(where: str) -> None:
    pattern = PATTERNS[where]
    assert not any(repeats(_PARSER.parse(pattern.pattern, pattern.flags & ~re.UNICODE)))


def took(work: Callable[[], object]) -> float:
    """Seconds of the processor."""
    began = time.process_time()
    work()
    return time.process_time() - began


def ratio(read: Callable[[str], object], piece: str) -> float:
    """How many times longer 10,000 characters take than 500; very short ones count as half a millisecond."""
    short, long = ((piece * size)[:size] for size in (SHORT, LONG))
    least = min(took(lambda: read(short)) for _ in range(3))
    return took(lambda: read(long)) / max(least, 0.0005)


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_scan_is_about_linear_in_the_text(piece: str) -> None:
    def read(text: str) -> None:
        for rules in TOGETHER:
            scan(text, rules)

    assert any(ratio(read, piece) <= MOST for _ in range(5))


@pytest.mark.parametrize("piece", HOSTILE)
def test_every_pattern_is_about_linear_in_the_text(piece: str) -> None:
    reading = {where: pattern.findall for where, pattern in PATTERNS.items() if not where.startswith(A_FEW_CHARACTERS)}
    slow = {where: read for where, read in reading.items() if ratio(read, piece) > MOST}
    assert sorted(where for where, read in slow.items() if not any(ratio(read, piece) <= MOST for _ in range(4))) == []


# ---- mixtures

WORDS = sorted({part for text in said() for part in re.findall(r"\d+|[A-Za-z]+|[\u4e00-\u9fff]{1,3}|[^\w\s]", text)})
WORDS += [
    "12/30",
    "下週三",
    "特休",
    "代理人",
    "王小明",
    "因為",
    "不是",
    "改成",
    "9點",
    "25:99",
    "2/30",
    "到",
    "\n",
    " ",
    "「",
    "民國",
    "每週",
]
ASKED = ("", "ask_time", "ask_memo", "ask_agent", "ask_category", "ask_event_date", "ask_half_day", "preview")
NOWS = ("2026-11-30T10:00", "2026-12-04T18:20", "2026-12-31T17:30", "2027-02-01T09:00", "2028-02-29T23:59")


@functools.cache
def around(number: str) -> tuple[Employee, WorkCalendar, Lexicon]:
    """An employee, the calendar, and the words that come along."""
    company = load_company(CORPUS / "eip.json")
    eip = SqliteEip.open(None, company, lambda: datetime(2026, 11, 30, 10, 0))
    found = asyncio.run(eip.employee(company.by_id[number].account)), asyncio.run(eip.calendar(2026))
    eip.close()
    return *found, Lexicon.of(tomllib.loads(files("module.words").joinpath("lexicon.toml").read_text(encoding="utf-8")))


mixtures = st.lists(st.sampled_from(WORDS), max_size=25).map("".join)


@settings(max_examples=400, deadline=None)
@given(
    mixtures, st.sampled_from(NOWS), st.sampled_from(("E1024", "E2001", "E3001")), st.sampled_from(ASKED), st.booleans()
)
def test_no_mixture_of_words_breaks_the_reading(text: str, now: str, who: str, asked: str, is_open: bool) -> None:
    known = Situation(open=is_open, asked=asked, category="喪假" if is_open else None, event=is_open)
    meaning = understand(clean(text), datetime.fromisoformat(now), *around(who), known)
    for found in meaning.found:
        assert 0 <= found.start <= found.end <= len(meaning.text)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=120))
def test_no_text_at_all_breaks_the_reading(text: str) -> None:
    understand(clean(text), datetime.fromisoformat(NOWS[0]), *around("E1024"))


def test_a_text_of_hundreds_of_times_costs_no_hundreds_of_wishes() -> None:
    meaning = understand(
        clean("下週三請特休,代理人王小明,12/30下午請事假," * 200), datetime.fromisoformat(NOWS[0]), *around("E1024")
    )
    assert 1 < len(meaning.wishes) <= MOMENTS


@pytest.mark.parametrize("name", sorted({*NAMES.values(), "初一", "初二", "初三", "初四", "初五", "初六"}))
def test_every_named_festival_has_its_day_every_year(name: str) -> None:
    assert all(festival(name, year).year in (year, year + 1) for year in range(2024, 2034))
