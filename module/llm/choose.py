"""Which model the settings name."""

from model.settings import LlmSettings
from module.llm.breaker import GuardedLlm
from module.llm.port import Llm


def build_llm(settings: LlmSettings) -> Llm | None:
    """The model behind its breaker; None for provider none. Touches no network."""
    match settings.provider:
        case "none":
            return None
        case "ollama":
            from module.llm.ollama import OllamaLlm

            chosen: Llm = OllamaLlm(settings)
        case "openai":
            from module.llm.openai_compatible import OpenAiCompatibleLlm

            chosen = OpenAiCompatibleLlm(settings)
    return GuardedLlm(chosen, concurrency=settings.concurrency, patience=settings.timeout)
