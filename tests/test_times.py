"""The raw reading: phrases by what they mean on a frozen Monday, and phrases that mean nothing."""

import json
import subprocess
import sys
from datetime import date, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from module.understand.moon import LAST_YEAR, _far_moon, _far_term, moon, solar_term
from module.understand.normalise import clean, fold
from module.understand.rule import scan
from module.understand.rules.moon import FIRST_YEAR, TERMS
from module.understand.rules.raw import RAW
from module.understand.times import RULES, raw_reading

NOW = datetime(2026, 11, 30, 10, 0)
SHARED = Path(__file__).parents[2] / "shared"  # beside the project, where it is there at all

# Whole days: phrase, first day, the day after the last (month-day, of 2026 unless a year stands before it).
DAYS = """
今天要請假|11-30|12-01
隔天再說|12-01|12-02
本週五|12-04|12-05
下下禮拜二請假|12-15|12-16
下週要出國|12-07|12-14
下一週都不在|12-07|12-14
上上上星期|11-09|11-16
下週週三見|12-09|12-10
下週末|12-12|12-14
這個月|11-01|12-01
次月|12-01|2027-01-01
上上個月的單子|09-01|10-01
下個月初|12-01|12-06
下個月底|12-31|2027-01-01
月初|11-01|11-06
月底|11-30|12-01
月中|11-11|11-21
12月中|12-11|12-21
12月上旬|12-01|12-11
一月下旬|2027-01-21|2027-02-01
今年|01-01|2027-01-01
明年三月|2027-03-01|2027-04-01
後年五月|2028-05-01|2028-06-01
前年七月|2024-07-01|2024-08-01
去年五月|2025-05-01|2025-06-01
去年12月25號|2025-12-25|2025-12-26
民國116年二月三日|2027-02-03|2027-02-04
民國116年二月|2027-02-01|2027-03-01
116年二月|2027-02-01|2027-03-01
27年四月|2027-04-01|2027-05-01
2027年六月|2027-06-01|2027-07-01
2027-04|2027-04-01|2027-05-01
八月|2027-08-01|2027-09-01
十月份|10-01|11-01
明年第二季|2027-04-01|2027-07-01
下一季|2027-01-01|2027-04-01
明年上半年|2027-01-01|2027-07-01
十二月的第二個週五|12-11|12-12
明年一月最後一個星期三|2027-01-27|2027-01-28
明年第十天|2027-01-10|2027-01-11
今年倒數第二天|12-30|12-31
十二月的最後一天|12-31|2027-01-01
十二月最後三天|12-29|2027-01-01
下個月前五天|12-01|12-06
第三天|12-02|12-03
明年第四個月|2027-04-01|2027-05-01
十二月第三週|12-21|12-28
2027年第一週|2027-01-04|2027-01-11
2027年的前三週|2027-01-04|2027-01-25
今明兩天|11-30|12-02
明後天不在|12-01|12-03
明後大後三天|12-01|12-04
後天的接下來五天|12-02|12-07
12月24號後的第三天|12-27|12-28
12月24號前的第四天|12-20|12-21
大大後天|12-04|12-05
明天的大後天|12-04|12-05
元旦的前一天|12-31|2027-01-01
12月24號的五天前|12-19|12-20
12/24的兩週後|2027-01-07|2027-01-08
五天之後|12-05|12-06
三日後|12-03|12-04
兩個月前|09-30|10-01
三年前|2023-11-30|2023-12-01
一年半後|2028-05-30|2028-05-31
四禮拜以後|12-28|12-29
2026 12 8|12-08|12-09
12·8|12-08|12-09
12/8/2026|12-08|12-09
8-12-2026|12-08|12-09
12/8(二)|12-08|12-09
12月8號,星期二|12-08|12-09
週二,12/8|12-08|12-09
農曆二月初三|2027-03-10|2027-03-11
農曆2027年二月三日|2027-03-10|2027-03-11
二月初三|2027-03-10|2027-03-11
正月十六|2027-02-21|2027-02-22
臘月廿三|2027-01-30|2027-01-31
農曆二月|2027-03-08|2027-04-07
臘月|2027-01-08|2027-02-06
閏五月|2028-06-23|2028-07-22
母親節|2027-05-09|2027-05-10
明年的感恩節|2027-11-25|2027-11-26
下個中秋節|2027-09-15|2027-09-16
國曆新年|2027-01-01|2027-01-02
農曆年|2027-02-06|2027-02-07
年三十|2027-02-05|2027-02-06
五一|2027-05-01|2027-05-02
聖誕|12-25|12-26
雙十一|2027-11-11|2027-11-12
國慶|2027-10-10|2027-10-11
清明|2027-04-05|2027-04-06
愚人節|2027-04-01|2027-04-02
情人節|2027-02-14|2027-02-15
元宵|2027-02-20|2027-02-21
端午|2027-06-09|2027-06-10
重陽|2027-10-08|2027-10-09
臘八節|2027-01-15|2027-01-16
父親節|2027-08-08|2027-08-09
青年節|2027-03-29|2027-03-30
植樹節|2027-03-12|2027-03-13
軍人節|2027-09-03|2027-09-04
冬至|12-22|12-23
今年大寒|2027-01-20|2027-01-21
12/28到1/5|12-28|2027-01-06
下週一至下週四|12-07|12-11
10號~12號|12-10|12-13
1號到今天|11-01|12-01
上個月到下個月|10-01|2027-01-01
昨天至今天|11-29|12-01
12/7、12/8、12/9|12-07|12-10
整天|11-30|12-01
"""

