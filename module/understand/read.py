"""One message → its meaning: each kind of value is read in turn, and what it used is masked for the next."""

import bisect
import operator
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from model.company import Employee
from model.meaning import Change, Found, Meaning, Span, Wish
from model.outcome import Outcome, Problem
from model.worktime import WorkCalendar
from module.understand import reason
from module.understand.agent import AgentSaid, read_agent
from module.understand.days import Reference
from module.understand.lexicon import Lexicon
from module.understand.message import Message
from module.understand.normalise import fold
from module.understand.numbers import number
from module.understand.rule import Rules, Token, scan
from module.understand.rules import kinds
from module.understand.rules.clock import TIMES
from module.understand.rules.days import DAYS, NOT_DAYS
from module.understand.rules.kinship import DEATH, KIN
from module.understand.spans import spans

DAY_RULES = Rules((*NOT_DAYS, *DAYS))
TIME_RULES = Rules((*NOT_DAYS, *DAYS, *TIMES))
DESK = frozenset({"hand_off", "balance", "leave_list", "cancel_leave", "change_filed", "others", "help", "policy"})
_SENTENCE = re.compile(r"[。?!;\n]+|,(?=\s?(?:順便|另外|還有|對了|然後想問|再問|想問|請問|也想|同時))|(?<=[。?!;\n])")
_NO_VALUE = frozenset({"join", "open_end", "open_start", "nothing", "number", "repeat"})
_SUPPOSING = re.compile(r"如果|若|假如|要是|想問|請問|請教|的話")
_DEATH = re.compile(DEATH)
_CLAUSE = re.compile(r"[,。;!?\n]")
_start = operator.attrgetter("start")


@dataclass(frozen=True)
class Situation:
    """What the conversation already holds, as far as it changes what words mean.

    Attributes:
        open: whether a form is open; asked: the outcome that ended the last turn (its question).
        category: the form's type; start: its first day; event: whether that type needs an event date.
    """

    open: bool = False
    asked: str = ""
    category: str | None = None
    start: date | None = None
    event: bool = False
    now: datetime | None = None


def understand(
    text: str, now: datetime, employee: Employee, calendar: WorkCalendar, lexicon: Lexicon, known: Situation | None = None
) -> Meaning:
    """What the message says. `text` is cleaned (normalise.clean); nothing is looked up and nothing is changed."""
    known = known or Situation()
    message = Message(text)
    whole = scan(message.folded, kinds.WHOLE)
    if whole and not (whole[0].kind == "nod" and known.asked.startswith("ask")):
        return Meaning(text, kinds=(whole[0].kind,))
    own = _mask_powerless(message)
    kinds_found = _desk(message, employee, lexicon, known)
    numbers = tuple(token.value for token in scan(message.folded, NOT_DAYS) if token.kind == "number")
    if known.asked == "which_leave" and not kinds_found.kinds:
        kinds_found = Desk(("cancel_leave",), (("cancel_leave", 0, len(message.text)),)) if _names_a_leave(message) else kinds_found
    cancel = _cancel_span(message, now, calendar, kinds_found, known)
    asked_types = tuple(_types_in(message.folded, employee, lexicon)) if "balance" in kinds_found else ()
    for kind, start, end in kinds_found.sentences:
        message.mask(start, end)
        message.found.append(Found("kind", kind, message.text[start:end], start, end, kind))
    meaning = _leave(message, now, employee, calendar, lexicon, known, kinds_found, numbers, cancel, asked_types)
    return replace(meaning, letterless=own) if own else meaning


def about_work(text: str) -> bool:
    """Whether words of leave, pay or the company stand in the text."""
    return bool(kinds.ABOUT_WORK.search(fold(text)))


# ---- what has no power, and what is for the desk


def _mask_powerless(message: Message) -> str:
    """Forwarded lines, quoted text, orders to the assistant, remarks with contact details.

    Returns what is left of a message of several lines without headers, letters and signatures; "" for a single line.
    """
    _mask_letters(message)
    own = _letterless(message) if "\n" in message.text else ""
    if "\n" in message.masked:  # a form typed line by line
        for label in kinds.LABELS.finditer(message.masked):
            message.mask(*label.span())
    for pattern in (kinds.FORWARDED, kinds.QUOTED, kinds.DAY_OFF, kinds.ORDERS, kinds.CONTACT):
        kept = message.masked
        for match in pattern.finditer(message.masked):
            if re.search(r"(?:事由|原因|理由|代理人|改成|改為|memo|是)[:\s]?$", message.masked[: match.start()] + match[0][:0]):
                continue
            message.mask(match.start(), match.end())
        if pattern is not kinds.ORDERS and not re.search(r"[^\s\0,。!?]", message.masked):
            message.masked = kept
    return own


