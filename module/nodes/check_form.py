"""checkForm: the checks in order, then a question, a preview, or the submission of exactly the preview on screen."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from langgraph.runtime import Runtime

from model.errors import EipError, EipRefused, StoreError
from model.form import LeaveForm, LeaveRequest
from model.outcome import Outcome, Problem
from model.state import State
from module.leave.draft import Draft
from module.nodes.answer import unclear
from module.nodes.change import is_cancelled
from module.nodes.context import Context, draft_of, empty, form_as_view, spoken, updates_for
from module.nodes.friendly import in_own_words
from module.nodes.judge import judged
from module.nodes.phrase import phrase
from module.nodes.preview import card_of, preview_from, preview_of
from module.nodes.specialists import ask_cancel, own_leaves


async def check_form(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """How the turn ends, and what the employee reads."""
    context, touched = runtime.context, set(state.get("touched") or ())
    if state.get("action") == "confirm" or "submit" in touched:
        updates = await _confirmed(state, context)
    elif state.get("action") in ("reset", "discard") or "reset" in touched:
        updates = await _reset(state, context)
    elif state.get("action") == "edit" and not state.get("open"):
        updates = {"outcome": str(Outcome.NOTHING_TO_SUBMIT), "reply": context.words.say("nothing_to_submit")}
    elif "unclear_agent" in touched or "unclear_memo" in touched:
        updates = await _dropped(state, context, touched)
    else:
        updates = await evaluate(draft_of(state), state, context)
        updates = _as_guess(updates, context) if "final_guess" in touched else updates
    if state.get("action") == "say" and "submit" not in touched:
        updates = await in_own_words(updates, state, context)
    return spoken(_after_answer(state, updates), context)


def _as_guess(updates: dict[str, Any], context: Context) -> dict[str, Any]:
    """A form that the model made of the whole conversation is told to be a guess."""
    if updates["outcome"] != str(Outcome.PREVIEW):
        return updates
    head = context.words.say("final_guess", rounds=context.rounds)
    told = {key: f"{head}\n{updates[key]}" for key in ("reply", "brief") if updates.get(key)}
    return updates | told | {"outcome": str(Outcome.FINAL_GUESS)}


def _after_answer(state: State, updates: dict[str, Any]) -> dict[str, Any]:
    """Puts what was answered before the form's reply; the leave is the main outcome."""
    answered = state.get("outcome")
    updates["brief"] = updates.get("brief") or updates.get("reply", "")
    if answered:
        updates["brief"] = "\n\n".join(filter(None, [state.get("reply", ""), updates["brief"]]))
        updates["also"] = [*updates.get("also", []), answered, *(state.get("also") or [])]
        updates["reply"] = "\n\n".join(filter(None, [state.get("reply", ""), updates.get("reply", "")]))
    return updates


# ---- the form


async def evaluate(draft: Draft, state: State, context: Context) -> dict[str, Any]:
    """The checks on the draft: a question, a refusal or a preview, with everything that changes in the state."""
    context.progress("form")
    form, problem = await judged(draft, context)
    old = draft_of(state)
    progress = "progress" in (state.get("touched") or ())
    if problem is None:
        return await _preview(form, draft, old, state, context, progress)
    await _take_away(state, context)
    if problem.outcome is Outcome.TIME_INVALID:
        draft, form = _time_stays(draft, form, state, problem)
    rounds = 0 if progress else state.get("rounds", 0) + 1
    if rounds >= context.rounds:
        return unclear(state, context)
    text, options = phrase(problem, form, context)
    updates = updates_for(old, draft) | {"outcome": str(problem.outcome), "asked": str(problem.outcome), "rounds": rounds}
    return updates | {"reply": text, "question": text, "options": options, "form": form_as_view(form), "open": True, "shown": "", "card": {}}


def _time_stays(draft: Draft, form: LeaveForm, state: State, problem: Problem) -> tuple[Draft, LeaveForm]:
    """Times that cannot be are not kept: the form's earlier ones stay, the refused ones only complete half sentences."""
    before = draft_of(state)
    kept = state.get("good") or {}
    good = (datetime.fromisoformat(kept["start"]), datetime.fromisoformat(kept["end"])) if kept else None
    tried = draft.times or draft.tried or before.tried
    questions = {name: asked for name, asked in draft.questions.items() if name != "time"}
    if good is None:
        questions["time"] = problem
    start, end = good or (None, None)
    draft = replace(draft, start=start, end=end, tried=None if good else tried, questions=questions)
    return draft, replace(form, start=start, end=end)