# Moments and stretches of hours: phrase, start, end; an end or start left out is open or a point.
HOURS = """
明天三點|12-01 03:00|
明天下午三點半|12-01 15:30|
明天下午3:05|12-01 15:05|
15時20分|11-30 15:20|
九點一刻|11-30 09:15|
十一點零三分|11-30 11:03|
十點四十|11-30 10:40|
八點五分三十秒|11-30 08:05:30|
9:00:30|11-30 09:00:30|
5pm|11-30 17:00|
5:15p|11-30 17:15|
晚上7.45|11-30 19:45|
今晨五點|11-30 05:00|
中午十二點半|11-30 12:30|
中午一點|11-30 13:00|
後天中午|12-02 12:00|
明晚12點|12-02 00:00|
凌晨12點|11-30 00:00|
早9點|11-30 09:00|
週三晚8點|12-02 20:00|
12/16 下午兩點|12-16 14:00|
12-16 14:20|12-16 14:20|
2026-12-1614:20|12-16 14:20|
2026-12-16-14:20|12-16 14:20|
2026年12月1614:20|12-16 14:20|
12月16號要請假,下午四點|12-16 16:00|
下午四點 12/16|12-16 16:00|
05分|11-30 10:05|
現在|11-30 10:00|
兩小時後|11-30 12:00|
一個半小時前|11-30 08:30|
再過三個鐘頭|11-30 13:00|
一刻鐘後|11-30 10:15|
12月16號的30個小時後|12-17 06:00|
明天清晨|12-01 05:00|12-01 09:00
今天凌晨|11-30 00:00|11-30 06:00
12/16早上|12-16 06:00|12-16 12:00
下週一早上|12-07 06:00|12-07 12:00
後天下午|12-02 13:00|12-02 18:00
12月16號晚|12-16 18:00|12-17 00:00
12月16號早間|12-16 06:00|12-16 12:00
下午兩點到五點|11-30 14:00|11-30 17:00
早上五到七點|11-30 05:00|11-30 07:00
下午七八點|11-30 19:00|11-30 21:00
3點到5點pm|11-30 15:00|11-30 17:00
晚上11點到1點|11-30 23:00|12-01 01:00
22:30~次日06:10|11-30 22:30|12-01 06:10
昨天上午九點到今天下午三點|11-29 09:00|11-30 15:00
12/16 8點和12/18 10點之間|12-16 08:00|12-18 10:00
12/16 0900-1730|12-16 09:00|12-16 17:30
從現在到六點|11-30 10:00|11-30 18:00
12月9日零時至12月11日24時|12-09 00:00|12-12 00:00
十點以後|11-30 10:00|
明天九點起|12-01 09:00|
下午四點之前|11-30 00:00|11-30 16:00
12/16以前||12-16 00:00
還剩兩小時|11-30 10:00|11-30 12:00
上個小時|11-30 09:00|11-30 10:00
"""

