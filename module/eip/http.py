"""A company's EIP by the REST contract of module/eip/contract.py. What may be concluded from an answer stands in one table."""

import asyncio
import ssl
from datetime import date, datetime, timedelta
from typing import TypeVar
from urllib.parse import quote

import httpx
import structlog
from pydantic import BaseModel, ValidationError

from model.company import Absence, Employee, Leave
from model.errors import EipDoubt, EipRefused, EipUnreachable
from model.form import LeaveRequest
from model.outcome import Problem
from model.worktime import WorkCalendar
from module.eip import contract as wire
from module.eip.port import Around, Known, Receipt

LARGEST = 1024 * 1024
CONNECT_S, PAUSE_S = 3.0, 0.2
MINUTE = timedelta(minutes=1)
Answer = TypeVar("Answer", bound=BaseModel)
Plain = dict[str, object] | None
Params = dict[str, str] | None
Reply = tuple[int, bytes]

# First match wins; whatever stands in neither table is doubt. A connection that was never made carried nothing.
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol, httpx.InvalidURL)
REFUSALS = frozenset({400, 404, 409, 413, 422})
DENIALS = frozenset({401, 403})


class Wire:
    """One exchange after the other with an EIP over HTTP: bounded in time and size, without redirects or proxies."""

    def __init__(self, url: str, api_key: str, timeout_s: float) -> None:
        """`timeout_s` is for a whole exchange, from the name's look-up to the answer's last byte."""
        self._url, self._timeout_s = url.rstrip("/"), timeout_s
        self._headers = {"X-API-Key": api_key, "Accept-Encoding": "identity"}
        self._trust = ssl.create_default_context()
        self._denied = False

    async def exchange(self, method: str, path: str, json: Plain = None, params: Params = None, key: str = "") -> Reply:
        """Status (200 or one of REFUSALS) and body. Raises EipUnreachable when certainly nothing was done, EipDoubt when nobody knows."""
        try:
            async with asyncio.timeout(self._timeout_s):
                status, body = await self._talk(method, path, json, params, key)
        except NOT_SENT as wrong:
            raise EipUnreachable(f"{method} {path}: {type(wrong).__name__}") from wrong
        except (httpx.HTTPError, OSError) as wrong:  # TimeoutError is an OSError
            raise EipDoubt(f"{method} {path}: {type(wrong).__name__}") from wrong
        self._watch(status)
        if status in DENIALS:
            raise EipUnreachable(f"{method} {path}: status {status}")
        if status != 200 and status not in REFUSALS:
            raise EipDoubt(f"{method} {path}: status {status}")
        return status, body

    async def _talk(self, method: str, path: str, json: Plain, params: Params, key: str) -> Reply:
        # A kept connection that the other side has closed meanwhile would be doubt for nothing: each has its own.
        timeout = httpx.Timeout(self._timeout_s, connect=min(CONNECT_S, self._timeout_s))
        headers = self._headers | ({"Idempotency-Key": key} if key else {})
        async with (
            httpx.AsyncClient(verify=self._trust, timeout=timeout, trust_env=False, follow_redirects=False) as client,
            client.stream(method, self._url + path, headers=headers, json=json, params=params) as answer,
        ):
            return answer.status_code, await _read(answer)

    def _watch(self, status: int) -> None:
        """An expired key is told to the log once, and once that it works again."""
        denied = status in DENIALS
        if denied != self._denied:
            self._denied = denied
            log = structlog.get_logger()
            if denied:
                log.error("eip_key_denied", status=status, remedy="LEAVEBOT_EIP_API_KEY")
            else:
                log.info("eip_key_accepted")


async def _read(answer: httpx.Response) -> bytes:
    """At most LARGEST bytes; empty, which is no JSON, when there are more or they are packed."""
    if answer.headers.get("content-encoding", "identity") != "identity":
        return b""
    body = b""
    async for part in answer.aiter_raw():
        body += part
        if len(body) > LARGEST:
            return b""
    return body


def parsed(kind: type[Answer], body: bytes) -> Answer:
    """The answer, read strictly. Raises EipDoubt."""
    try:
        return kind.model_validate_json(body)
    except ValidationError as wrong:
        raise EipDoubt(f"no {kind.__name__}: {wrong.errors()[0]['type']}") from None


