"""Who answers what: one table for kinds of message, one for matters that only a person may decide. No model has a say."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from model.case import CaseKind
from model.intake import Intent, Status, Worker
from model.outcome import Outcome

Order = Literal["balance", "list", "cancel", "ask", "open", "person", "talk"]


@dataclass(frozen=True)
class Route:
    """One row: what a kind of message is for, who answers, and how the turn ends by the report's status."""

    intent: Intent
    worker: Worker
    order: Order
    ok: Outcome
    not_found: Outcome
    insufficient_info: Outcome
    confidence: float = 0.95

    def outcome(self, status: Status) -> Outcome:
        """How the turn ends."""
        by_status = {"not_found": self.not_found, "insufficient_info": self.insufficient_info, "error": self.not_found}
        return by_status.get(status, self.ok)


_BALANCE, _LIST, _UNKNOWN, _UNCLEAR = Outcome.BALANCE, Outcome.LEAVE_LIST, Outcome.POLICY_UNKNOWN, Outcome.UNCLEAR_FIRST
_CANCEL = Route("cancel_leave", "leaves", "cancel", Outcome.CONFIRM_CANCEL, Outcome.CANCEL_FAILED, _LIST)
#   kind of message      intent         worker       order      ok                     not_found  insufficient_info  how sure
ROUTES: Mapping[str, Route] = {
    "hand_off":     Route("hand_off",   "person",    "person",  Outcome.HAND_OFF,      _UNCLEAR,  _UNCLEAR),
    "agree":        Route("hand_off",   "person",    "person",  Outcome.HAND_OFF,      _UNCLEAR,  _UNCLEAR),
    "balance":      Route("balance",    "balance",   "balance", _BALANCE,              _BALANCE,  _BALANCE),
    "leave_list":   Route("leave_list", "leaves",    "list",    _LIST,                 _LIST,     _LIST),
    "cancel_leave": _CANCEL,
    "change_filed": _CANCEL,
    "policy":       Route("policy",     "handbook",  "ask",     Outcome.POLICY_ANSWER, _UNKNOWN,  _UNKNOWN,          0.8),
    "passage":      Route("policy",     "handbook",  "open",    Outcome.POLICY_ANSWER, _UNKNOWN,  _UNKNOWN),
    "question":     Route("policy",     "handbook",  "ask",     Outcome.POLICY_ANSWER, _UNCLEAR,  _UNCLEAR,          0.5),
    "help":         Route("help",       "assistant", "talk",    Outcome.HELP,          _UNCLEAR,  _UNCLEAR),
    "courtesy":     Route("other",      "assistant", "talk",    Outcome.HELP,          _UNCLEAR,  _UNCLEAR),
    "others":       Route("other",      "assistant", "talk",    _UNCLEAR,              _UNCLEAR,  _UNCLEAR),
    "decline":      Route("other",      "assistant", "talk",    _UNCLEAR,              _UNCLEAR,  _UNCLEAR),
    "no_hand_off":  Route("other",      "assistant", "talk",    _UNCLEAR,              _UNCLEAR,  _UNCLEAR),
    "keep":         Route("other",      "assistant", "talk",    Outcome.HELP,          _UNCLEAR,  _UNCLEAR),
    "nod":          Route("other",      "assistant", "talk",    Outcome.PREVIEW,       _UNCLEAR,  _UNCLEAR),
}  # fmt: skip
# Once a message is one of these, no model sees it.
PERSON = frozenset({"hand_off", "agree", "no_hand_off"})

# Why a person is needed: the first row that fits. What fits none was simply asked for.
HUMAN: tuple[tuple[CaseKind, re.Pattern[str]], ...] = (
    ("harassment", re.compile(
        r"騷擾|性騷|非禮|(?:摸|碰|抱|親|蹭|捏|拍)(?:我|了我|到我)|(?:硬要|故意|一直|強行|動手).{0,4}(?:摸|碰|抱|親|靠)|黃色笑話|開黃腔|葷|鹹豬手|裸照"
        r"|讓人不舒服的(?:照片|訊息|話)|不舒服的(?:照片|訊息)|身材.{0,6}(?:評論|指指點點|開玩笑)"
    )),
    ("pay", re.compile(r"(?:薪|工資|加班費|獎金|錢).{0,12}(?:少|錯|扣|漏|沒發|沒給|不對|對不)|(?:少|漏|多扣|扣錯).{0,6}(?:發|算|薪|錢|給)")),
    ("exception", re.compile(r"破例|例外|通融|特案|專案|法外|網開一面|高抬貴手|特別(?:准|批)|寬限")),
    ("complaint", re.compile(r"申訴|投訴|客訴|檢舉|霸凌|歧視|排擠|威脅|恐嚇|罵|羞辱|吼|針對我|抗議|勞工局|刁難|不公平")),
    ("anger", re.compile(r"爛|氣死|受不了|講不通|聽不懂人話|廢物|垃圾|到底")),
)  # fmt: skip


def human_reason(words: str) -> CaseKind:
    """Why a person is needed."""
    return next((kind for kind, pattern in HUMAN if pattern.search(words)), "asked")


def upset(words: str) -> bool:
    """Whether the words are those of somebody who is hurt or angry."""
    return human_reason(words) in ("harassment", "complaint", "anger") or "!!" in words or "！！" in words
