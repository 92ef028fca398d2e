"""`messages.wait`, for the clients."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod

from ._generated.models import Message

POLL_SECONDS = 1.0


def _is_settled(message: Message) -> bool:
    return message.status not in ("queued", "sending")


class WaitsForMessages(ABC):
    @abstractmethod
    def get(self, id: str) -> Message: ...

    def wait(self, id: str, *, timeout_seconds: float | None = None) -> Message:
        """Returns the message when it is no longer `queued` or `sending`. Raises TimeoutError after the time."""
        began = time.monotonic()
        while not _is_settled(message := self.get(id)):
            if timeout_seconds is not None and time.monotonic() - began + POLL_SECONDS > timeout_seconds:
                raise TimeoutError(f"The message is still {message.status}.")
            time.sleep(POLL_SECONDS)
        return message


class AsyncWaitsForMessages(ABC):
    @abstractmethod
    async def get(self, id: str) -> Message: ...

    async def wait(self, id: str, *, timeout_seconds: float | None = None) -> Message:
        """Returns the message when it is no longer `queued` or `sending`. Raises TimeoutError after the time."""
        began = time.monotonic()
        while not _is_settled(message := await self.get(id)):
            if timeout_seconds is not None and time.monotonic() - began + POLL_SECONDS > timeout_seconds:
                raise TimeoutError(f"The message is still {message.status}.")
            await asyncio.sleep(POLL_SECONDS)
        return message