async def _preview(form: LeaveForm, draft: Draft, old: Draft, state: State, context: Context, progress: bool) -> dict[str, Any]:
    preview = preview_of(form, context)
    request = preview.request.as_dict()
    same = bool(state.get("card")) and state["card"]["request"] == request
    if same and not progress and state.get("action") == "say" and "leave" in (state.get("touched") or ()) and not _restated(state, context):
        return unclear(state, context)
    token = await context.filing.mint(preview.request)
    preview = replace(preview, token=token)
    key = "same" if same else "changed" if state.get("card") else ""
    waiting = state.get("waiting") or []
    more = context.words.say("preview", "waiting", count=len(waiting), next=_summary(waiting[0], context)) if waiting else ""
    text = "\n".join(filter(None, [context.words.say("preview", key), context.words.preview(preview), more]))
    brief = "\n".join(filter(None, [context.words.say("preview", key), context.words.summary(preview), more]))
    draft = replace(draft, pending=None, questions={})
    return updates_for(old, draft) | {
        "outcome": str(Outcome.PREVIEW), "asked": str(Outcome.PREVIEW), "rounds": 0, "reply": text, "brief": brief, "question": "",
        "shown": token, "card": card_of(preview), "form": form_as_view(form), "open": True, "tried": {}, "failed": False,
        "good": {"start": draft.start.isoformat(), "end": draft.end.isoformat()} if draft.start and draft.end else {},
    }  # fmt: skip


def _restated(state: State, context: Context) -> bool:
    """Whether the message said a value that the form already had."""
    return any(found.what in ("time", "category", "agent", "memo", "event_date", "change") for found in context.meaning(state).found)


def _summary(waiting: dict[str, Any], context: Context) -> str:
    draft = draft_of(waiting)  # type: ignore[arg-type]  # kept in the state's own shape
    day = context.words.day(draft.start.date()) if draft.start else ""
    return " ".join(filter(None, [day, draft.category or ""]))


async def _take_away(state: State, context: Context) -> None:
    if state.get("shown"):
        await context.filing.revoke()


async def _dropped(state: State, context: Context, touched: set[str]) -> dict[str, Any]:
    """不用代理人了, 取消事由: refused where the field is required, the default where it is not."""
    draft = draft_of(state)
    kind = context.employee.leave_type(draft.category or (state.get("form") or {}).get("category") or "")
    if "unclear_agent" in touched:
        return unclear(state, context, "agent_required")
    if kind and kind.memo_required:
        return unclear(state, context, "memo_required")
    return await evaluate(draft.set("memo", None), {**state, "touched": [*touched, "progress"]}, context)


# ---- reset, and the next leave


async def _reset(state: State, context: Context) -> dict[str, Any]:
    words = context.words
    everything = state.get("action") == "reset" or any(word in state.get("text", "") for word in ("重新開始", "清除", "全部"))
    if state.get("cancel_wf"):
        return {"outcome": str(Outcome.RESET), "reply": words.say("reset", "declined"), "cancel_wf": "", "cancel_token": "", "change": {}}
    if state.get("action") == "discard" and not state.get("open"):
        return {"outcome": str(Outcome.NOTHING_TO_SUBMIT), "reply": words.say("nothing_to_submit")}
    if not state.get("open") and not everything and (wf_no := (state.get("sent") or {}).get("wf_no")):
        leave = next((leave for leave in await own_leaves(context) if leave.wf_no == wf_no and leave.status != "cancelled"), None)
        if leave:
            text, more = ask_cancel(context, leave)
            return more | {"outcome": str(Outcome.CONFIRM_CANCEL), "reply": text}
    await _take_away(state, context)
    cleared = _cleared()
    waiting = [] if everything else list(state.get("waiting") or [])
    if not waiting:
        return cleared | {"waiting": [], "outcome": str(Outcome.RESET), "reply": words.say("reset")}
    following = await _next(state, context, waiting)
    head = words.say("reset", "next") + "\n"
    spoken_now = {"reply": head + following["reply"], "brief": head + following.get("brief", following["reply"])}
    return cleared | following | spoken_now | {"outcome": str(Outcome.RESET), "also": [following["outcome"]]}


