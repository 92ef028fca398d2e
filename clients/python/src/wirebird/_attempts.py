"""When a request is repeated. A repeat is the same request, byte for byte, so it never sends twice."""

from __future__ import annotations

import json
import logging
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Union

import httpx

from ._errors import NewerError, NoAnswerError, UnexpectedAnswerError, WirebirdError
from ._generated.errors import ERROR_CLASSES

log = logging.getLogger("wirebird")

# The first pause after a lost answer; each further one is twice as long.
PAUSE_SECONDS = 0.5
PAUSE_SECONDS_MAX = 8.0

Result = Union[httpx.Response, httpx.RequestError]


@dataclass(frozen=True)
class Patience:
    max_attempts: int
    timeout_seconds: float
    """No pause before another attempt leads past this time after the first one."""


@dataclass(frozen=True)
class Call:
    verb: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None
    repeatable: bool
    """Repeating it after a lost answer does nothing twice."""
    own_key: bool = False
    """The call made its idempotency key, so no earlier call has used it."""
    expires_in_seconds: int | None = None
    """Its message is not wanted after this time, so it is not posted again then."""


@dataclass(frozen=True)
class Answer:
    data: Any
    headers: Mapping[str, str]


class Attempts:
    """Judges the attempts of one call."""

    def __init__(self, call: Call, patience: Patience) -> None:
        self._call = call
        self._patience = patience
        self._count = 0
        seconds = patience.timeout_seconds
        if call.expires_in_seconds is not None:
            seconds = min(seconds, call.expires_in_seconds)
        self._until = time.monotonic() + seconds
        self._lost = False

    def judge(self, result: Result) -> Answer | float:
        """The answer, or the seconds until the next attempt. Raises WirebirdError after the last one."""
        self._count += 1
        read = _read(result)
        if isinstance(read, Answer):
            return read
        read.idempotency_key = self._call.headers.get("Idempotency-Key")
        if isinstance(read, NoAnswerError):
            # A request whose connection was refused cannot have arrived.
            refused = isinstance(result, (httpx.ConnectError, httpx.ConnectTimeout))
            self._lost = self._lost or not refused
            read.may_be_sent = self._lost
            pause = self._backoff() if refused or self._call.repeatable else None
        else:
            # Only the header knows whether an earlier call with this key made a message.
            if read.idempotency_key is not None and not self._call.own_key:
                read.may_be_sent = read.send_outcome != "not_sent"
            # A refusal that names no message says nothing about an earlier attempt whose answer was lost.
            read.may_be_sent = read.may_be_sent or (self._lost and read.message_id is None)
            pause = None if read.retry_after_seconds is None else float(read.retry_after_seconds)
        too_late = pause is None or time.monotonic() + pause > self._until
        if pause is None or too_late or self._count >= self._patience.max_attempts:
            raise read
        log.info("%s %s is repeated in %.1f s: %s", self._call.verb, self._call.url, pause, read)
        return pause

    def _backoff(self) -> float:
        """In part random, so that clients that failed together do not return together."""
        longest = min(PAUSE_SECONDS_MAX, PAUSE_SECONDS * 2.0 ** (self._count - 1))
        return longest * random.uniform(0.5, 1)


def _read(result: Result) -> Answer | WirebirdError:
    if isinstance(result, httpx.RequestError):
        error = NoAnswerError(
            f"The server did not answer, or the connection broke: {str(result) or type(result).__name__}."
        )
        error.__cause__ = result
        return error
    status, headers = result.status_code, result.headers
    body = _envelope(result)
    if body is None:
        what = f"The answer {status} does not come from Wirebird."
        if _is_cut(result):
            return NoAnswerError("The response of Wirebird is incomplete.", status, headers)
        if status >= 500 or status == 429:
            return NoAnswerError(what, status, headers)
        return UnexpectedAnswerError(f"{what} Check base_url.", status)
    if body["success"]:
        return Answer(body["data"], headers)
    code = headers.get("x-error-code", "")
    refusal = ERROR_CLASSES.get(code, NewerError)(str(body["error"]), status, headers)
    refusal.code = code
    return refusal


def _is_cut(response: httpx.Response) -> bool:
    """Whether a success of the API has lost its body, or the end of it, on the way."""
    kind = response.headers.get("content-type", "")
    return response.is_success and "x-request-id" in response.headers and kind.startswith("application/json")


def _envelope(response: httpx.Response) -> dict[str, Any] | None:
    """The body as the API writes it; None if it is something else."""
    try:
        body = json.loads(response.content)
    except ValueError:
        return None
    if not isinstance(body, dict) or "x-request-id" not in response.headers:
        return None
    success = body.get("success")
    return body if (success is True and "data" in body) or (success is False and "error" in body) else None
