"""Passing a matter on to HR: a number at once, the conversation only when the employee agrees. No model takes part."""

import re
from typing import Any

from model.intake import Intake
from model.state import State
from module.nodes.context import Context

REQUEST, PRIVATE = 200, 8
Said = tuple[str, dict[str, Any]]
_ASKS_ONLY = re.compile(
    r"(?:請|幫我|我要|我想|想|那|就|麻煩|可以){0,4}(?:找|轉|聯絡|問|跟|交?給){0,2}(?:人資|hr|真人|專人)?"
    r"(?:部門|部|同事|人員|談|說|講|聯絡|處理|協助){0,3}[\s,。!?]{0,4}",
    re.IGNORECASE,
)


async def hand_off(form: Intake, state: State, context: Context) -> Said:
    """A new case with its number; asking once more for a person, with nothing new, keeps the number."""
    words, kind = context.words, form.human_reason or "asked"
    offered = state.get("offered") or {}
    number, bare = state.get("case", ""), bool(_ASKS_ONLY.fullmatch(form.clean_question))
    asked = offered.get("question", "") if bare else ""
    request = asked or _request(form, context)
    if not (bare and number and not asked):
        number = (await context.cases.open(context.account, kind, request)).number
    shown = words.say("hand_off", kind, number=number, request=request[:REQUEST], channel=context.channel, contact=context.contact)
    offer = words.say("hand_off", "offer", count=len(state.get("messages") or ()))
    private = [*(state.get("private") or ()), form.verbatim_question][-PRIVATE:]
    options = words.say("options", "hand_off").split("|")
    return f"{shown}\n{offer}", {"case": number, "offer": {"case": number}, "private": private, "options": options}


def _request(form: Intake, context: Context) -> str:
    """What was asked for, on one line; for harassment a neutral sentence, as what happened is hers to pass on."""
    if form.human_reason == "harassment":
        return context.words.say("hand_off", "harassment_request")
    return re.sub(r"\s+", " ", form.clean_question)[:REQUEST]


async def agree(form: Intake, state: State, context: Context) -> Said:
    """The excerpt goes to the case that was offered."""
    number = state.get("case", "")
    private = [*(state.get("private") or ()), form.verbatim_question][-PRIVATE:]
    await context.cases.agree(context.account, number, _excerpt(state, context))
    return context.words.say("hand_off", "agreed", number=number), {"private": private}


def _excerpt(state: State, context: Context) -> str:
    """Both sides of the conversation, oldest first."""
    lines = (
        context.words.say("hand_off", said["role"], at=said["at"].replace("T", " "), text=said["text"])
        for said in state.get("messages") or ()
    )
    return "\n".join(lines)


async def keep(form: Intake, state: State, context: Context) -> Said:
    """The unanswered question is left for HR, without a name."""
    question = (state.get("offered") or {}).get("question", "")
    if not question:
        return context.words.say("policy_unknown", "nothing_to_keep"), {}
    await context.cases.keep(question)
    return context.words.say("policy_unknown", "kept"), {}