def _cleared() -> dict[str, Any]:
    return empty() | {"shown": "", "card": {}, "form": {}, "question": "", "good": {}, "failed": False, "sending": ""}


async def _next(state: State, context: Context, waiting: list[dict[str, Any]]) -> dict[str, Any]:
    """The next leave that waited, checked as if it had just been said."""
    draft = draft_of(waiting[0])  # type: ignore[arg-type]  # kept in the state's own shape
    fresh: State = {**state, "waiting": waiting[1:], "card": {}, "shown": "", "rounds": 0, "good": {}, "action": "next"}
    fresh["touched"] = ["progress"]
    following = await evaluate(draft, fresh, context)
    fields = updates_for(draft_of(state), draft_of({**empty(), **_last(following, draft)}))  # type: ignore[typeddict-item]
    return following | fields | {"waiting": waiting[1:]}


def _last(following: dict[str, Any], draft: Draft) -> dict[str, Any]:
    return updates_for(Draft(), draft) | {k: following[k] for k in ("pending", "tried", "questions") if k in following}


# ---- submission


async def _confirmed(state: State, context: Context) -> dict[str, Any]:
    typed = state.get("action") != "confirm"
    token = state.get("token", "") if not typed else state.get("shown", "")
    only = state.get("text", "").strip("!。. ,") in ("確認", "確定", "沒錯", "confirm")
    if state.get("cancel_wf") and ((typed and only) or (not typed and token == state.get("cancel_token"))):
        return await _cancelled(state, context)
    if state.get("sending"):
        return await _still_sending(state, context)
    if not token:
        sent = state.get("sent") or {}
        key = {"wf_no": sent["wf_no"]} if sent.get("wf_no") and not typed else {}
        text = context.words.say("nothing_to_submit", "used" if key else "", **key)
        return {"outcome": str(Outcome.NOTHING_TO_SUBMIT), "reply": text}
    if token != state.get("shown"):
        return await _not_this(state, context, token)
    return await _file(state, context, token)


async def _file(state: State, context: Context, token: str) -> dict[str, Any]:
    """Checks once more against fresh facts, then files exactly what is on screen; a changed picture is shown instead."""
    form, problem = (None, None) if state.get("failed") else await judged(draft_of(state), context)
    if form is not None and (problem or preview_of(form, context).request.as_dict() != state["card"]["request"]):
        return await _changed(state, context)
    try:
        filing = await context.filing.confirm(token)
    except StoreError:
        return {"outcome": str(Outcome.SUBMIT_FAILED), "reply": context.words.say("submit_failed", "store")}
    return await _filed(filing, token, state, context)


async def _changed(state: State, context: Context) -> dict[str, Any]:
    """What was on screen no longer holds: the form as it stands now."""
    again = await evaluate(draft_of(state), {**state, "touched": ["progress"]}, context)
    head = context.words.say("nothing_to_submit", "stale") + "\n"
    spoken_now = {"reply": head + again["reply"], "brief": head + again.get("brief", again["reply"])}
    return again | spoken_now | {"outcome": str(Outcome.NOTHING_TO_SUBMIT), "also": [again["outcome"]]}


async def _filed(filing: Any, token: str, state: State, context: Context) -> dict[str, Any]:
    words, card = context.words, state.get("card") or {}
    if filing.state in ("done", "used") and filing.receipt:
        return await _submitted(filing, state, context)
    if filing.state in ("pending", "used"):
        return {"outcome": str(Outcome.SUBMIT_PENDING), "reply": words.say("submit_pending"), "sending": token, "asked": ""}
    if filing.state == "handoff":
        return {"outcome": str(Outcome.SUBMIT_PENDING), "reply": words.say("submit_failed", "handoff"), "sending": token}
    if filing.state == "refused":
        request = LeaveRequest.from_dict(card["request"])
        fresh = await context.filing.mint(request)
        text = words.say("submit_failed", text=filing.text)
        return {"outcome": str(Outcome.SUBMIT_FAILED), "reply": text, "shown": fresh, "card": {**card, "token": fresh}, "failed": True, "sending": ""}
    return await _changed(state, context)


