"""One structured call: schema out, repaired and validated answer in, one retry, then None."""

import asyncio
from collections.abc import Callable, Mapping
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from model.errors import ModelError, ModelUnavailable
from module.llm.extraction import SCHEMA, Extraction, ExtractionContext, Said, prompt
from module.llm.older import extraction_of
from module.llm.port import Llm
from module.llm.text import json_object, marked, neutralised

__all__ = ["Extraction", "ExtractionContext", "Said", "ask", "extract", "marked"]

Answer = TypeVar("Answer", bound=BaseModel)
DEADLINE = 20.0
RETRY = "\n\n上一次的回答不能用：{errors}。請照規定只回一個 JSON 物件。"
NO_JSON = "裡面沒有 JSON 物件"


async def ask(
    llm: Llm,
    system: str,
    user: str,
    kind: type[Answer],
    context: Mapping[str, object],
    *,
    schema: dict[str, object] | None = None,
    read: Callable[[str], dict[str, object] | None] = json_object,
    deadline: float = DEADLINE,
) -> Answer | None:
    """Asks once, and once more with the errors; both calls together within `deadline` seconds.

    Args:
        user: goes out as it is; put what an employee wrote through `marked`.
        context: what the validators of `kind` check against (pydantic's validation context).
        schema: sent to the model; that of `kind` by default.
        read: a reply as plain values, None when there is nothing to validate.

    Returns None when there is no valid answer or no model to ask. Raises nothing of ours.
    """
    wanted = schema or kind.model_json_schema()
    errors = ""
    try:
        async with asyncio.timeout(deadline):
            for _ in range(2):
                try:
                    reply = await llm.complete(system, user + (RETRY.format(errors=errors) if errors else ""), wanted)
                except ModelUnavailable:
                    return None
                except ModelError as error:
                    errors = str(error)
                    continue
                answer, errors = _validated(read(reply), kind, context)
                if answer is not None:
                    return answer
    except TimeoutError:
        return None
    return None


async def extract(llm: Llm, text: str, context: ExtractionContext, deadline: float = DEADLINE) -> Extraction | None:
    """What the model quotes from the employee's message; None when it has no usable answer.

    Every `words` stands in the message; a `plain` names a type or substitute of the context, or holds no date that
    the message lacks.
    """
    return await ask(
        llm,
        prompt(context),
        _question(text, context),
        Extraction,
        {"text": text, "context": context},
        schema=SCHEMA,
        read=lambda reply: extraction_of(reply, text),
        deadline=deadline,
    )


def _question(text: str, context: ExtractionContext) -> str:
    parts = [marked(text)]
    if context.reading:
        parts.append(f"程式已讀出：{neutralised(context.reading)}")
    if context.leftover:
        parts.append(f"還沒讀懂的部分：\n{marked(context.leftover)}")
    return "\n\n".join(parts)


def _validated(
    found: dict[str, object] | None, kind: type[Answer], context: Mapping[str, object]
) -> tuple[Answer | None, str]:
    if found is None:
        return None, NO_JSON
    try:
        return kind.model_validate(found, context=dict(context)), ""
    except ValidationError as wrong:
        # The message tells what is expected; what was given instead is not repeated.
        places = (
            f"{'.'.join(map(str, error['loc']))} {error['msg'].removeprefix('Value error, ')[:120]}"
            for error in wrong.errors(include_input=False, include_url=False)[:3]
        )
        return None, "；".join(places)
