"""Makes requests, with httpx."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx

from ._attempts import Answer, Attempts, Call, Patience, Result
from ._generated.models import SendResult
from ._sending import SendOptions, send_result
from ._time import format_time
from ._version import VERSION

Fields = Mapping[str, Any]


class Requests:
    """Makes calls of methods' arguments."""

    def __init__(self, api_key: str, base_url: str) -> None:
        if not api_key.strip():
            raise ValueError("api_key is empty. Create a key in the dashboard, under API.")
        if urlsplit(base_url).scheme not in ("http", "https"):
            raise ValueError("base_url must be the address of your Wirebird, such as https://wirebird.example.com.")
        base = base_url.rstrip("/")
        self.base_url = base if base.endswith("/v1") else f"{base}/v1"
        self._headers = {
            "Authorization": f"Bearer {api_key.strip()}",
            "Accept": "application/json",
            "User-Agent": f"wirebird-python/{VERSION}",
        }

    def call(self, verb: str, path: str, body: Fields | None, query: Fields | None) -> Call:
        url = self.base_url + path
        given = urlencode({name: _plain(value) for name, value in (query or {}).items() if value is not None})
        # These can be carried out twice without harm.
        repeatable = verb in ("GET", "PATCH") or path == "/recipients/check"
        return Call(verb, f"{url}?{given}" if given else url, *self._content({}, body), repeatable)

    def send(self, path: str, body: Fields, options: SendOptions) -> Call:
        own_key = options.idempotency_key is None
        # A scheduled message expires that long after its time.
        expires = options.expires_in_seconds if options.send_at is None else None
        made = self._content(options.headers(), body)
        return Call("POST", self.base_url + path, *made, True, own_key, expires)

    def _content(self, headers: Mapping[str, str], body: Fields | None) -> tuple[Mapping[str, str], bytes | None]:
        if body is None:
            return {**self._headers, **headers}, None
        fields = {name: _plain(value) for name, value in body.items() if value is not None}
        content = json.dumps(fields, ensure_ascii=False, allow_nan=False).encode()
        return {**self._headers, **headers, "Content-Type": "application/json"}, content


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return format_time(value)
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else value


class Transport:
    def __init__(self, http: httpx.Client, requests: Requests, patience: Patience) -> None:
        self._http, self._requests, self._patience = http, requests, patience

    def call(self, verb: str, path: str, body: Fields | None = None, query: Fields | None = None) -> Any:
        return self._ask(self._requests.call(verb, path, body, query)).data

    def send(self, path: str, body: Fields, options: SendOptions) -> SendResult:
        answer = self._ask(self._requests.send(path, body, options))
        return send_result(answer.data, answer.headers)

    def _ask(self, call: Call) -> Answer:
        attempts = Attempts(call, self._patience)
        while True:
            result: Result
            try:
                result = self._http.request(call.verb, call.url, headers=call.headers, content=call.content)
            except httpx.RequestError as error:
                result = error
            judged = attempts.judge(result)
            if isinstance(judged, Answer):
                return judged
            time.sleep(judged)


class AsyncTransport:
    def __init__(self, http: httpx.AsyncClient, requests: Requests, patience: Patience) -> None:
        self._http, self._requests, self._patience = http, requests, patience

    async def call(self, verb: str, path: str, body: Fields | None = None, query: Fields | None = None) -> Any:
        return (await self._ask(self._requests.call(verb, path, body, query))).data

    async def send(self, path: str, body: Fields, options: SendOptions) -> SendResult:
        answer = await self._ask(self._requests.send(path, body, options))
        return send_result(answer.data, answer.headers)

    async def _ask(self, call: Call) -> Answer:
        attempts = Attempts(call, self._patience)
        while True:
            result: Result
            try:
                result = await self._http.request(call.verb, call.url, headers=call.headers, content=call.content)
            except httpx.RequestError as error:
                result = error
            judged = attempts.judge(result)
            if isinstance(judged, Answer):
                return judged
            await asyncio.sleep(judged)
