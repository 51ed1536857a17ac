"""Whom the message names as substitute (代理人)."""

import re
from dataclasses import dataclass

from model.company import Employee
from model.outcome import Outcome, Problem
from module.understand.lexicon import Lexicon
from module.understand.message import Message
from module.understand.people import forms, is_self, who

_CUE = r"(?:職務代理人?|代理人|代裡人|代理(?!人)|職代|代班人?|agent|substitute|deputy)"
_TO = r"(?:還是|就|一樣|請|要|也|改成|改為|改由|改找|改請|改|換成|換為|換|應該是|而是|是|由|找|為|給|用|:|指定|麻煩|\s|\0|,(?=是))"
_STOP = r"\s\0,。;!?、|()\"「」『』:"
_TAIL = re.compile(r"(?:就好了?|好了|好嗎|代理|代班|來代|代|幫忙|吧|喔|哦|謝謝|了|那位|這位|可以嗎|才對|即可|幫我|就行|就可以|cover|啦|囉)+$")
NAMED = re.compile(rf"{_CUE}{_TO}{{0,6}}(?P<name>[^{_STOP}]{{1,12}}(?: [a-z]{{2,12}})?)")
EMPTY = re.compile(rf"{_CUE}{_TO}{{0,4}}(?=[{_STOP}]|$)")
BY = (
    re.compile(rf"(?:請|由|找|麻煩|拜託|換|給|讓|改)(?P<name>[^{_STOP}請由找要休]{{1,10}}?)(?:\s)?(?:幫忙|幫我|來|幫|當)?\s?(?:代理人?|代班|代|cover|頂一下|職代)(?!表|購|替|碼|辦|墊|價)"),
    re.compile(rf"(?P<name>[^{_STOP}]{{1,10}}?)\s?(?:will |can |to |會|可以|幫忙|幫我)\s?(?:cover|代理|代班|代)(?!表|購|替|碼|辦|墊)"),
    re.compile(r"(?P<name>[a-z]{2,12}|[\u4e00-\u9fff]{2,4})\s?cover"),
    re.compile(r"cover(?:ed)? by (?P<name>[a-z]{2,12})"),
)
ANOTHER = re.compile(rf"(?:{_CUE}.{{0,3}}(?:換人|換一個|換別人|換一位|改別人|找別人|換其他人|換掉)|換(?:一個|個|別的)代理人|(?:換人|換一個|換別人)代)")
NO_AGENT = re.compile(rf"(?:不用|不需要|不要|取消|免|沒有|拿掉|刪掉){_CUE}")
_ANSWER = re.compile(rf"^[\s\0]*(?:那|就|改|請|找|換|由|給|是|用|還是|我要|選)*(?P<name>[^{_STOP}]{{1,12}}(?: [a-z]{{2,12}})?)[\s\0。!.,]*$")


@dataclass(frozen=True)
class AgentSaid:
    """The substitute named, or what is wrong with the name."""

    name: str | None = None
    problem: Problem | None = None


def read_agent(message: Message, employee: Employee, lexicon: Lexicon, asked: str) -> AgentSaid:
    """The substitute in the message; the words are masked so that a name is never taken for a reason."""
    if match := NO_AGENT.search(message.masked):
        message.mask(*match.span())
        return AgentSaid(problem=Problem(Outcome.UNCLEAR_EDIT, "agent_required"))
    if match := ANOTHER.search(message.masked):
        message.mask(*match.span())
        return AgentSaid(problem=Problem(Outcome.ASK_AGENT, "another"))
    for pattern in (NAMED, *BY):
        for match in pattern.finditer(message.masked):
            said = _resolve(message, match, employee, lexicon, sure=pattern is NAMED)
            if said:
                return said
    if match := EMPTY.search(message.masked):
        message.mask(*match.span())
    if asked in ("ask_agent", "agent_not_allowed", "agent_unavailable"):
        answer = _ANSWER.match(message.masked)
        if answer:
            return _resolve(message, answer, employee, lexicon, sure=asked != "agent_unavailable") or AgentSaid()
    return _bare(message, employee, lexicon)


def _resolve(message: Message, match: re.Match[str], employee: Employee, lexicon: Lexicon, sure: bool) -> AgentSaid | None:
    raw = match["name"]
    name = _TAIL.sub("", raw.strip()) or raw.strip()
    candidates = [name, *(name[:size] for size in range(min(len(name) - 1, 6), 1, -1) if not name.isascii())]
    for candidate in candidates:
        people = who(candidate, employee, lexicon)
        if len(people) == 1:
            start = match.start("name")
            message.take("agent", people[0].name, match.start(), max(start + len(candidate), match.end() if candidate == name else 0), "substitute")
            return AgentSaid(people[0].name)
        if people:
            message.take("agent", name, *match.span(), "substitute, several")
            return AgentSaid(problem=Problem(Outcome.ASK_AGENT, "several", {"choices": [p.name for p in people], "name": candidate}))
        if is_self(candidate, employee):
            message.take("agent", name, *match.span(), "oneself")
            return AgentSaid(problem=Problem(Outcome.AGENT_NOT_ALLOWED, "self", {"name": candidate}))
    if not sure or _no_name(name):
        return None
    message.take("agent", name, *match.span(), "unknown name")
    return AgentSaid(problem=Problem(Outcome.AGENT_NOT_ALLOWED, "unknown", {"name": message.text[match.start("name") : match.start("name") + len(name)]}))


def _no_name(name: str) -> bool:
    """Words that follow 代理人 without being a name."""
    return bool(re.match(r"(?:不|沒|誰|怎|有|什麼|哪|表|的|我也|要|會|可|能|幫|制|名單|\d)", name)) and name not in ("我", "我自己")


def _bare(message: Message, employee: Employee, lexicon: Lexicon) -> AgentSaid:
    """A message that is nothing but a substitute's name."""
    whole = re.fullmatch(r"[\s\0]*(?:那|就|改|請|找|換|由)*(?P<name>\S{2,12})[\s\0。!]*", message.masked)
    if whole:
        for person in employee.substitutes:
            if whole["name"] in forms(person.name, person.name_en):
                message.take("agent", person.name, *whole.span(), "name alone")
                return AgentSaid(person.name)
    return AgentSaid()
