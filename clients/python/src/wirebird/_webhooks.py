"""Reads and verifies the requests that webhooks receive, as Standard Webhooks describe."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ._time import parse_time

TOLERANCE_SECONDS = 300


class WebhookSignatureError(Exception):
    """The request is not from your Wirebird, was changed, or is too old. Answer it with 400."""


@dataclass(frozen=True)
class WebhookEvent:
    id: str
    """The same if the event arrives again: ignore it then."""
    type: str
    """Such as `message.delivered` or `number.status`."""
    timestamp: datetime
    """When it happened."""
    data: dict[str, Any]
    """The message or the number, with the field names of the API."""


def verify_webhook(payload: bytes | str, headers: Mapping[str, str], secret: str) -> WebhookEvent:
    """The event in a request. Raises WebhookSignatureError unless it is signed with the secret.

    Args:
        payload: The raw body, before any parsing.
        headers: The request's headers. Upper and lower case do not matter.
        secret: The endpoint's secret: `whsec_…`.
    """
    body = payload.encode() if isinstance(payload, str) else payload
    given = {name.lower(): value for name, value in headers.items()}
    event_id, sent_at, signatures = (
        given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")
    )
    if not (sent_at.isascii() and sent_at.isdigit()) or abs(time.time() - int(sent_at)) > TOLERANCE_SECONDS:
        raise WebhookSignatureError("The timestamp is missing or more than 5 minutes off.")
    digest = hmac.new(_key_of(secret), f"{event_id}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    expected = f"v1,{base64.b64encode(digest).decode()}".encode()
    # Two signatures while a secret is rotated.
    if not any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" ")):
        raise WebhookSignatureError("The signature does not match the secret.")
    event = json.loads(body)
    return WebhookEvent(event_id, event["type"], parse_time(event["timestamp"]), event["data"])


def _key_of(secret: str) -> bytes:
    encoded = secret[len("whsec_") :] if secret.startswith("whsec_") else ""
    try:
        key = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("secret must be the whsec_… that was shown when the endpoint was created.")
    return key


class VerifiesWebhooks:
    """`webhooks.verify`, for the clients."""

    verify = staticmethod(verify_webhook)
