"""Sends WhatsApp messages from your own number, with Wirebird."""

from . import errors, models
from ._client import AsyncWirebird, Wirebird
from ._errors import WirebirdError
from ._version import VERSION as __version__
from ._webhooks import WebhookEvent, WebhookSignatureError, verify_webhook

__all__ = [
    "AsyncWirebird",
    "WebhookEvent",
    "WebhookSignatureError",
    "Wirebird",
    "WirebirdError",
    "__version__",
    "errors",
    "models",
    "verify_webhook",
]
