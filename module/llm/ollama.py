"""Ollama through langchain-ollama's ChatOllama."""

import asyncio
import importlib
from typing import TYPE_CHECKING

import httpx

from model.errors import ModelError
from model.settings import LlmSettings
from module.llm.foreign import mapped
from module.llm.per_loop import NO_KEPT_CONNECTIONS, PerLoop

if TYPE_CHECKING:
    from langchain_ollama import ChatOllama

CONNECT_SECONDS = 3.0


class OllamaLlm:
    """A model of a local Ollama. The client is built once and langchain-ollama imported on first use.

    Attributes:
        tokens: read and written in all calls that were answered, as the server counts them.
    """

    def __init__(self, settings: LlmSettings) -> None:
        self._settings = settings
        self._chat: PerLoop[ChatOllama] = PerLoop(self._build)
        self.tokens = (0, 0)

    @property
    def name(self) -> str:
        """The model's name in Ollama."""
        return self._settings.model

    async def complete(self, system: str, user: str, schema: dict[str, object]) -> str:
        """See Llm.complete. A stream that was cut looks complete; only done_reason tells."""
        # The import takes seconds and must neither stop the loop nor count as the model's time.
        await asyncio.to_thread(importlib.import_module, "langchain_ollama")
        with mapped(self.name):
            async with asyncio.timeout(self._settings.timeout):
                answer = await self._chat.get().ainvoke([("system", system), ("human", user)], format=schema)
        if used := answer.usage_metadata:
            self.tokens = (self.tokens[0] + used["input_tokens"], self.tokens[1] + used["output_tokens"])
        reason = answer.response_metadata.get("done_reason")
        if reason != "stop":
            raise ModelError(f"{self.name}: answer not finished ({reason})")
        return str(answer.content)

    async def probe(self) -> str:
        """See Llm.probe."""
        url = self._settings.base_url.rstrip("/")
        try:
            async with httpx.AsyncClient(timeout=CONNECT_SECONDS, trust_env=False) as client:
                answer = await client.get(f"{url}/api/tags")
                answer.raise_for_status()
                models = [str(model["name"]) for model in answer.json()["models"]]
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            return f"連不上 Ollama（{url}，{type(error).__name__}）：請執行 ollama serve"
        if not {self.name, f"{self.name}:latest"} & set(models):
            return f"Ollama 沒有模型 {self.name}：請執行 ollama pull {self.name}"
        await asyncio.to_thread(importlib.import_module, "langchain_ollama")
        return ""

    def _build(self) -> "ChatOllama":
        from langchain_ollama import ChatOllama

        chosen = self._settings
        return ChatOllama(
            model=chosen.model,
            base_url=chosen.base_url,
            temperature=chosen.temperature,
            num_ctx=chosen.num_ctx,
            num_predict=chosen.num_predict,
            keep_alive=chosen.keep_alive,
            client_kwargs={
                "timeout": httpx.Timeout(chosen.timeout, connect=CONNECT_SECONDS),
                "trust_env": False,
                "limits": NO_KEPT_CONNECTIONS,
            },
        )
