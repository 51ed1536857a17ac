"""The company's own words for leave types and people, as HR wrote them (module/words/lexicon.toml)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from model.company import Employee
from model.errors import ConfigError
from module.understand.normalise import fold
from module.understand.rule import Rule, Rules, just

_SECTIONS = {"synonyms", "answers", "groups", "other", "suggests", "not_me", "no_bereavement", "nicknames"}


@dataclass(frozen=True)
class Lexicon:
    """Words by meaning. Everything is folded; `rules` read leave types, `known` are all official names."""

    rules: tuple[Rule, ...]
    answers: Mapping[str, str]
    groups: Mapping[str, tuple[str, ...]]
    suggests: tuple[tuple[str, str], ...]
    not_me: tuple[str, ...]
    no_bereavement: tuple[str, ...]
    nicknames: Mapping[str, str]

    @classmethod
    def of(cls, data: Mapping[str, Mapping[str, Any]], where: str = "lexicon.toml") -> "Lexicon":
        """From the parsed file. Raises ConfigError naming the section that is wrong."""
        for section in data:
            if section not in _SECTIONS:
                raise ConfigError(f"{where}: [{section}] 不認得,可用的段落:{'、'.join(sorted(_SECTIONS))}")
        lists = {name: _lists(data.get(name, {}), f"{where} [{name}]") for name in _SECTIONS}
        words = {fold(word): name for name, ways in lists["synonyms"].items() for word in (name, *ways)}
        words |= {fold(name): name for name in lists["other"].get("names", ())}
        groups = {fold(word): ways for word, ways in lists["groups"].items()}
        rules = [_type_rule(word, name) for word, name in words.items()]
        rules += [Rule(f"group {word}", "types", re.escape(word), just(ways)) for word, ways in groups.items()]
        return cls(
            rules=tuple(rules),
            answers={fold(way): name for name, ways in lists["answers"].items() for way in ways},
            groups=groups,
            suggests=tuple((fold(way), name) for name, ways in lists["suggests"].items() for way in ways),
            not_me=tuple(map(fold, lists["not_me"].get("words", ()))),
            no_bereavement=tuple(map(fold, lists["no_bereavement"].get("words", ()))),
            nicknames={fold(way): name for name, ways in lists["nicknames"].items() for way in ways},
        )

    def rules_for(self, employee: Employee) -> Rules:
        """The rows above, and the employee's own types that the file does not know."""
        return self._with_own(tuple(kind.name for kind in employee.leave_types))

    @cached_property
    def _with_own(self) -> Callable[[tuple[str, ...]], Rules]:
        known = {rule.name for rule in self.rules}

        @lru_cache(maxsize=256)
        def rules(names: tuple[str, ...]) -> Rules:
            own = (_type_rule(fold(name), name) for name in names)
            return Rules((*self.rules, *(rule for rule in own if rule.name not in known)))

        return rules


def _lists(section: Mapping[str, Any], where: str) -> dict[str, tuple[str, ...]]:
    for key, ways in section.items():
        if not isinstance(ways, list) or not all(isinstance(way, str) and way.strip() for way in ways):
            raise ConfigError(f'{where} {key}: 右邊要是文字的清單,例如 ["特休", "年假"]')
    return {key: tuple(ways) for key, ways in section.items()}


def _type_rule(word: str, name: str) -> Rule:
    pattern = re.escape(word)
    if word.isascii():
        pattern = rf"(?<![a-z]){pattern}(?![a-z])"
    elif word == "產檢":
        pattern = r"(?<!陪)(?<!陪老婆)(?<!陪太太)(?<!陪她)(?<!陪老婆去)(?<!陪太太去)產檢(?!日|報告)"
    return Rule(f"type {word}", "type", pattern, just(name))
