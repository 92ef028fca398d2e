"""What the client raises. The classes of the API's error codes are generated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from ._generated.models import LimitName, MessageStatus, NumberState, SendOutcome


class WirebirdError(Exception):
    """A call that failed. Its text is a sentence for a person; decide by the class or by `code`."""

    code: str = ""
    """`X-Error-Code`, or `no_answer` or `unexpected_answer`."""
    _may_be_sent = False
    idempotency_key: str | None = None
    """The key of a send, also if the client made it: for a repeat with the same arguments."""

    def __init__(self, message: str, status: int | None = None, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        given = headers or {}
        self.status = status
        """HTTP status; None if no answer came."""
        self.request_id = given.get("x-request-id")
        """Quote it when you contact the operator."""
        self.message_id = given.get("x-message-id")
        """The message, if the request was accepted."""
        self.replayed = given.get("idempotency-replayed") == "true"
        """The error is about the message of an earlier request with the same key, also of an earlier attempt."""
        self.message_status = cast("MessageStatus | None", given.get("x-message-status"))
        self.number_status = cast("NumberState | None", given.get("x-number-status"))
        """The number's state, if it is not connected."""
        self.limit = cast("LimitName | None", given.get("x-limit"))
        """Which limit a 429 is about."""
        seconds = given.get("retry-after", "")
        self.retry_after_seconds = int(seconds) if seconds.isascii() and seconds.isdigit() else None
        self.send_outcome = cast("SendOutcome | None", given.get("x-send-outcome"))
        self.may_be_sent = self.send_outcome == "unknown" or self._may_be_sent
        """False if the message was definitely not sent. If true, repeat it only with `idempotency_key`."""


class NoAnswerError(WirebirdError):
    """No answer arrived: the connection broke, or the time ran out."""

    code = "no_answer"


class UnexpectedAnswerError(WirebirdError):
    """The answer does not come from Wirebird: `base_url` names another server, or a proxy answered."""

    code = "unexpected_answer"
    _may_be_sent = True


class NewerError(WirebirdError):
    """A code that a newer server made: nothing is known of it."""

    _may_be_sent = True
