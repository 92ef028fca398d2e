"""Both clients against the real product without browsers: its web process, worker and PostgreSQL."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Callable

import pytest
from conftest import Product, Run

from wirebird import WebhookEvent, errors, verify_webhook
from wirebird.models import CheckedRecipient, Message, MessageKind, Number, NumberStatus, SendResult, WebhookWithSecret

TO = "4915228817386"

SENDS: dict[MessageKind, Callable[[Any, Product], Any]] = {
    "text": lambda wb, product: wb.messages.send_text(to=TO, body="Zoë’s order is ready 🐦"),
    "image": lambda wb, product: wb.messages.send_image(to=TO, url=product.file("photo.jpg"), caption="Look"),
    "document": lambda wb, product: wb.messages.send_document(
        to=TO, url=product.file("offer.pdf"), filename="offer.pdf"
    ),
    "location": lambda wb, product: wb.messages.send_location(to=TO, latitude=48.137, longitude=11.575),
    "contact": lambda wb, product: wb.messages.send_contact(
        to=TO, contact_name="Zoë", contact_phone="4915228817387"
    ),
    "audio": lambda wb, product: wb.messages.send_audio(to=TO, url=product.file("birdsong.mp3")),
}


class Client:
    """One of the clients, with the key of the product's first number."""

    def __init__(self, run: Run, product: Product) -> None:
        self._run, self.product = run, product

    def __call__(self, use: Callable[[Any], Any], **options: Any) -> Any:
        return self._run(self.product.base_url, use, **{"api_key": self.product.key, **options})


@pytest.fixture
def client(run: Run, product: Product) -> Client:
    return Client(run, product)


@pytest.mark.parametrize("kind", SENDS)
def test_each_kind_is_sent(client: Client, kind: MessageKind) -> None:
    sent = client(lambda wb: SENDS[kind](wb, client.product))
    assert sent == SendResult(id=sent.id, to=f"{TO}@c.us", type=kind, status="sent")
    message = client(lambda wb: wb.messages.get(sent.id))
    assert isinstance(message, Message)
    assert (message.id, message.type, message.error, message.error_code) == (sent.id, kind, None, None)
    assert message.sent_at is not None and message.created_at <= message.sent_at


def test_a_repeated_key_sends_one_message(client: Client) -> None:
    key = f"order-{uuid.uuid4()}"
    send = lambda wb: wb.messages.send_text(to=TO, body="Once", idempotency_key=key)  # noqa: E731
    first, second = client(send), client(send)
    assert (first.replayed, second.replayed) == (False, True)
    assert second == replace(first, replayed=True)
    with pytest.raises(errors.IdempotencyKeyReusedError) as caught:
        client(lambda wb: wb.messages.send_text(to=TO, body="Another", idempotency_key=key))
    assert caught.value.message_id and caught.value.may_be_sent


def test_an_async_message_is_queued_and_waited_for(client: Client) -> None:
    queued = client(lambda wb: wb.messages.send_text(to=TO, body="Later", mode="async"))
    assert queued.status == "queued"
    assert client(lambda wb: wb.messages.wait(queued.id, timeout_seconds=30)).sent_at is not None


def test_a_scheduled_message_is_listed_by_reference_and_cancelled(client: Client) -> None:
    reference, send_at = f"Zoë-{uuid.uuid4()}", datetime.now(timezone.utc) + timedelta(hours=2)
    scheduled = client(
        lambda wb: wb.messages.send_text(to=TO, body="Tomorrow", reference=reference, send_at=send_at)
    )
    assert scheduled.estimated_send_at >= send_at - timedelta(seconds=1)
    (listed,) = client(lambda wb: wb.messages.list(reference=reference, status="queued"))
    assert (listed.id, listed.reference) == (scheduled.id, reference)
    assert abs(listed.send_at - send_at) < timedelta(milliseconds=2)
    assert client(lambda wb: wb.messages.cancel(scheduled.id)).status == "cancelled"
    with pytest.raises(errors.NotCancellableError) as caught:
        client(lambda wb: wb.messages.cancel(scheduled.id))
    assert (caught.value.message_status, caught.value.status) == ("cancelled", 409)


