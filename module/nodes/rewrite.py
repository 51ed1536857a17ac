"""rewrite: merges what was said into the form, rules first, then the model for what they left over."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from model.meaning import Wish
from model.outcome import Outcome
from model.state import State
from module.leave.draft import Draft, apply
from module.leave.edit import edited
from module.nodes.context import Context, draft_of, updates_for
from module.nodes.guess import REASON


async def rewrite(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """The newest values of the form; further leaves of the same message wait their turn."""
    context, touched = runtime.context, set(state.get("touched") or ())
    if state.get("action") == "edit" and state.get("open"):
        return _edited(state, context)
    if state.get("action") != "say" or "leave" not in touched:
        return {"touched": list(touched)}
    meaning = context.meaning(state)
    held = draft_of(state)
    old = held if state.get("open") else Draft()
    found = meaning.wishes or _as_wish(state, context)
    wishes = [_another(wish, state, context) for wish in found] or [Wish()]
    new = old
    guess = _from_model(state, context)
    if guess:
        # Of a message that only the model understood, the reason is what it quotes, not all that is left over.
        wishes[0] = replace(wishes[0], memo=None) if guess.memo and not meaning.kinds else wishes[0]
        new = apply(new, _lacking(guess, wishes[0], old if meaning.kinds else Draft()), context.rules, how="guessed")
    new = apply(new, wishes[0], context.rules, memo_welcome=_memo_welcome(state, wishes[0], meaning.wish))
    updates = updates_for(held, new)
    extra = [_first_agent(wish, wishes[0]) for wish in wishes[1:]]
    waiting = [updates_for(Draft(), apply(Draft(), wish, context.rules)) for wish in extra]
    progress = new != old or not state.get("open")
    updates |= {"open": True, "touched": [*touched, *(["progress"] if progress else [])], "question": ""}
    updates["touched"] += ["unclear_agent"] if _wants_no_agent(wishes[0]) else []
    updates["touched"] += ["unclear_memo"] if "memo" in wishes[0].dropped else []
    updates |= {"waiting": [*(state.get("waiting") or []), *waiting]} if waiting else {}
    return updates


def _edited(state: State, context: Context) -> dict[str, Any]:
    """What was set on the card by its controls."""
    old = draft_of(state)
    new = edited(old, state.get("edit") or {}, context.employee)
    return updates_for(old, new) | {"touched": ["leave", "progress"], "question": ""}


def _another(wish: Wish, state: State, context: Context) -> Wish:
    """代理人換一個: everybody but the one who is on the form."""
    problem = wish.agent_problem
    if problem is None or problem.reason != "another":
        return wish
    shown = problem.values.get("not") or (state.get("form") or {}).get("agent")
    names = [person.name for person in context.employee.substitutes if person.name != shown]
    return replace(wish, agent_problem=replace(problem, values={"choices": names}))


def _first_agent(wish: Wish, first: Wish) -> Wish:
    return wish if wish.agent else replace(wish, agent=first.agent)


def _wants_no_agent(wish: Wish) -> bool:
    return bool(wish.agent_problem and wish.agent_problem.outcome is Outcome.UNCLEAR_EDIT)


def _memo_welcome(state: State, wish: Wish, asks: bool) -> bool:
    """Words left over are a reason in a first message, beside a type, or as the answer to the question."""
    if not state.get("open") or state.get("asked") == str(Outcome.ASK_MEMO):
        return True
    return wish.category_said or asks or bool(wish.memo and wish.memo.startswith(("去", "要去", "陪", "帶", "回", "參加")))


def _from_model(state: State, context: Context) -> Wish | None:
    plain = state.get("plain")
    if not plain:
        return None
    meaning = context.read(plain, context.situation(state))
    if not meaning.wishes:
        return None
    # Words around a value are no reason: it is one only where the model named it so.
    return meaning.wishes[0] if REASON in plain else replace(meaning.wishes[0], memo=None)


def _as_wish(state: State, context: Context) -> tuple[Wish, ...]:
    """What the rules read in a message that only the model knew for a wish."""
    base = state.get("base")
    return context.read(base, context.situation(state)).wishes if base else ()


def _lacking(guess: Wish, rules: Wish, held: Draft) -> Wish:
    """Only what the rules did not read themselves, and nothing over what was said before."""
    said = {name for name, how in held.how.items() if how == "said"}
    return Wish(
        spans=() if rules.spans or rules.changes or held.times else guess.spans,
        category=None if rules.category_said or rules.category_choices or "category" in said else guess.category,
        category_said=guess.category_said,
        agent=None if rules.agent or rules.agent_problem or "agent" in said else guess.agent,
        memo=None if rules.memo or "memo" in said else guess.memo,
        memo_said=bool(guess.memo) and not rules.memo,
        event_date=None if rules.event_date or "event_date" in said else guess.event_date,
    )