def _letterless(message: Message) -> str:
    """The lines that are the employee's own."""
    letters = "".join(said for said, left in zip(message.text, message.masked, strict=True) if left != "\0")
    lines = (line.strip() for line in letters.splitlines())
    return "\n".join(line for line in lines if line and not kinds.FORWARDED.match(fold(line)) and not kinds.RULE_LINE.fullmatch(line))


def _mask_letters(message: Message) -> None:
    """A forwarded letter ends where the employee speaks: the last paragraph; signatures and small print say nothing."""
    paragraphs = [match.span() for match in re.finditer(r"(?:[^\n]+\n?)+", message.masked)]
    if len(paragraphs) < 2:
        return
    own = [span for span in paragraphs if not kinds.SIGNATURE.search(message.masked, *span)] or paragraphs[:1]
    if kinds.FORWARD_HEAD.match(message.masked):
        own = own[-1:]
    for low, high in paragraphs:
        if (low, high) not in own:
            message.mask(low, high)


@dataclass(frozen=True)
class Desk:
    """Kinds in order, and the sentences they take away from the leave form."""

    kinds: tuple[str, ...] = ()
    sentences: tuple[tuple[str, int, int], ...] = ()

    def __contains__(self, kind: str) -> bool:
        return kind in self.kinds


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _SENTENCE.finditer(text):
        if match.end() > start:
            yield start, match.end()
            start = match.end()
    if start < len(text):
        yield start, len(text)


def _desk(message: Message, employee: Employee, lexicon: Lexicon, known: Situation) -> Desk:
    found: list[tuple[str, int, int]] = []
    for start, end in _sentences(message.masked):
        also = kinds.ALSO.match(message.masked, start, end)
        start = also.end() if also else start
        sentence = message.masked[start:end]
        tokens = scan(sentence, kinds.SENTENCE)
        reason_given = known.asked == "ask_memo" and not kinds.ASKING.search(sentence)
        if not tokens or (reason_given and tokens[0].kind == "policy"):
            continue
        kind = min((token.kind for token in tokens), key=_RANK.index)
        if kind == "others" and re.search(r"幫(?:我|忙)|代理|代班|cover|替我", sentence):
            continue
        if kind == "cancel_leave" and kinds.ASKING.search(sentence) and not kinds.NAMED_LEAVE.search(sentence):
            kind = "policy"
        if kind in ("balance", "leave_list", "policy", "change_filed", "question") and _about_others(sentence, employee):
            kind = "others"
        if kind == "policy" and not _is_policy(sentence, employee, lexicon):
            kind = "question"
        if kind in ("policy", "question") and kinds.ORDERED.search(sentence) and _plain_wish(sentence):
            continue
        if kind == "hand_off" and kinds.PROCEDURE.search(sentence) and not kinds.OWN_GRIEVANCE.search(sentence):
            kind = "policy"
        if kind == "hand_off" and re.search(r"(?:因為|事由|理由).{0,6}$", sentence[: tokens[0].start]):
            continue
        low, high = _asking(sentence, tokens)
        found.append((kind, start + low, start + high))
    return Desk(tuple(dict.fromkeys(kind for kind, _, _ in found)), tuple(found))


_RANK = ["no_hand_off", "agree", "keep", "hand_off", "others", "change_filed", "cancel_leave", "balance", "leave_list", "help", "policy"]


def _asking(sentence: str, tokens: list[Token]) -> tuple[int, int]:
    """The part of a sentence that is for the desk: without the clauses that plainly ask for leave."""
    if _SUPPOSING.search(sentence):
        return 0, len(sentence)
    clauses = [match.span() for match in re.finditer(r"[^,]+,?", sentence)]
    asking = [span for span in clauses if any(span[0] <= token.start < span[1] for token in tokens)]
    wishes = [span for span in clauses if span not in asking and _plain_wish(sentence[span[0] : span[1]])]
    if not wishes or not asking:
        return 0, len(sentence)
    if wishes[0] > asking[-1]:
        return 0, wishes[0][0]
    return (wishes[-1][1], len(sentence)) if wishes[-1] < asking[0] else (asking[0][0], asking[-1][1])


