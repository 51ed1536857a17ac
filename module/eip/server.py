"""The embedded EIP over HTTP. What it serves is the contract: docs/eip-openapi.json is its own description."""

import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Header, Path, Query, Request
from fastapi.exception_handlers import http_exception_handler
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.security import APIKeyHeader
from starlette.exceptions import HTTPException
from starlette.responses import Response

from model.errors import EipError, EipRefused
from model.outcome import Outcome
from module.eip import contract as wire
from module.eip.guard import Guard
from module.eip.ledger import ALREADY_CANCELLED, HAS_BEGUN, KEY_USED, UNKNOWN_ACCOUNT, UNKNOWN_NUMBER
from module.eip.port import Eip
from module.eip.rules import REFUSALS

LONGEST_RANGE = timedelta(days=3660)
STATUSES = {UNKNOWN_ACCOUNT: 404, UNKNOWN_NUMBER: 404, ALREADY_CANCELLED: 409, HAS_BEGUN: 409, KEY_USED: 409}
ERRORS = {
    400: "The request is not of this contract. Nothing was done.",
    401: "The API key is missing or wrong. Nothing was done.",
    403: "The API key may not do this. Nothing was done.",
    404: "No such employee, or no such leave of that employee. Nothing was done.",
    409: "Refused because of what stands already (same time, same key, cancelled before). Nothing was done.",
    422: "Refused by a leave rule; the message is for the employee. Nothing was done.",
    413: "More than 64 kB. Nothing was done.",
    429: "Too many requests at once; Retry-After says after how many seconds to try again.",
    500: "A fault of the server: whether anything was done is not known. Ask by reference before sending again.",
    503: "Cannot work now: whether anything was done is not known. Ask by reference before sending again.",
}
RESPONSES: dict[int | str, dict[str, Any]] = {
    code: {"description": text, "model": wire.ErrorPart} for code, text in ERRORS.items()
}
Account = Annotated[str, Path(min_length=1, max_length=200)]
First = Annotated[wire.Moment, Query(alias="start")]
Last = Annotated[wire.Moment, Query(alias="end", description="not included")]


class _Wrong(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def create(eip: Eip, api_key: str) -> FastAPI:
    """The application over that EIP; every request needs the header X-API-Key with that key."""
    scheme = APIKeyHeader(name="X-API-Key", auto_error=False)

    async def keyed(given: Annotated[str | None, Depends(scheme)]) -> None:
        if not hmac.compare_digest((given or "").encode(), api_key.encode()):
            raise _Wrong(401, "(WF) API 金鑰不正確")

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        yield
        if close := getattr(eip, "close", None):
            close()

    app = FastAPI(
        title="請假 EIP", version="1.0", lifespan=life, docs_url=None, redoc_url=None, openapi_url="/openapi.json"
    )
    app.include_router(_routes(eip), prefix="/v1", dependencies=[Depends(keyed)], responses=RESPONSES)
    app.add_middleware(Guard)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _unread)
    app.add_exception_handler(EipError, _refused)
    app.add_exception_handler(_Wrong, _wrong)
    app.add_exception_handler(Exception, _fault)
    return app


def _routes(eip: Eip) -> APIRouter:
    routes = APIRouter()

    @routes.get("/employees/{account}", summary="Employee with substitutes, leave types and minutes left")
    async def employee(account: Account) -> wire.EmployeePart:
        return wire.EmployeePart.of(await eip.employee(account))

    @routes.get("/employees/{account}/leaves", summary="Own leaves, cancelled ones too, that touch [start, end)")
    async def leaves(account: Account, start: First, end: Last) -> wire.LeavesPart:
        _in_range(start, end)
        return wire.LeavesPart(leaves=tuple(map(wire.LeavePart.of, await eip.leaves(account, start, end))))

    @routes.get("/employees/{account}/absences", summary="When the own substitutes are away within [start, end)")
    async def absences(account: Account, start: First, end: Last) -> wire.AbsencesPart:
        _in_range(start, end)
        return wire.AbsencesPart.of(await eip.absences(account, start, end))

    @routes.get("/calendar/{year}", summary="Working hours and days off")
    async def calendar(year: Annotated[int, Path(ge=2001, le=2097)]) -> wire.CalendarPart:
        return wire.CalendarPart.of(await eip.calendar(year))

    @routes.post("/leaves", summary="File a leave once per Idempotency-Key", description=SUBMIT)
    async def submit(body: wire.SubmitBody, idempotency_key: Annotated[wire.Key, Header()]) -> wire.ReceiptPart:
        if body.reference != idempotency_key:
            raise _Wrong(400, "reference: not the Idempotency-Key")
        receipt = await eip.submit(body.value(), idempotency_key)
        return wire.ReceiptPart.of(idempotency_key, receipt)

    @routes.get("/leaves/by-reference/{reference}", summary="The leave filed under that reference", description=FIND)
    async def find(reference: Annotated[str, Path(pattern=wire.KEY_PATTERN)]) -> wire.FoundPart:
        return wire.FoundPart.of(reference, await eip.find(reference))

    @routes.post("/leaves/{wf_no}/cancel", summary="Cancel the employee's own leave")
    async def cancel(
        wf_no: Annotated[str, Path(min_length=1, max_length=200)], body: wire.CancelBody
    ) -> wire.LeavePart:
        return wire.LeavePart.of(await eip.cancel(wf_no, body.account))

    @routes.post("/leaves/validate", summary="Dry run: the checks of a submission, filing nothing")
    async def validate(body: wire.DryRunBody) -> wire.ProblemsPart:
        return wire.ProblemsPart.of(await eip.validate(body.value(), body.today))

    return routes


SUBMIT = (
    "The same key with the same leave gives the same receipt, however often it is sent. After an answer that was lost "
    "or is not of this contract the client asks by reference before it sends again."
)
FIND = "`found` is false only when there is certainly none; a leave cancelled since is found too."


def _in_range(start: wire.Moment, end: wire.Moment) -> None:
    if not start <= end <= start + LONGEST_RANGE:
        raise _Wrong(400, f"end: expected from start to {LONGEST_RANGE.days} days later")


def _error(status: int, message: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"message": message[:500]}, status, headers)


async def _malformed(_: Request, wrong: Exception) -> JSONResponse:
    assert isinstance(wrong, RequestValidationError)
    first = wrong.errors()[0]
    return _error(400, f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}")


async def _unread(request: Request, wrong: Exception) -> Response:
    """A body that is no JSON. An unknown route stays as it is: it must not look like a refusal of the EIP."""
    assert isinstance(wrong, HTTPException)
    return _error(400, "body: not JSON") if wrong.status_code == 400 else await http_exception_handler(request, wrong)


async def _refused(_: Request, wrong: Exception) -> JSONResponse:
    if not isinstance(wrong, EipRefused):
        return _error(503, "(WF) 系統忙碌，請稍後再試", {"Retry-After": "5"})
    clash = wrong.text.startswith(REFUSALS[Outcome.OVERLAPS])
    return _error(409 if clash else STATUSES.get(wrong.text, 422), wrong.text)


async def _wrong(_: Request, wrong: Exception) -> JSONResponse:
    assert isinstance(wrong, _Wrong)
    return _error(wrong.status, str(wrong))


async def _fault(_: Request, __: Exception) -> JSONResponse:
    return _error(500, "(WF) 系統錯誤")