class HttpEip:
    """Implements the port `Eip`. What only reads is tried twice within its time; what writes is sent once."""

    def __init__(self, url: str, api_key: str, timeout_s: float = 8.0) -> None:
        """`url` is where the contract's /v1 begins, like https://eip.example.com/leave."""
        self._wire = Wire(url, api_key, timeout_s)
        self._timeout_s = timeout_s

    async def employee(self, account: str) -> Employee:
        """See the port."""
        return (await self._get(f"/v1/employees/{_part(account)}", wire.EmployeePart)).value()

    async def calendar(self, year: int) -> WorkCalendar:
        """See the port."""
        return (await self._get(f"/v1/calendar/{year}", wire.CalendarPart)).value()

    async def leaves(self, account: str, start: datetime, end: datetime) -> tuple[Leave, ...]:
        """See the port."""
        path = f"/v1/employees/{_part(account)}/leaves"
        return tuple(leave.value() for leave in (await self._get(path, wire.LeavesPart, **_span(start, end))).leaves)

    async def absences(self, account: str, start: datetime, end: datetime) -> tuple[Absence, ...]:
        """See the port."""
        path = f"/v1/employees/{_part(account)}/absences"
        return (await self._get(path, wire.AbsencesPart, **_span(start, end))).value()

    async def around(self, account: str, start: datetime, end: datetime) -> Around:
        """See the port; the two look-ups run side by side."""
        leaves, absences = await asyncio.gather(self.leaves(account, start, end), self.absences(account, start, end))
        return leaves, absences  # gather gives a list

    async def known(self, account: str, start: datetime, end: datetime) -> Known:
        """See the port; the three look-ups run side by side."""
        when = (account, start, end)
        return await asyncio.gather(self.employee(account), self.leaves(*when), self.absences(*when))

    async def validate(self, request: LeaveRequest, today: date) -> tuple[Problem, ...]:
        """See the port."""
        body = _json(wire.DryRunBody.of(request, today=today))
        answer = await self._patiently("POST", "/v1/leaves/validate", wire.ProblemsPart, json=body)
        return tuple(problem.value() for problem in answer.problems)

    async def submit(self, request: LeaveRequest, key: str) -> Receipt:
        """See the port. Sent once, whatever happens; an answer for another reference is doubt."""
        body = _json(wire.SubmitBody.of(request, reference=key))
        answer = await self._once("POST", "/v1/leaves", wire.ReceiptPart, json=body, key=key)
        return _ours(answer, key).value()

    async def find(self, key: str) -> Receipt | None:
        """See the port."""
        answer = await self._get(f"/v1/leaves/by-reference/{_part(key)}", wire.FoundPart)
        receipt = _ours(answer, key).receipt
        return receipt.value() if receipt else None

    async def cancel(self, wf_no: str, account: str) -> Leave:
        """See the port. Sent once."""
        body = _json(wire.CancelBody(account=account))
        leave = await self._once("POST", f"/v1/leaves/{_part(wf_no)}/cancel", wire.LeavePart, json=body)
        if (leave.wf_no, leave.status) != (wf_no, "cancelled"):
            raise EipDoubt("cancel: another leave came back")
        return leave.value()

    async def _get(self, path: str, kind: type[Answer], **params: str) -> Answer:
        return await self._patiently("GET", path, kind, params=params)

    async def _patiently(
        self, method: str, path: str, kind: type[Answer], json: Plain = None, params: Params = None
    ) -> Answer:
        try:
            async with asyncio.timeout(self._timeout_s):
                try:
                    return await self._once(method, path, kind, json, params)
                except (EipDoubt, EipUnreachable):
                    await asyncio.sleep(PAUSE_S)
                    return await self._once(method, path, kind, json, params)
        except TimeoutError as wrong:
            raise EipDoubt(f"{method} {path}: out of time") from wrong

    async def _once(
        self, method: str, path: str, kind: type[Answer], json: Plain = None, params: Params = None, key: str = ""
    ) -> Answer:
        status, body = await self._wire.exchange(method, path, json, params, key)
        if status in REFUSALS:
            raise EipRefused(parsed(wire.ErrorPart, body).message)
        return parsed(kind, body)


Referring = TypeVar("Referring", wire.ReceiptPart, wire.FoundPart)


def _ours(answer: Referring, key: str) -> Referring:
    if answer.reference != key:
        raise EipDoubt("an answer for another reference")
    return answer


def _part(text: str) -> str:
    return quote(text, safe="")


def _json(body: BaseModel) -> dict[str, object]:
    return body.model_dump(mode="json")


def _span(start: datetime, end: datetime) -> dict[str, str]:
    """Leaves begin and end on whole minutes, so a range rounded outwards touches the same ones."""
    first, last = start.replace(second=0, microsecond=0), end.replace(second=0, microsecond=0)
    last += MINUTE if last < end else timedelta()
    return {"start": first.isoformat(timespec="minutes"), "end": last.isoformat(timespec="minutes")}