def _plain_wish(clause: str) -> bool:
    return bool(kinds.WISH.search(clause)) and any(token.kind == "day" for token in scan(clause, TIME_RULES))


def _names_a_leave(message: Message) -> bool:
    """Whether the answer to 要取消哪一張 names one."""
    return len(message.text) < 30 and bool(kinds.NAMED_LEAVE.search(message.masked))


def _about_others(sentence: str, employee: Employee) -> bool:
    """Whether the sentence asks for a colleague's data."""
    asked = r"(?:的|還剩|還有|請了|今年|[^,。]{0,6}(?:請的假|請了|假單|特休))"
    return any(re.search(fold(person.name) + asked, sentence) for person in employee.substitutes)


def _is_policy(sentence: str, employee: Employee, lexicon: Lexicon) -> bool:
    about = kinds.ABOUT_WORK.search(sentence)
    return bool(about) or bool(_types_in(sentence, employee, lexicon))


def _types_in(text: str, employee: Employee, lexicon: Lexicon) -> list[str]:
    return [token.value for token in scan(text, lexicon.rules_for(employee)) if token.kind == "type"]


def _cancel_span(message: Message, now: datetime, calendar: WorkCalendar, desk: Desk, known: Situation) -> Span | None:
    for kind, start, end in desk.sentences:
        if kind in ("cancel_leave", "change_filed"):
            ref = Reference(now, calendar, form_start=known.start)
            sentence = message.masked[start:end]
            if kind == "change_filed":  # what it becomes is not what it is
                sentence = re.split(r"改|換|移|挪", sentence)[0]
            said = spans(sentence, scan(sentence, TIME_RULES), ref)
            return next((span for span in said if span.first), None)
    return None


# ---- the leave itself


def _leave(
    message: Message,
    now: datetime,
    employee: Employee,
    calendar: WorkCalendar,
    lexicon: Lexicon,
    known: Situation,
    desk: Desk,
    numbers: tuple[str, ...],
    cancel: Span | None,
    asked_types: tuple[str, ...],
) -> Meaning:
    wish = bool(kinds.WISH.search(message.masked))
    past = bool(kinds.PAST.search(message.masked))
    correction = bool(kinds.CORRECTION.search(message.masked))
    repeated = kinds.REPEATED.search(message.masked)
    _negated(message, known)
    said_reason = reason.stated(message)
    agent = read_agent(message, employee, lexicon, known.asked)
    dropped = reason.dropped_fields(message)
    types = _types(message, employee, lexicon, known)
    changes = _changes(message, known)
    events, tokens = _times(message, known, types, lexicon)
    ref = Reference(now, calendar, past=past, form_start=known.start)
    said = spans(message.masked, [token for token in tokens if (token.start, token.end) not in events], ref)
    if repeated:
        said = (Span(problem=Problem(Outcome.ASK_TIME, "repeat")),)
    event, event_problem = _event(message, events, said, now, calendar, known, types)
    if (event or event_problem) and not events:  # the whole answer was the event's date
        said = ()
    message.note("time", (token for token in tokens if token.kind not in _NO_VALUE))
    message.mask_all((token.start, token.end) for token in tokens if token.kind != "nothing")
    cut = _without_reason_dates(message, _self_corrected(message.folded, said), types)
    wishes = _wishes(message, cut, types, agent, said_reason, lexicon, employee, known, changes)
    first = replace(wishes[0], event_date=event, event_problem=event_problem, dropped=dropped)
    wishes = (first, *wishes[1:])
    leftover = reason.leftover(message)
    kinds_out = _kinds(desk, wish, correction, wishes, types, known, leftover)
    if "leave" not in kinds_out:
        wishes = ()
    found = tuple(sorted(message.found, key=lambda f: f.start))
    return Meaning(message.text, kinds_out, wishes, wish, numbers, cancel, asked_types, leftover, found)


