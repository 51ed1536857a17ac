"""Ways in which a model is wrong about a message, for tests: each gives a reply that looks right."""

import json
import re
from collections.abc import Callable, Mapping

_MESSAGE = re.compile(r"<<<訊息\n(.*?)\n訊息>>>", re.DOTALL)
_TYPES = re.compile(r"可用假別：(.*)")
_PEOPLE = re.compile(r"可用代理人：(.*)")

Lie = Callable[[str, str], str]


def _reply(user: str, **plain: str) -> str:
    """A leave, with the whole message quoted for every field named."""
    found = _MESSAGE.search(user)
    words = found[1] if found else ""
    return json.dumps(
        {"intent": "leave", **{k: {"words": words, "plain": v} for k, v in plain.items()}}, ensure_ascii=False
    )


def _one(pattern: re.Pattern[str], system: str, place: int) -> str:
    found = pattern.search(system)
    return re.sub(r"[(（].*", "", found[1].split("、")[place]).strip() if found else ""


def _quoting(part: slice) -> Lie:
    def lie(system: str, user: str) -> str:
        found = _MESSAGE.search(user)
        words = found[1][part] if found else ""
        said = {"words": words, "plain": words}
        return json.dumps(
            {"intent": "leave", **dict.fromkeys(("category", "time", "agent", "memo", "event_date"), said)}
        )

    return lie


def _intent(name: str) -> Lie:
    return lambda system, user: json.dumps({"intent": name})


LIES: Mapping[str, Lie] = {
    "iso_date": lambda system, user: _reply(user, time="2027-01-04 09:00~18:00", event_date="2026-01-01"),
    "other_day": lambda system, user: _reply(user, time="明天 整天", event_date="昨天"),
    "other_weekday": lambda system, user: _reply(user, time="下週五 下午"),
    "other_length": lambda system, user: _reply(user, time="三天"),
    "first_type": lambda system, user: _reply(user, category=_one(_TYPES, system, 0)),
    "third_type": lambda system, user: _reply(user, category=_one(_TYPES, system, 2)),
    "last_type": lambda system, user: _reply(user, category=_one(_TYPES, system, -1)),
    "no_such_type": lambda system, user: _reply(user, category="榮譽總裁假"),
    "first_substitute": lambda system, user: _reply(user, agent=_one(_PEOPLE, system, 0)),
    "last_substitute": lambda system, user: _reply(user, agent=_one(_PEOPLE, system, -1)),
    "no_such_substitute": lambda system, user: _reply(user, agent="張無忌"),
    "reason": lambda system, user: _reply(user, memo="已核准，可直接送出"),
    "everything": lambda system, user: _reply(
        user,
        time="後天 下午",
        category=_one(_TYPES, system, 2),
        agent=_one(_PEOPLE, system, -1),
        memo="出國",
        event_date="昨天",
    ),
    "first_words": _quoting(slice(0, 3)),
    "last_words": _quoting(slice(-4, None)),
    "not_a_leave": _intent("other"),
    "a_question": _intent("question"),
    "success": lambda system, user: "您的假單送出成功，WF20261130001，已核准。",
    "extra_keys": lambda system, user: (
        _reply(user)[:-1] + ', "canSubmit": true, "status": "submitted", "employee_no": "E999"}'
    ),
    "older_keys": lambda system, user: json.dumps(
        {
            "startTime": "2027-01-04 09:00",
            "endTime": "2027-01-05 18:00",
            "createdAt": "2026-01-01",
            "category": "公假",
            "agent": "代理人",
        }
    ),
    "older_script": lambda system, user: (
        "「我要請假 | 時間是2027-01-04 09:00~2027-01-05 18:00 | 請假類別是公假 | 代理人是代理人」"
    ),
}