HOUR, DAY = 3600, 86400
LENGTHS = {
    "兩個小時": 2 * HOUR, "2.5小時": 2.5 * HOUR, "一點五小時": 1.5 * HOUR, "三個半鐘頭": 3.5 * HOUR, "個半小時": 1.5 * HOUR,
    "兩個半鐘": 2.5 * HOUR, "45分鐘": 2700, "一分半鐘": 90, "2小時05分": 2 * HOUR + 300, "三小時零五分鐘": 3 * HOUR + 300,
    "三刻鐘": 2700, "四天": 4 * DAY, "兩日": 2 * DAY, "半天": DAY / 2, "3天5時": 3 * DAY + 5 * HOUR, "5天4夜": 5 * DAY,
    "三個工作天": 3 * DAY, "兩週": 14 * DAY, "一個星期又兩天": 9 * DAY, "兩個月": 60 * DAY, "半個月": 15 * DAY, "個半月": 45 * DAY,
    "一百二十分鐘": 2 * HOUR, "一天半": 1.5 * DAY,
}  # fmt: skip

NOTHING = """
每週三|每個月5號|2/30|11/31|2026-13-05|2026/02/30 10:00|明天25:00|九點七十五分|明天或後天|12/7還是12/9|12/8(三)|週四,12/8
3/12/5|3-12-5|24/7|繳 3000 元|打 0912345678|分機 1234|5樓會議室|考了50分|50分之一|百分之五|一人|兩張單子|三班|第一名|初次見面
月亮|年資|早退|晚到|起床|天氣|前往|後來|日本|點心|時段|半導體|分店|秒懂|季節|中心|底線|農曆|閏年|上面|下面|星期幾|幾點|多久|五一二
"""


def day(text: str) -> datetime:
    """A month and day of 2026, or with its year."""
    full = text if text[:2] == "20" else f"2026-{text}"
    return datetime.fromisoformat(full)


def rows(table: str) -> list[tuple[str, str, str]]:
    return [(one, two, three) for one, two, three in (line.split("|") for line in table.strip().splitlines())]


@pytest.mark.parametrize(("text", "first", "after"), rows(DAYS))
def test_whole_days_run_from_midnight_to_the_midnight_after(text: str, first: str, after: str) -> None:
    assert raw_reading(text, NOW)[:2] == (day(first), day(after))


@pytest.mark.parametrize(("text", "start", "end"), rows(HOURS))
def test_a_clock_time_is_a_point_and_two_are_a_stretch(text: str, start: str, end: str) -> None:
    assert raw_reading(text, NOW)[:2] == (day(start) if start else None, day(end) if end else None)


@pytest.mark.parametrize(("text", "seconds"), LENGTHS.items())
def test_a_length_alone_has_neither_start_nor_end(text: str, seconds: float) -> None:
    assert raw_reading(text, NOW) == (None, None, pytest.approx(seconds))


@pytest.mark.parametrize("text", [word for line in NOTHING.strip().splitlines() for word in line.split("|")])
def test_what_is_no_time_or_cannot_be_means_nothing(text: str) -> None:
    assert raw_reading(text, NOW) == (None, None, None)


def test_a_day_with_a_length_gives_both() -> None:
    assert raw_reading("12/16請兩小時", NOW) == (day("12-16"), day("12-17"), 2 * HOUR)
    assert raw_reading("請兩小時", NOW) == (None, None, 2 * HOUR)