def _kinds(
    desk: Desk, wish: bool, correction: bool, wishes: Sequence[Wish], types: list[Token], known: Situation, leftover: str
) -> tuple[str, ...]:
    """The kinds of message: the leave is the main one, whatever else is asked."""
    first = wishes[0]
    timed = bool(first.spans or first.changes)
    said = bool(types or first.category_said or first.agent or first.agent_problem or first.dropped or first.event_date or first.event_problem)
    suggested = first.category is not None
    if not known.open:
        is_leave = wish or bool(types) or (suggested and (timed or first.memo is not None)) or bool(first.agent and timed)
    else:
        answered = known.asked == "ask_memo" and first.memo is not None
        noise = len(leftover) > 3 and not (wish or correction or said) and not known.asked.startswith(("ask_time", "ask_half"))
        is_leave = said or answered or first.memo_said or (timed and not noise) or (wish and first.memo is not None)
        is_leave = is_leave or (wish and suggested)
        if not is_leave and wish and not desk.kinds:
            is_leave = True
    if desk.kinds and not (timed or said or first.memo_said) and not ("balance" in desk and wish and timed):
        is_leave = False
    return (("leave",) if is_leave else ()) + desk.kinds


def _negated(message: Message, known: Situation) -> None:
    """不是X是Y: X is taken away. 12/30不行: the day is taken away."""
    for match in kinds.NOT_THIS.finditer(message.masked):
        message.mask(match.start(), match.end() - 1)
    for match in kinds.LEFT_DAY.finditer(message.masked) if known.open else ():
        message.mask(*match.span("x"))
    for match in kinds.IMPOSSIBLE_DAY.finditer(message.masked):
        message.mask(match.start(), match.end())


def _types(message: Message, employee: Employee, lexicon: Lexicon, known: Situation) -> list[Token]:
    """Leave types in the text, exact names and synonyms; short answers only where they stand alone."""
    tokens = [t for t in scan(message.masked, lexicon.rules_for(employee)) if not _in_reason(message, t)]
    if any(token.kind == "types" for token in tokens) and any(token.kind == "type" for token in tokens):
        tokens = [token for token in tokens if token.kind == "type"]
    for token in tokens:
        value = token.value if isinstance(token.value, str) else "、".join(token.value)
        message.take("category", value, token.start, token.end, token.rule)
    if tokens:
        return tokens
    alone = kinds.TYPE_ALONE.fullmatch(message.masked)
    if alone and alone["t"] in lexicon.answers and (known.asked == "ask_category" or "假別" in message.masked):
        start, end = alone.span("t")
        message.take("category", lexicon.answers[alone["t"]], start, end, "short answer")
        return [Token("type", lexicon.answers[alone["t"]], start, end, alone["t"], "short answer")]
    vague = re.search(r"假別(?:改成|改為|改|換成|換|是)?(?P<t>假)(?![^\s,。])", message.masked)
    if vague:
        message.mask(*vague.span())
        return [Token("types", tuple(kind.name for kind in employee.leave_types), *vague.span("t"), "假", "any type")]
    return []


def _in_reason(message: Message, token: Token) -> bool:
    """A type that belongs to something else: 退回的特休單, 年假規定."""
    after = message.masked[token.end : token.end + 2]
    return after.startswith(("規定", "辦法", "紀念", "單被"))


def _changes(message: Message, known: Situation) -> tuple[Change, ...]:
    found = []
    for kind, rows in (("shift", kinds.SHIFTS), ("extend", kinds.EXTENDS)):
        for name, pattern, sign in rows:
            for match in re.finditer(pattern, message.masked):
                n, unit = number(match["n"]) if match["n"] != "半" else 0, match["u"]
                half = "半" in unit or match["n"] == "半" or bool(match.groupdict().get("h"))
                if unit.endswith(("小時", "鐘頭")):
                    change = Change(kind, minutes=sign * ((n or 0) * 60 + (30 if half else 0)))
                else:
                    weeks = unit in ("週", "星期", "禮拜")
                    change = Change(kind, days=sign * (n or 0) * (5 if weeks else 1))
                message.take("change", kind, *match.span(), name)
                found.append(change)
    for kind, one_end in (("start", kinds.START_ONLY), ("end", kinds.END_ONLY)):
        if known.open and (said := one_end.search(message.masked)):
            message.mask(*said.span())
            found.append(Change(kind))
    return tuple(found)


