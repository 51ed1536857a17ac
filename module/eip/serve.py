"""Runs the EIP server, and writes its contract down."""

import json
from collections.abc import Callable
from typing import cast

from model.errors import ConfigError
from module.eip.port import Eip
from module.eip.server import create

SHORTEST_KEY, DRAIN_S = 16, 10


def contract_text() -> str:
    """The OpenAPI description, as docs/eip-openapi.json holds it."""
    nobody = cast(Eip, None)  # describing the routes asks no EIP
    return json.dumps(create(nobody, "").openapi(), ensure_ascii=False, indent=2)


def serve_eip(open_eip: Callable[[], Eip], api_key: str, host: str, port: int) -> None:
    """Serves until it is told to stop; requests under way are finished. Raises ConfigError."""
    if len(api_key) < SHORTEST_KEY:
        raise ConfigError(
            f"環境變數 LEAVEBOT_EIP_API_KEY：要有至少 {SHORTEST_KEY} 個字的金鑰，例如 openssl rand -hex 24"
        )
    import uvicorn  # only the server needs it

    app = create(open_eip(), api_key)
    uvicorn.run(
        app, host=host, port=port, log_config=None, access_log=False, ws="none", server_header=False,
        timeout_graceful_shutdown=DRAIN_S, timeout_keep_alive=5, proxy_headers=False,
    )  # fmt: skip
