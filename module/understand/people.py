"""Which substitute a name means (SEMANTICS §6): exact, given, English or familiar form; several fit → all of them."""

import re
from functools import lru_cache

from model.company import Employee, Substitute
from module.understand.lexicon import Lexicon
from module.understand.normalise import fold

_TITLE = re.compile(r"(?:先生|小姐|女士|太太|經理|主任|組長|課長|副理|協理|處長|部長|老師|大哥|大姐|大姊|哥哥?|姐姐?|姊姊?|兄|同事|同學|桑)$")
_COMPOUND = ("歐陽", "司馬", "諸葛", "上官", "張簡", "范姜")


def split_name(name: str) -> tuple[str, str]:
    """Surname and given name."""
    size = 2 if name[:2] in _COMPOUND else 1
    return name[:size], name[size:]


@lru_cache(maxsize=4096)
def forms(name: str, name_en: str) -> frozenset[str]:
    """Every full way of naming this person: whole, given, English, its parts, both together."""
    surname, given = split_name(name)
    english = fold(name_en).split()
    whole = " ".join(english)
    shown = {f"{fold(name)}({whole})", f"{fold(name)} ({whole})", f"{fold(name)} {whole}"} if whole else set()
    return frozenset({fold(name), fold(given), whole, *english, *shown} - {"", surname})


def who(words: str, employee: Employee, lexicon: Lexicon) -> tuple[Substitute, ...]:
    """The substitutes that the words fit; empty words and single letters fit nobody."""
    name = fold(words).strip()
    people = employee.substitutes
    if not name or (len(name) == 1 and name.isascii()):
        return ()
    if nick := lexicon.nicknames.get(name):
        return tuple(person for person in people if person.name == nick)
    exact = tuple(person for person in people if name in forms(person.name, person.name_en))
    if exact:
        return exact
    bare = _TITLE.sub("", name)
    titled = bare != name
    if titled and bare:
        exact = tuple(person for person in people if bare in forms(person.name, person.name_en))
        if exact:
            return exact
    if len(bare) == 1 and not bare.isascii():  # 王先生, 王
        by_surname = tuple(person for person in people if fold(split_name(person.name)[0]) == bare)
        return by_surname or tuple(p for p in people if titled and bare in fold(split_name(p.name)[1]))
    if len(bare) == 2 and bare[0] in "小老阿大":
        return tuple(p for p in people if fold(p.name)[0] == bare[1]) or tuple(
            p for p in people if bare[1] in fold(split_name(p.name)[1])
        )
    if len(bare) == 2 and bare[0] == bare[1]:
        return tuple(p for p in people if bare[0] in fold(split_name(p.name)[1]))
    return ()


def is_self(words: str, employee: Employee) -> bool:
    """Whether the words mean the employee."""
    name = fold(words).strip()
    return name in ("我", "自己", "我自己", "本人", "我本人", "myself", "me") or name in forms(employee.name, employee.name_en)