def test_every_row_reads_one_of_these_phrases() -> None:
    texts = [row[0] for table in (DAYS, HOURS) for row in rows(table)] + list(LENGTHS)
    texts += [*TERMS, *NOTHING.replace("\n", "|").split("|")]
    read = {token.rule for text in texts for token in scan(fold(clean(text)), RULES)}
    assert sorted({rule.name for rule in RAW} - read) == []


def test_the_reference_moment_decides() -> None:
    assert raw_reading("下週三", datetime(2026, 12, 29))[0] == datetime(2027, 1, 6)
    assert raw_reading("2月29日", datetime(2027, 12, 1))[0] == datetime(2028, 2, 29)
    assert raw_reading("五分鐘後", datetime(2026, 12, 31, 23, 58))[0] == datetime(2027, 1, 1, 0, 3)


def test_simplified_and_full_width_writing_is_the_same() -> None:
    assert raw_reading("下周三下午２点半", NOW)[0] == day("12-09 14:30")
    assert raw_reading("4 月 2 日", NOW)[0] == day("2027-04-02")


# ---- whatever is written


PIECES = [row[0] for table in (DAYS, HOURS) for row in rows(table)] + list(LENGTHS)
PIECES += [*"到至~-、,或的前後起初底半零年月日號天週點分秒個上下這今明", "之間", "再過", "還剩", "每", " ", "\n"]


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join), st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31))
)
def test_no_mixture_ends_before_it_starts(text: str, ref: datetime) -> None:
    start, end, seconds = raw_reading(text, ref)
    assert start is None or end is None or start < end
    assert seconds is None or seconds >= 0


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60), st.datetimes())
def test_no_text_at_all_raises(text: str, ref: datetime) -> None:
    start, end, _ = raw_reading(text, ref)
    assert start is None or end is None or start < end


@pytest.mark.parametrize(
    "piece", ["一", "1", "1/", "12:", "初", "半", "個半", "到", "3天後", "週", "零", "閏", "年", "今明"]
)
def test_ten_thousand_hostile_characters_are_read_to_the_end(piece: str) -> None:
    raw_reading((piece * 10_000)[:10_000], NOW)


# ---- the tables of the moon


@pytest.mark.parametrize("year", [*range(FIRST_YEAR, LAST_YEAR + 1, 25), 1985, 2017, 2033, LAST_YEAR])
def test_the_moons_table_agrees_with_the_library(year: int) -> None:
    months = [*range(1, 13), *range(-12, 0)]
    assert all(moon(year, month, d) == _far_moon(year, month, d) for month in months for d in (1, 29, 30))
    assert [solar_term(name, year) for name in TERMS] == [_far_term(name, year) for name in TERMS]


def test_years_beyond_the_table_are_computed() -> None:
    assert moon(LAST_YEAR + 1, 1, 1) == date(2101, 1, 29)
    assert moon(9500, 1, 1) is None
    assert solar_term("冬至", 2150) == _far_term("冬至", 2150)
    assert solar_term("冬天", 2026) is None


# ---- other people's suites


@pytest.mark.skipif(
    not (SHARED / "corpus" / "public_time.jsonl").exists(), reason="the public expressions are not here"
)
@pytest.mark.parametrize(("chosen", "least"), [("leave", 0.97), ("tw", 0.98), ("all", 0.55)])
def test_public_expressions_are_read_as_their_sources_mean_them(chosen: str, least: float, tmp_path: Path) -> None:
    cases = SHARED / "corpus" / "public_time.jsonl"
    lines = []
    for line in cases.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        start, end, seconds = raw_reading(case["text"], datetime.fromisoformat(case["ref"]))
        values = {"start": start and start.isoformat(), "end": end and end.isoformat(), "duration_s": seconds}
        lines.append(json.dumps({"id": case["id"], **values}))
    readings = tmp_path / "readings.jsonl"
    readings.write_text("\n".join(lines), encoding="utf-8")
    score = [sys.executable, SHARED / "tools" / "score_times.py", cases, readings, "--set", chosen, "--min", str(least)]
    done = subprocess.run(score, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout[-600:]
