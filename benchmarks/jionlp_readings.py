"""Reads time expressions with jionlp (Apache-2.0), inside an environment that holds nothing else; standard input → output.

Each line {"id","ref","text","rounds"} → {"id","start","end","duration_s","ms"}; jionlp's ends are the last second of a
stretch and are made exclusive here, equal or nearly equal ends are a point.
"""

import importlib
import json
import statistics
import sys
import time
from datetime import datetime, timedelta
from typing import Any

DAYS = {"year": 365.0, "month": 30.0, "week": 7.0, "day": 1.0, "hour": 1 / 24, "minute": 1 / 1440, "second": 1 / 86400}


def moment(text: Any) -> datetime | None:
    """An ISO text as a datetime, or None."""
    try:
        return datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None


def seconds(delta: Any) -> float | None:
    """A length that may have a lower and an upper bound: the lower one counts."""
    delta = delta[0] if isinstance(delta, list) else delta
    if not isinstance(delta, dict):
        return None
    parts = ((value[0] if isinstance(value, list) else value, DAYS.get(unit, 0.0)) for unit, value in delta.items())
    return float(sum((n or 0) * days for n, days in parts) * 86400)


def reading(found: dict[str, Any]) -> dict[str, Any]:
    """One answer of jionlp's as start, exclusive end and length."""
    none: dict[str, Any] = {"start": None, "end": None, "duration_s": None}
    value = found.get("time")
    if found.get("type") == "time_delta":
        return {**none, "duration_s": seconds(value)}
    if not isinstance(value, list) or len(value) != 2:
        return none
    start, end = (moment(text) for text in value)
    if start and end:
        end += timedelta(seconds=1)
        end = None if found.get("type") == "time_point" and end - start <= timedelta(minutes=1) else end
    return {**none, "start": start and start.isoformat(), "end": end and end.isoformat()}


def main() -> None:
    """Reads line by line."""
    jionlp = importlib.import_module("jionlp")

    for line in sys.stdin:
        case = json.loads(line)
        base, spent = datetime.fromisoformat(case["ref"]).timestamp(), []
        found: dict[str, Any] = {}
        for _ in range(case["rounds"]):
            began = time.perf_counter()
            try:
                found = jionlp.parse_time(case["text"], time_base=base)
            except Exception:  # it raises ValueError and others where it finds nothing: that is its answer
                found = {}
            spent.append((time.perf_counter() - began) * 1000)
        print(json.dumps({"id": case["id"], **reading(found or {}), "ms": statistics.median(spent)}))


if __name__ == "__main__":
    main()
