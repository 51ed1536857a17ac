"""Days of the moon's calendar and the solar terms: from tables, outside their years by lunar-python."""

from datetime import date, timedelta
from functools import lru_cache

from module.understand.rules.moon import EARLIEST, FIRST_YEAR, LATER, MOONS, TERMS

LAST_YEAR = FIRST_YEAR + len(MOONS) - 1
SIMPLIFIED = str.maketrans("驚蟄穀滿種處", "惊蛰谷满种处")


def moon(year: int, month: int, day: int) -> date | None:
    """The day of that lunar date (a negative month is the leap one), or None where that year lacks it."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return _far_moon(year, month, day)
    table = MOONS[year - FIRST_YEAR]
    leap, lengths = table >> 6 & 15, table >> 10
    index = abs(month) - 1 + (month < 0 or 0 < leap < month)  # months before it, the leap one counted
    if (month < 0 and -month != leap) or not 1 <= day <= 29 + (lengths >> index & 1):
        return None
    before = 29 * index + (lengths & (1 << index) - 1).bit_count()
    return date(year, 1, 1) + timedelta(days=(table & 63) + before + day - 1)


@lru_cache(maxsize=512)
def _far_moon(year: int, month: int, day: int) -> date | None:
    from lunar_python import LunarYear, Solar  # takes long: only for years beyond the tables

    found = LunarYear.fromYear(year).getMonth(month) if 1 <= year < 9000 else None
    if found is None or not 1 <= day <= found.getDayCount():
        return None
    first = Solar.fromJulianDay(found.getFirstJulianDay())
    return date(first.getYear(), first.getMonth(), first.getDay()) + timedelta(days=day - 1)


def solar_term(name: str, year: int) -> date | None:
    """The day of that year on which the solar term begins, or None where there is no such term."""
    if name not in TERMS:
        return None
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return _far_term(name, year)
    n = TERMS.index(name)
    return date(year, n // 2 + 1, EARLIEST[n] + int(LATER[(year - FIRST_YEAR) * len(TERMS) + n]))


@lru_cache(maxsize=512)
def _far_term(name: str, year: int) -> date | None:
    from lunar_python import Solar

    for table_of in (
        (year, year + 1) if 1 <= year < 9000 else ()
    ):  # a table reaches from one winter solstice to the next
        for key, solar in Solar.fromYmd(table_of, 6, 28).getLunar().getJieQiTable().items():
            if key == name.translate(SIMPLIFIED) and solar.getYear() == year:
                return date(year, solar.getMonth(), solar.getDay())
    return None
