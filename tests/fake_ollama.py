"""A loopback stand-in for a model server: Ollama's and OpenAI's chat, with faults as data."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from types import TracebackType

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route


@dataclass
class Fault:
    """What goes wrong: an HTTP status, a cut stream, a hang in seconds, a word now and then for ever, a senseless line, or a done reason."""

    status: int = 200
    cut: bool = False
    hang: float = 0.0
    trickle: bool = False
    garbage: bool = False
    reason: str = "stop"


@dataclass
class FakeOllama:
    """`with FakeOllama(reply="{}") as server:` serves at server.url and keeps every request body."""

    reply: str = '{"intent": "other"}'
    fault: Fault = field(default_factory=Fault)
    models: tuple[str, ...] = ("llama3:8b-instruct-q8_0",)
    requests: list[dict[str, object]] = field(default_factory=list)

    async def tags(self, _: Request) -> Response:
        return JSONResponse({"models": [{"name": name} for name in self.models]})

    async def openai_models(self, _: Request) -> Response:
        return JSONResponse({"data": [{"id": name} for name in self.models]})

    async def chat(self, request: Request) -> Response:
        body = json.loads(await request.body())
        self.requests.append(body)
        if body["model"] not in self.models:
            return JSONResponse({"error": "model not found"}, 404)
        if self.fault.status != 200:
            return JSONResponse({"error": "busy"}, self.fault.status)
        if body.get("stream") is False:
            await asyncio.sleep(self.fault.hang)
            message = {"role": "assistant", "content": self.reply}
            return JSONResponse({"model": body["model"], "message": message, "done": True, "done_reason": self.fault.reason})
        return StreamingResponse(self._lines(body["model"]), media_type="application/x-ndjson")

    async def openai_chat(self, request: Request) -> Response:
        self.requests.append(json.loads(await request.body()))
        await asyncio.sleep(self.fault.hang)
        if self.fault.status != 200:
            return JSONResponse({"error": "busy"}, self.fault.status)
        choice = {"message": {"role": "assistant", "content": self.reply}, "finish_reason": self.fault.reason}
        return JSONResponse({"choices": [] if self.fault.garbage else [choice]})

    async def _lines(self, model: str) -> AsyncIterator[str]:
        await asyncio.sleep(self.fault.hang)
        common = {"model": model, "created_at": "2026-11-30T00:00:00Z"}
        if self.fault.garbage:
            yield "<html>\n"
        while self.fault.trickle:
            yield json.dumps({**common, "message": {"role": "assistant", "content": "假"}, "done": False}) + "\n"
            await asyncio.sleep(0.05)
        yield json.dumps({**common, "message": {"role": "assistant", "content": self.reply}, "done": False}) + "\n"
        if not self.fault.cut:
            end = {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": self.fault.reason}
            yield json.dumps({**common, **end}) + "\n"

    def __enter__(self) -> "FakeOllama":
        routes = [
            Route("/api/tags", self.tags),
            Route("/api/chat", self.chat, methods=["POST"]),
            Route("/v1/models", self.openai_models),
            Route("/v1/chat/completions", self.openai_chat, methods=["POST"]),
        ]
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        config = uvicorn.Config(Starlette(routes=routes), log_level="critical", lifespan="off", ws="none")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self._server.should_exit = self._server.force_exit = True
        self._thread.join(5)
        self._socket.close()