def _times(message: Message, known: Situation, types: list[Token], lexicon: Lexicon) -> tuple[list[tuple[int, int]], list[Token]]:
    """Time tokens, and the places of those that name the event."""
    tokens = scan(message.masked, TIME_RULES)
    wants_event = known.event or any(isinstance(t.value, tuple) or t.value in _EVENT_TYPES for t in types) or bool(_DEATH.search(message.masked))
    events = []
    if wants_event:
        for token in tokens:
            if token.kind == "day" and _is_event(message.masked, token):
                events.append((token.start, token.end))
    return events, tokens


_EVENT_TYPES = frozenset({"婚假", "三日喪假", "六日喪假", "八日喪假", "產檢假", "陪產檢及陪產假"})


def _is_event(text: str, token: Token) -> bool:
    return bool(kinds.EVENT_BEFORE.search(text[max(0, token.start - 16) : token.start]) or kinds.EVENT_AFTER.match(text[token.end : token.end + 12]))


def _event(
    message: Message, events: list[tuple[int, int]], said: Sequence[Span], now: datetime, calendar: WorkCalendar, known: Situation, types: list[Token]
) -> tuple[date | None, Problem | None]:
    """The event's date: beside its word, or as the answer to the question."""
    if not events:
        plain = known.asked == "ask_event_date" and not re.search(r"時間|請到|改到|開始|結束|請", message.masked)
        if not plain or not said or (known.event is False):
            return None, None
    category = next((t.value for t in types if isinstance(t.value, str)), known.category or "")
    bereaved = "喪" in category or bool(_DEATH.search(message.folded))
    due = "產" in category
    text = message.masked
    places = events or [(said[0].at, len(text))]
    sentence = "".join(text[low:high] for low, high in places[-1:])
    tokens = [t for t in scan(sentence, DAY_RULES) if t.kind == "day"]
    if not tokens:
        return None, None
    ref = Reference(now, calendar, past=bereaved, ahead=due)
    span = spans(sentence, tokens, ref)[0]
    if events:
        for low, high in events:
            message.take("event_date", "", low, high, "event date")
    if span.problem or span.first is None:
        return None, Problem(Outcome.ASK_EVENT_DATE, "no_such_date")
    if bereaved and span.first > now.date():
        return None, Problem(Outcome.ASK_EVENT_DATE, "death_in_future")
    return span.first, None


def _self_corrected(text: str, said: tuple[Span, ...]) -> tuple[Span, ...]:
    """12/30，不對，12/31: what stands before the correction no longer counts."""
    cuts = [match.start() for match in kinds.SELF_CORRECTION.finditer(text)]
    kept = said
    for cut in cuts:
        after = [span for span in kept if span.at > cut]
        before = [span for span in kept if span.at <= cut]
        if after and before:
            merged = after[0]
            if merged.first is None:
                merged = replace(merged, first=before[-1].first, last=before[-1].last)
            kept = (*before[:-1], merged, *after[1:])
    return kept


def _without_reason_dates(message: Message, said: tuple[Span, ...], types: list[Token]) -> tuple[Span, ...]:
    """12/12結婚紀念日，12/11想請特休: a date that only its reason talks about is not a leave."""
    if len(said) < 2:
        return said
    clauses = [match.span() for match in re.finditer(r"[^,。;\n]*[,。;\n]?", message.folded) if match.end() > match.start()]
    asks, tells = {}, {}
    places = [bisect.bisect_right(clauses, (span.at, len(message.folded))) - 1 for span in said]
    for place in set(places):
        low, high = clauses[place]
        asks[place] = bool(_within(types, low, high)) or bool(kinds.WISH.search(message.folded, low, high))
        tells[place] = not asks[place] and reason.remaining(message, low, high) is not None
    if not any(asks.values()):
        return said
    return tuple(span for span, place in zip(said, places, strict=True) if not tells[place])


def _within(tokens: list[Token], low: int, high: int) -> list[Token]:
    """Those that start in [low, high), of tokens in order."""
    return tokens[bisect.bisect_left(tokens, low, key=_start) : bisect.bisect_left(tokens, high, key=_start)]


