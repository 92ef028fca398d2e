"""The clients."""

from __future__ import annotations

from types import TracebackType

import httpx

from ._attempts import Patience
from ._generated import async_resources, resources
from ._generated.models import NumberStatus
from ._transport import AsyncTransport, Requests, Transport

ATTEMPT_TIMEOUT_SECONDS = 70.0
TIMEOUT_SECONDS = 180.0
MAX_ATTEMPTS = 6
CONNECT_TIMEOUT_SECONDS = 10.0


def _timeout(seconds: float) -> httpx.Timeout:
    return httpx.Timeout(seconds, connect=min(seconds, CONNECT_TIMEOUT_SECONDS), pool=None)


class Wirebird:
    """The API of one number. Its calls raise WirebirdError. Threads can share it.

    Args:
        api_key: A key of the number that sends: `wsk_live_…`, or `wsk_test_…` in the sandbox.
        base_url: The address of the installation, such as https://wirebird.example.com.
        max_attempts: Attempts of one call, the first one included.
        attempt_timeout_seconds: After this time without an answer an attempt counts as lost. The API
            answers within 55 seconds.
        timeout_seconds: No pause before another attempt leads past this time.
        http_client: Your own httpx client, for a proxy or certificates, with its own time-outs. Close
            it yourself.
    """

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        max_attempts: int = MAX_ATTEMPTS,
        attempt_timeout_seconds: float = ATTEMPT_TIMEOUT_SECONDS,
        timeout_seconds: float = TIMEOUT_SECONDS,
        http_client: httpx.Client | None = None,
    ) -> None:
        requests = Requests(api_key, base_url)
        self._owned = httpx.Client(timeout=_timeout(attempt_timeout_seconds)) if http_client is None else None
        http = http_client or self._owned
        assert http is not None
        transport = Transport(http, requests, Patience(max_attempts, timeout_seconds))
        self.messages = resources.MessagesResource(transport)
        self.recipients = resources.RecipientsResource(transport)
        self.number = resources.NumberResource(transport)
        self.webhooks = resources.WebhooksResource(transport)
        self._status = resources.StatusResource(transport)

    def status(self) -> NumberStatus:
        """The state of the number, at most 15 seconds old."""
        return self._status.get()

    def close(self) -> None:
        """Closes the connections."""
        if self._owned is not None:
            self._owned.close()

    def __enter__(self) -> Wirebird:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class AsyncWirebird:
    """The same as `Wirebird`, for asyncio. A send whose task is cancelled may have left."""

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        max_attempts: int = MAX_ATTEMPTS,
        attempt_timeout_seconds: float = ATTEMPT_TIMEOUT_SECONDS,
        timeout_seconds: float = TIMEOUT_SECONDS,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        requests = Requests(api_key, base_url)
        self._owned = (
            httpx.AsyncClient(timeout=_timeout(attempt_timeout_seconds)) if http_client is None else None
        )
        http = http_client or self._owned
        assert http is not None
        transport = AsyncTransport(http, requests, Patience(max_attempts, timeout_seconds))
        self.messages = async_resources.AsyncMessagesResource(transport)
        self.recipients = async_resources.AsyncRecipientsResource(transport)
        self.number = async_resources.AsyncNumberResource(transport)
        self.webhooks = async_resources.AsyncWebhooksResource(transport)
        self._status = async_resources.AsyncStatusResource(transport)

    async def status(self) -> NumberStatus:
        """The state of the number, at most 15 seconds old."""
        return await self._status.get()

    async def close(self) -> None:
        """Closes the connections."""
        if self._owned is not None:
            await self._owned.aclose()

    async def __aenter__(self) -> AsyncWirebird:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