def test_a_list_is_read_page_by_page(client: Client) -> None:
    since = datetime.now(timezone.utc) - timedelta(seconds=1)
    reference = f"page-{uuid.uuid4()}"
    sent = [
        client(lambda wb: wb.messages.send_text(to=TO, body=f"{n}", reference=reference, mode="async")).id
        for n in range(5)
    ]
    listed = client(lambda wb: wb.messages.list(reference=reference, since=since, to=TO, limit=2))
    assert [one.id for one in listed] == sent[::-1]


def test_a_dry_run_sends_nothing(client: Client) -> None:
    checked = client(lambda wb: wb.messages.send_text(to=TO, body="Only a test", dry_run=True))
    assert (checked.id, checked.status) == ("", "valid")
    assert isinstance(checked.estimated_wait_seconds, int)


def test_a_refusal_names_the_field(client: Client) -> None:
    with pytest.raises(errors.InvalidParametersError, match="to ") as caught:
        client(lambda wb: wb.messages.send_text(to="+49 1522", body="Hi"))
    assert (caught.value.status, caught.value.may_be_sent) == (400, False)
    with pytest.raises(errors.UnauthorizedError):
        client(lambda wb: wb.status(), api_key="wsk_test_wrong")
    with pytest.raises(errors.NotFoundError):
        client(lambda wb: wb.messages.get("msg_ of/another?"))


def test_the_number_and_its_recipients(client: Client) -> None:
    status = client(lambda wb: wb.status())
    assert isinstance(status, NumberStatus)
    assert (status.status, status.connected) == ("CONNECTED", True)
    number = client(lambda wb: wb.number.get())
    assert isinstance(number, Number) and number.linked_at is not None
    assert (number.instance, number.health.level) == (status.instance, "good")
    checked = client(lambda wb: wb.recipients.check([TO]))
    assert [(type(one), one.to, one.status) for one in checked] == [(CheckedRecipient, TO, "on_whatsapp")]


@contextmanager
def receiver(port: int) -> Iterator[Callable[[str], tuple[dict[str, str], bytes]]]:
    """A server that receives webhooks; the function waits for the next one about a message."""
    got: list[tuple[dict[str, str], bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            got.append((dict(self.headers), body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", port), Handler) as server:
        server.timeout = 1

        def following(message_id: str) -> tuple[dict[str, str], bytes]:
            until = time.monotonic() + 30
            while time.monotonic() < until:
                while got:
                    headers, body = got.pop(0)
                    # Other tests use the same number, and a replay includes their messages.
                    if json.loads(body)["data"]["id"] == message_id:
                        return headers, body
                server.handle_request()
            raise TimeoutError(message_id)

        yield following


def test_a_webhook_is_created_receives_a_signed_event_and_is_removed(client: Client) -> None:
    url = f"http://127.0.0.1:{client.product.receiver_port}/hook"
    with receiver(client.product.receiver_port) as following:
        made = client(lambda wb: wb.webhooks.create(url=url, events=["message.sent"]))
        assert isinstance(made, WebhookWithSecret)
        began = datetime.now(timezone.utc) - timedelta(seconds=1)
        sent = client(lambda wb: wb.messages.send_text(to=TO, body="With an event"))
        headers, body = following(sent.id)
        event = verify_webhook(body, headers, made.secret)
        assert (type(event), event.type, event.data["id"]) == (WebhookEvent, "message.sent", sent.id)
        test_id = client(lambda wb: wb.webhooks.test(made.id))
        headers, body = following(made.id)
        tested = verify_webhook(body, headers, made.secret)
        assert (tested.id, tested.type, tested.data["id"]) == (test_id, "webhook.test", made.id)
        rotated = client(lambda wb: wb.webhooks.rotate(made.id))
        assert client(lambda wb: wb.webhooks.replay(made.id, since=began)) >= 1
        headers, body = following(sent.id)
        assert verify_webhook(body, headers, rotated.secret) == verify_webhook(body, headers, made.secret) == event
    off = client(lambda wb: wb.webhooks.update(made.id, active=False))
    assert (off.active, off.url, off.events) == (False, url, ["message.sent"])
    # A replayed event of an earlier message may still arrive when the receiver is closed, and counts as failing.
    assert off in [replace(one, failing_since=None) for one in client(lambda wb: wb.webhooks.list())]
    assert client(lambda wb: wb.webhooks.delete(made.id)) is None
    assert made.id not in [one.id for one in client(lambda wb: wb.webhooks.list())]
