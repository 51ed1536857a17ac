"""The picture: START → chat → checkChatType → (answer →)? (rewrite → checkForm →)? END."""

from collections.abc import Awaitable, Callable
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from model.state import KEEP, State, flat, held, schema
from module.nodes.answer import answer
from module.nodes.chat import chat
from module.nodes.check_chat_type import check_chat_type
from module.nodes.check_form import check_form
from module.nodes.context import Context
from module.nodes.rewrite import rewrite


def compile_graph(saver: BaseCheckpointSaver[Any], keep: int = KEEP) -> Any:
    """The graph over a checkpointer, compiled once per process; form lists keep so many values."""
    state = schema(keep)
    graph = StateGraph(state, context_schema=Context)
    graph.add_node("chat", _over(chat), input_schema=state)
    graph.add_node("checkChatType", _over(check_chat_type), input_schema=state, destinations=("answer", "rewrite"))
    graph.add_node("answer", _over(answer), input_schema=state, destinations=("rewrite", END))
    graph.add_node("rewrite", _over(rewrite), input_schema=state)
    graph.add_node("checkForm", _over(check_form), input_schema=state)
    graph.add_edge(START, "chat")
    graph.add_edge("chat", "checkChatType")
    # checkChatType → answer | rewrite, answer → rewrite | END: each says so itself (Command)
    graph.add_edge("rewrite", "checkForm")
    graph.add_edge("checkForm", END)
    return graph.compile(checkpointer=saver)


def _over(node: Callable[[State, Runtime[Context]], Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """The node over the state as the graph holds it."""

    async def run(state: dict[str, Any], runtime: Runtime[Context]) -> Any:
        said = await node(flat(state), runtime)
        if isinstance(said, Command):
            return Command(goto=said.goto, update=held(said.update or {}))
        return held(said)

    return run