async def _submitted(filing: Any, state: State, context: Context) -> dict[str, Any]:
    card, wf_no = state.get("card") or {}, filing.receipt.wf_no
    text = context.words.say("submitted", wf_no=wf_no)
    result: dict[str, Any] = {"outcome": str(Outcome.SUBMITTED), "reply": text, "wf_no": wf_no}
    if card:
        result |= {"reply": text + "\n" + context.words.preview(preview_from(card)), "brief": text + "\n" + context.words.summary(preview_from(card))}
    cleared = _cleared() | {"sent": {"wf_no": wf_no, "token": card.get("token", "")}, "form": state.get("form") or {}}
    waiting = list(state.get("waiting") or [])
    if not waiting:
        return cleared | result
    context = await _refreshed(context)
    following = await _next(state, context, waiting)
    brief = result.get("brief", text) + "\n\n" + following.get("brief", following["reply"])
    result |= {"also": [following["outcome"]], "reply": result["reply"] + "\n\n" + following["reply"], "brief": brief}
    return cleared | following | result


async def _refreshed(context: Context) -> Context:
    """The context after something was filed: hours left and own leaves have changed."""
    try:
        return replace(context, employee=await context.eip.employee(context.account), window=None)
    except EipError:
        return context


async def _still_sending(state: State, context: Context) -> dict[str, Any]:
    """While pending nothing is sent again; the end result is told as soon as it is known."""
    filing = await context.filing.status(state["sending"])
    if filing and filing.state in ("done", "used") and filing.receipt:
        return await _submitted(filing, state, context)
    if filing and filing.state == "refused":
        return await _filed(filing, state["sending"], state, context)
    return {"outcome": str(Outcome.SUBMIT_PENDING), "reply": context.words.say("submit_pending")}


async def _not_this(state: State, context: Context, token: str) -> dict[str, Any]:
    """An old, used or foreign token files nothing; the current preview is shown, if there is one."""
    sent = state.get("sent") or {}
    if token == sent.get("token"):
        text = context.words.say("nothing_to_submit", "used", wf_no=sent["wf_no"])
    else:
        text = context.words.say("nothing_to_submit", "stale" if state.get("card") else "")
    if state.get("card"):
        text += "\n" + context.words.preview(preview_from(state["card"]))
    also = [str(Outcome.PREVIEW)] if state.get("card") else []
    return {"outcome": str(Outcome.NOTHING_TO_SUBMIT), "also": also, "reply": text}


async def _cancelled(state: State, context: Context) -> dict[str, Any]:
    wf_no, change = state["cancel_wf"], state.get("change") or {}
    done: dict[str, Any] = {"cancel_wf": "", "cancel_token": "", "change": {}}
    try:
        await context.eip.cancel(wf_no, context.account)
    except EipRefused as refused:
        # After a crash between the two steps the old leave is gone already, and the new one is still owed.
        if not change or not await is_cancelled(wf_no, context):
            text = context.words.say("cancel_failed", "refused", wf_no=wf_no, text=refused.text)
            return done | {"outcome": str(Outcome.CANCEL_FAILED), "reply": text}
    except EipError:
        return {"outcome": str(Outcome.CANCEL_FAILED), "reply": context.words.say("error", "eip")}
    await context.filing.forget(wf_no)
    text = context.words.say("leave_cancelled", wf_no=wf_no)
    cancelled = done | {"outcome": str(Outcome.LEAVE_CANCELLED), "reply": text}
    return await _filed_anew(change, cancelled, state, context) if change else cancelled


async def _filed_anew(change: dict[str, Any], cancelled: dict[str, Any], state: State, context: Context) -> dict[str, Any]:
    """The old leave is gone: exactly the form that was confirmed with it is filed; anything else is shown instead."""
    context = await _refreshed(context)
    begun = [updates_for(Draft(), draft_of(state))] if state.get("open") else []  # goes on afterwards
    waiting = [change["draft"], *begun, *(state.get("waiting") or [])]
    following = await _next({**state, "waiting": waiting}, context, waiting)
    if (following.get("card") or {}).get("request") == change["request"]:
        shown: State = {**state, **_flat(following), "cancel_wf": ""}  # type: ignore[typeddict-item]  # State's own keys
        following = following | await _file(shown, context, following["shown"])
    told = {key: f"{cancelled['reply']}\n{following.get(key) or following['reply']}" for key in ("reply", "brief")}
    also = [following["outcome"], *following.get("also", [])]
    return cancelled | following | told | {"outcome": cancelled["outcome"], "also": also}


def _flat(updates: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in updates.items() if key != "messages"}
