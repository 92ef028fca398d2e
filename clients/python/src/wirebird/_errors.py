"""What the client raises. The classes of the API's error codes are generated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from ._generated.models import LimitName, MessageStatus, NumberState, SendOutcome

# Codes with which the message may have been sent. With the others of the API it was definitely not.
MAY_BE_SENT = {"send_unknown", "idempotency_key_reused", "internal"}


class WirebirdError(Exception):
    """A call that failed. Its text is a sentence for a person; decide by the class or by `code`."""

    code: str = ""
    """`X-Error-Code`, or `no_answer` or `unexpected_answer`."""
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
        self.message_status = cast("MessageStatus | None", given.get("x-message-status"))
        self.number_status = cast("NumberState | None", given.get("x-number-status"))
        """The number's state, if it is not connected."""
        self.limit = cast("LimitName | None", given.get("x-limit"))
        """Which limit a 429 is about."""
        seconds = given.get("retry-after", "")
        self.retry_after_seconds = int(seconds) if seconds.isascii() and seconds.isdigit() else None
        self.send_outcome = cast("SendOutcome | None", given.get("x-send-outcome"))
        self.may_be_sent = self.send_outcome == "unknown" or self._may_be_sent_by_code()
        """False if the message was definitely not sent. If true, repeat it only with `idempotency_key`."""

    def _may_be_sent_by_code(self) -> bool:
        return self.code in MAY_BE_SENT


class NoAnswerError(WirebirdError):
    """No answer arrived: the connection broke, or the time ran out."""

    code = "no_answer"


class UnexpectedAnswerError(WirebirdError):
    """The answer does not come from Wirebird: `base_url` names another server, or a proxy answered."""

    code = "unexpected_answer"

    def _may_be_sent_by_code(self) -> bool:
        return True


class NewerError(WirebirdError):
    """A code that a newer server made: nothing is known of it."""

    def _may_be_sent_by_code(self) -> bool:
        return True
