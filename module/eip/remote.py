"""The company's EIP over HTTP, where the settings name one."""

from model.errors import ConfigError
from model.settings import EipSettings
from module.eip.port import Eip


def remote(chosen: EipSettings) -> Eip | None:
    """The adapter for [eip] provider = http, or None for the embedded EIP. Raises ConfigError."""
    if chosen.provider != "http":
        return None
    if not chosen.api_key:
        raise ConfigError("[eip] provider = http：缺少 API 金鑰，請設定環境變數 LEAVEBOT_EIP_API_KEY")
    from module.eip.classic import ClassicEip
    from module.eip.http import HttpEip, Wire

    eip = HttpEip(chosen.base_url, chosen.api_key, chosen.timeout)
    if not chosen.filing_url:
        return eip
    return ClassicEip(eip, Wire(chosen.filing_url, chosen.api_key, chosen.timeout))
