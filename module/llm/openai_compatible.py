"""Any server that speaks OpenAI's chat completions: LM Studio, vLLM, llama.cpp."""

import asyncio

import httpx

from model.errors import ModelError
from model.settings import LlmSettings
from module.llm.foreign import mapped
from module.llm.per_loop import NO_KEPT_CONNECTIONS, PerLoop

CONNECT_SECONDS = 3.0


class OpenAiCompatibleLlm:
    """A model behind POST /v1/chat/completions with `response_format` json_schema.

    Attributes:
        tokens: read and written in all calls that were answered, as the server counts them.
    """

    def __init__(self, settings: LlmSettings) -> None:
        self._settings = settings
        self._client = PerLoop(self._build)
        self.tokens = (0, 0)

    @property
    def name(self) -> str:
        """The model's name at the server."""
        return self._settings.model

    async def complete(self, system: str, user: str, schema: dict[str, object]) -> str:
        """See Llm.complete."""
        with mapped(self.name):
            async with asyncio.timeout(self._settings.timeout):
                answer = await self._client.get().post("/chat/completions", json=self._body(system, user, schema))
            answer.raise_for_status()
            told = answer.json()
            choice = told["choices"][0]
            content = choice["message"]["content"]
        used = told.get("usage") or {}
        self.tokens = (self.tokens[0] + used.get("prompt_tokens", 0), self.tokens[1] + used.get("completion_tokens", 0))
        if choice.get("finish_reason") != "stop" or not isinstance(content, str):
            raise ModelError(f"{self.name}: answer not finished ({choice.get('finish_reason')})")
        return content

    async def probe(self) -> str:
        """See Llm.probe."""
        try:
            answer = await self._client.get().get("/models", timeout=CONNECT_SECONDS)
            answer.raise_for_status()
            models = [str(model["id"]) for model in answer.json()["data"]]
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            place = f"{self._settings.base_url}，{type(error).__name__}"
            return f"連不上模型伺服器（{place}）：請啟動它，或改 [llm] base_url"
        if self.name not in models:
            return f"模型伺服器沒有 {self.name}：請載入它，或把 [llm] model 改成 {'、'.join(models[:3])}"
        return ""

    def _body(self, system: str, user: str, schema: dict[str, object]) -> dict[str, object]:
        return {
            "model": self.name,
            "temperature": self._settings.temperature,
            "max_tokens": self._settings.num_predict,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": schema},
            },
        }

    def _build(self) -> httpx.AsyncClient:
        chosen = self._settings
        base = chosen.base_url.rstrip("/").removesuffix("/v1")
        return httpx.AsyncClient(
            base_url=f"{base}/v1",
            timeout=httpx.Timeout(chosen.timeout, connect=CONNECT_SECONDS),
            trust_env=False,
            limits=NO_KEPT_CONNECTIONS,
            headers={"Authorization": f"Bearer {chosen.api_key}"} if chosen.api_key else {},
        )
