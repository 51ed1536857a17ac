"""What one message says, before it meets the form: values with the words and the rule they come from."""

from dataclasses import dataclass, field
from datetime import date

from model.outcome import Problem


@dataclass(frozen=True)
class Found:
    """Where a value comes from: the words, their place in the cleaned message, and the rule that read them."""

    what: str
    value: str
    words: str
    start: int
    end: int
    rule: str


@dataclass(frozen=True)
class Span:
    """One stretch of time as said; whatever was not said is None.

    Attributes:
        first, last: days, both included.
        start, end: clock times in minutes after midnight, on first and last.
        days, minutes: a length in working days, or in minutes of working time.
        half, whole: 半天 without saying which; 整天.
        open_end, open_start: 三點以後; 十點前.
        problem: why it cannot be a time (impossible, contradictory, vague).
    """

    first: date | None = None
    last: date | None = None
    start: int | None = None
    end: int | None = None
    days: int | None = None
    minutes: int | None = None
    half: bool = False
    whole: bool = False
    open_end: bool = False
    open_start: bool = False
    problem: Problem | None = None
    at: int = 0

    @property
    def has_clock(self) -> bool:
        """Whether a clock time or part of day was said."""
        return self.start is not None or self.end is not None


@dataclass(frozen=True)
class Change:
    """A correction relative to the form: shift, extend (days or minutes, signed), or one end only (start, end)."""

    kind: str
    days: int = 0
    minutes: int = 0


@dataclass(frozen=True)
class Wish:
    """What a message says of one leave."""

    spans: tuple[Span, ...] = ()
    category: str | None = None
    category_said: bool = False
    category_choices: tuple[str, ...] = ()
    agent: str | None = None
    agent_problem: Problem | None = None
    memo: str | None = None
    memo_said: bool = False
    event_date: date | None = None
    event_problem: Problem | None = None
    changes: tuple[Change, ...] = ()
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True)
class Meaning:
    """Everything read in one message.

    Attributes:
        kinds: leave, submit, reset, balance, leave_list, cancel_leave, policy, hand_off, help, courtesy, others, other.
        wishes: one for each leave in the message, in order.
        wish: whether it asks for leave outright (請, 休 …).
        numbers: leave numbers (WF…) as written.
        cancel_span: the day of a leave to be cancelled.
        asked_types: leave types a balance question names.
        leftover: words that no rule read.
        found: every value with its words, place and rule, in order.
        letterless: the text without headers, letters of others and signatures; empty where it has none of these.
    """

    text: str
    kinds: tuple[str, ...] = ()
    wishes: tuple[Wish, ...] = ()
    wish: bool = False
    numbers: tuple[str, ...] = ()
    cancel_span: Span | None = None
    asked_types: tuple[str, ...] = ()
    leftover: str = ""
    found: tuple[Found, ...] = field(default=())
    letterless: str = ""

    @property
    def own(self) -> str:
        """What the employee says herself."""
        return self.letterless or self.text
