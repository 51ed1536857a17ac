"""Which model the settings name."""

from typing import TYPE_CHECKING

from model.settings import LlmSettings
from module.llm.breaker import GuardedLlm
from module.llm.port import Llm

if TYPE_CHECKING:
    from module.llm.ollama import OllamaLlm
    from module.llm.openai_compatible import OpenAiCompatibleLlm


def build_llm(settings: LlmSettings) -> Llm | None:
    """The model behind its breaker; None for provider none. Touches no network."""
    server = server_of(settings)
    return server and GuardedLlm(server, concurrency=settings.concurrency, patience=settings.timeout)


def server_of(settings: LlmSettings) -> "OllamaLlm | OpenAiCompatibleLlm | None":
    """The model's server alone; None for provider none."""
    match settings.provider:
        case "none":
            return None
        case "ollama":
            from module.llm.ollama import OllamaLlm

            return OllamaLlm(settings)
        case "openai":
            from module.llm.openai_compatible import OpenAiCompatibleLlm

            return OpenAiCompatibleLlm(settings)
