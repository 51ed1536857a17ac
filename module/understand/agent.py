"""Whom the message names as substitute (代理人)."""

import re
from dataclasses import dataclass

from model.company import Employee
from model.outcome import Outcome, Problem
from module.understand.lexicon import Lexicon
from module.understand.message import Message
from module.understand.people import forms, is_self, who
from module.understand.rules import agents


@dataclass(frozen=True)
class AgentSaid:
    """The substitute named, or what is wrong with the name."""

    name: str | None = None
    problem: Problem | None = None


def read_agent(message: Message, employee: Employee, lexicon: Lexicon, asked: str) -> AgentSaid:
    """The substitute in the message; the words are masked so that a name is never taken for a reason."""
    if match := agents.NO_AGENT.search(message.masked):
        message.mask(*match.span())
        return AgentSaid(problem=Problem(Outcome.UNCLEAR_EDIT, "agent_required"))
    if match := agents.ANOTHER.search(message.masked):
        message.mask(*match.span())
        return AgentSaid(problem=Problem(Outcome.ASK_AGENT, "another"))
    unwanted = _unwanted(message, employee, lexicon)
    for pattern in (agents.NAMED, *agents.BY, *((agents.INSTEAD,) if unwanted else ())):
        for match in pattern.finditer(message.masked):
            said = _resolve(message, match, employee, lexicon, sure=pattern is agents.NAMED)
            if said:
                return said
    if unwanted:
        return AgentSaid(problem=Problem(Outcome.ASK_AGENT, "another", {"not": unwanted}))
    if match := agents.EMPTY.search(message.masked):
        message.mask(*match.span())
    if asked in ("ask_agent", "agent_not_allowed", "agent_unavailable"):
        answer = agents.ANSWER.match(message.masked)
        if answer:
            return _resolve(message, answer, employee, lexicon, sure=asked != "agent_unavailable") or AgentSaid()
    return _bare(message, employee, lexicon)


def _unwanted(message: Message, employee: Employee, lexicon: Lexicon) -> str:
    """不要小明: the substitute who is not wanted; empty when none is named so."""
    for match in agents.NOT_HIM.finditer(message.masked):
        people = who(match["name"], employee, lexicon)
        if len(people) == 1:
            message.mask(*match.span())
            return people[0].name
    return ""


def _resolve(message: Message, match: re.Match[str], employee: Employee, lexicon: Lexicon, sure: bool) -> AgentSaid | None:
    raw = match["name"]
    name = agents.TAIL.sub("", raw.strip()) or raw.strip()
    candidates = [name, *name.split(" ")[:1], *(name[:size] for size in range(min(len(name) - 1, 6), 1, -1) if not name.isascii())]
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
    shown = message.text[match.start("name") : match.start("name") + len(name)]
    return AgentSaid(problem=Problem(Outcome.AGENT_NOT_ALLOWED, "unknown", {"name": shown}))


def _no_name(name: str) -> bool:
    """Words that follow 代理人 without being a name."""
    return bool(re.match(r"(?:跟|和|與|都|不|沒|誰|怎|有|什麼|哪|表|的|我也|要|會|可|能|幫|制|名單|\d)", name)) and name not in ("我", "我自己")


def _bare(message: Message, employee: Employee, lexicon: Lexicon) -> AgentSaid:
    """A message that is nothing but a substitute's name."""
    whole = re.fullmatch(r"[\s\0]*(?:那|就|改|請|找|換|由)*(?P<name>\S{2,12})[\s\0。!]*", message.masked)
    if whole:
        for person in employee.substitutes:
            if whole["name"] in forms(person.name, person.name_en):
                message.take("agent", person.name, *whole.span(), "name alone")
                return AgentSaid(person.name)
    return AgentSaid()