def _wishes(
    message: Message,
    said: tuple[Span, ...],
    types: list[Token],
    agent: AgentSaid,
    stated: reason.Stated,
    lexicon: Lexicon,
    employee: Employee,
    known: Situation,
    changes: tuple[Change, ...],
) -> tuple[Wish, ...]:
    """One wish for each separate stretch of time; each takes the type and reason that stand with it."""
    separate = said if len(said) > 1 and all(span.first or span.problem for span in said) and not changes else said[:1]
    bounds = [0, *[span.at for span in separate[1:]], len(message.masked)]
    bereaved = _bereaved(message, lexicon)
    corrected = kinds.CORRECTION.search(message.folded) or kinds.SELF_CORRECTION.search(message.folded)
    wishes = []
    for index in range(max(1, len(separate))):
        low, high = bounds[index], bounds[index + 1]
        own = _within(types, low, high) or (types[:1] if index else types[-1:])
        own = own[-1:] if len(own) > 1 and corrected else own
        wish = _typed(own, message, bereaved, known)
        memo = stated.text or reason.remaining(message, low, high)
        spans_here = separate[index : index + 1] if separate else ()
        length = _length_in_type(own, bereaved)
        if length and spans_here and spans_here[0].first == spans_here[0].last and not spans_here[0].has_clock:
            spans_here = (replace(spans_here[0], days=length), *spans_here[1:])
        if not separate and said:
            spans_here = said[:1]
        suggested = wish.category is None and not wish.category_choices
        if suggested:
            wish = replace(wish, category=suggest(fold(memo or ""), lexicon, employee, known))
        problem = agent.problem
        wishes.append(replace(
            wish, spans=spans_here, memo=memo, memo_said=bool(stated.text), changes=changes, agent=agent.name, agent_problem=problem
        ))
    for index in range(len(wishes) - 2, -1, -1):  # 週四和下週四請事假辦事: one clause, one reason
        if wishes[index].memo is None and not _CLAUSE.search(message.folded, bounds[index], bounds[index + 1]):
            wishes[index] = replace(wishes[index], memo=wishes[index + 1].memo)
    return tuple(wishes)


def _length_in_type(own: list[Token], bereaved: "Bereaved") -> int | None:
    """三天喪假 beside a relative is a length of three days."""
    if not own or "喪假" not in str(own[0].value) or not bereaved.kin:
        return None
    said = re.search(r"([三六八368])(?:天|日)", own[0].words)
    return number(said[1]) if said else None


@dataclass(frozen=True)
class Bereaved:
    """Relatives named, somebody named whom the law gives no leave for, and whether a death is spoken of."""

    kin: list[Token]
    no_leave: str | None
    death: bool


def _bereaved(message: Message, lexicon: Lexicon) -> Bereaved:
    no_leave = next((word for word in lexicon.no_bereavement if word in message.masked), None)
    return Bereaved(scan(message.masked, KIN), no_leave, bool(_DEATH.search(message.masked)))


def _typed(tokens: list[Token], message: Message, bereaved: Bereaved, known: Situation) -> Wish:
    kin, no_leave, about_death = bereaved.kin, bereaved.no_leave, bereaved.death
    first = tokens[0] if tokens else None
    choosing = known.asked == "ask_category"
    if first is not None and first.kind == "type":
        named = str(first.value)
        if "喪假" in named and kin and re.search(r"[三六八368]", first.words):
            return Wish(category=kin[0].value, category_said=True)
        return Wish(category=named, category_said=True)
    if (first is not None and "喪" in first.words) or (first is None and about_death and (choosing or not known.open or known.category is None)):
        if kin and (not no_leave or kin[0].end > message.masked.find(no_leave)):
            return Wish(category=kin[0].value, category_said=True)
        if no_leave:
            return Wish(category=f"喪假({no_leave})", category_said=True)
        length = next((t.value.days for t in scan(message.folded, TIME_RULES) if t.kind == "length" and t.value.days), None)
        by_length = {3: "三日喪假", 6: "六日喪假", 8: "八日喪假"}.get(length or 0)
        if first is not None and by_length and re.search(r"[三六八368](?:天|日)[\s\0的]{0,2}$", message.folded[: first.start]):
            return Wish(category=by_length, category_said=True)
    if first is not None:
        return Wish(category_choices=first.value, category_said=True)
    if choosing and kin and not no_leave:
        return Wish(category=kin[0].value, category_said=True)
    return Wish()


def suggest(memo: str, lexicon: Lexicon, employee: Employee, known: Situation) -> str | None:
    """The type that a reason suggests, only where the employee is the patient (SEMANTICS §5)."""
    for words, category in lexicon.suggests:
        if words in memo and employee.leave_type(category):
            if "病" in category and any(word in memo for word in lexicon.not_me):
                continue
            return category
    return None
