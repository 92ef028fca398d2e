"""What a send asks for besides its content."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, Union

from ._generated.models import SendResult
from ._time import format_time, parse_time

Mode = Union[Literal["sync", "async"], int]


@dataclass(frozen=True)
class SendOptions:
    idempotency_key: str | None
    send_at: datetime | str | None
    mode: Mode | None
    expires_in_seconds: int | None
    dry_run: bool

    def headers(self) -> dict[str, str]:
        """The headers of the request. Each call without a key gets one of its own."""
        key = str(uuid.uuid4()) if self.idempotency_key is None else self.idempotency_key
        if not re.fullmatch(r"(?! )[\x20-\x7e]{1,255}(?<! )", key):
            raise ValueError(
                "idempotency_key must have 1 to 255 printable ASCII characters, without spaces around them."
            )
        headers = {"Idempotency-Key": key}
        if self.send_at is not None:
            headers["X-Send-At"] = format_time(self.send_at)
        if self.mode == "async":
            headers["Prefer"] = "respond-async"
        elif self.mode not in (None, "sync"):
            # The API ignores preferences that it does not know.
            if isinstance(self.mode, bool) or not isinstance(self.mode, int) or self.mode < 0:
                raise ValueError('mode must be "sync", "async" or a whole number of seconds to wait.')
            headers["Prefer"] = f"wait={self.mode}"
        if self.expires_in_seconds is not None:
            headers["X-Expires-In"] = str(self.expires_in_seconds)
        if self.dry_run:
            headers["X-Dry-Run"] = "true"
        return headers


def send_result(data: Mapping[str, object], headers: Mapping[str, str]) -> SendResult:
    """The result of a send, with what the headers say."""
    send_at, wait = headers.get("x-estimated-send-at"), headers.get("x-estimated-wait")
    return replace(
        SendResult.from_json(data),
        replayed=headers.get("idempotency-replayed") == "true",
        estimated_send_at=None if send_at is None else parse_time(send_at),
        estimated_wait_seconds=None if wait is None else int(wait),
    )
