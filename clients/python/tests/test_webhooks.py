"""Signatures of webhooks. `test_product.py` verifies those of the product."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Callable

import pytest

from wirebird import WebhookSignatureError, Wirebird, verify_webhook

SECRET = "whsec_" + base64.b64encode(b"a secret of 24 bytes now").decode()
OLD_SECRET = "whsec_" + base64.b64encode(b"the one before, 24 bytes").decode()
BODY = json.dumps(
    {"type": "message.sent", "timestamp": "2026-03-01T08:00:04.120Z", "data": {"id": "msg_1"}}
).encode()


def signed(*secrets: str, at: float | None = None, body: bytes = BODY) -> dict[str, str]:
    sent_at = str(int(time.time() if at is None else at))
    signatures = []
    for secret in secrets:
        key = base64.b64decode(secret[len("whsec_") :])
        digest = hmac.new(key, f"evt_1.{sent_at}.".encode() + body, hashlib.sha256).digest()
        signatures.append(f"v1,{base64.b64encode(digest).decode()}")
    return {
        "Webhook-Id": "evt_1",
        "Webhook-Timestamp": sent_at,
        "Webhook-Signature": " ".join(["v1a,anotherkind", *signatures]),
    }


@pytest.mark.parametrize("payload", [BODY, BODY.decode()], ids=["bytes", "text"])
def test_a_signed_request_is_an_event(payload: bytes | str) -> None:
    with Wirebird(api_key="wsk_test_x", base_url="http://localhost:3000") as wb:
        event = wb.webhooks.verify(payload, signed(SECRET), SECRET)
    assert (event.id, event.type, event.data) == ("evt_1", "message.sent", {"id": "msg_1"})
    assert event.timestamp.isoformat() == "2026-03-01T08:00:04.120000+00:00"


def test_while_a_secret_is_rotated_either_signature_is_enough() -> None:
    headers = signed(OLD_SECRET, SECRET)
    assert verify_webhook(BODY, headers, SECRET) == verify_webhook(BODY, headers, OLD_SECRET)


FORGED: dict[str, Callable[[], tuple[bytes, dict[str, str]]]] = {
    "another body": lambda: (BODY + b" ", signed(SECRET)),
    "another secret": lambda: (BODY, signed(OLD_SECRET)),
    "too old": lambda: (BODY, signed(SECRET, at=time.time() - 301)),
    "of the future": lambda: (BODY, signed(SECRET, at=time.time() + 360)),
    "another ID": lambda: (BODY, {**signed(SECRET), "Webhook-Id": "evt_2"}),
    "no ASCII": lambda: (BODY, {**signed(SECRET), "Webhook-Signature": "é"}),
    "no number": lambda: (BODY, {**signed(SECRET), "Webhook-Timestamp": "²"}),
    "no ID": lambda: (BODY, {**signed(SECRET), "Webhook-Id": ""}),
    "no timestamp": lambda: (BODY, {**signed(SECRET), "Webhook-Timestamp": ""}),
    "no signature": lambda: (BODY, {**signed(SECRET), "Webhook-Signature": ""}),
    "no headers": lambda: (BODY, {}),
}


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED.keys())
def test_any_other_request_is_refused(forged: Callable[[], tuple[bytes, dict[str, str]]]) -> None:
    payload, headers = forged()
    with pytest.raises(WebhookSignatureError):
        verify_webhook(payload, headers, SECRET)


@pytest.mark.parametrize("secret", ["", "whsec_", "wsk_test_key", "whsec_not base64"])
def test_a_secret_that_is_none_is_a_mistake_of_the_program(secret: str) -> None:
    with pytest.raises(ValueError, match="whsec_"):
        verify_webhook(BODY, signed(SECRET), secret)
