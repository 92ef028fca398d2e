"""The endpoints, for asyncio. Generated from `clients/openapi.json` by `python3 -m generate`: do not edit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import List

from .._resource import AsyncPages, AsyncResource, quoted
from .._sending import Mode, SendOptions
from .._waiting import AsyncWaitsForMessages
from .._webhooks import VerifiesWebhooks
from .models import (
    CheckedRecipient,
    EventType,
    Message,
    MessageStatus,
    Number,
    NumberStatus,
    SendResult,
    Webhook,
    WebhookWithSecret,
)


class AsyncMessagesResource(AsyncResource, AsyncWaitsForMessages):
    """Sends messages of the key's number, and shows what became of them."""

    async def send_text(
        self,
        *,
        to: str,
        body: str,
        reference: str | None = None,
        idempotency_key: str | None = None,
        mode: Mode | None = None,
        send_at: datetime | str | None = None,
        dry_run: bool = False,
        expires_in_seconds: int | None = None,
    ) -> SendResult:
        """Send a text. Any characters, line breaks and emoji included. Links get no preview.

        Args:
            to: The recipient: a number in international format (digits only, country code first, no
                +), or a group id that ends in `@g.us`.
            body: The text of the message, counted in Unicode characters.
            reference: Your own ID for the message, such as an order number. It is returned with the
                message and in its events, and you can filter lists by it.
            idempotency_key: Names this message: a repeat with the same key and the same arguments
                within 24 hours never sends it twice. Use one for each message, such as
                order-1042-ready. Made for each call when left out.
            mode: "sync" waits for the outcome, "async" returns a queued message at once, and a
                number of seconds waits for at most so long. "sync" when left out.
            send_at: Schedules the message for this time, up to 30 days ahead. It needs a time zone.
            dry_run: Checks everything and sends nothing.
            expires_in_seconds: Seconds after which a message that still waits expires. When left
                out: 24 hours, or 40 seconds with "sync".
        """
        return await self._transport.send(
            "/messages/text",
            {"to": to, "body": body, "reference": reference},
            SendOptions(
                idempotency_key=idempotency_key,
                mode=mode,
                send_at=send_at,
                dry_run=dry_run,
                expires_in_seconds=expires_in_seconds,
            ),
        )

    async def send_image(
        self,
        *,
        to: str,
        url: str,
        reference: str | None = None,
        caption: str | None = None,
        idempotency_key: str | None = None,
        mode: Mode | None = None,
        send_at: datetime | str | None = None,
        dry_run: bool = False,
        expires_in_seconds: int | None = None,
    ) -> SendResult:
        """Send an image. JPEG, PNG, WebP or GIF, detected from the file’s content, not its name. At
        most 16 MB (16 × 1024 × 1024 bytes) and 50 megapixels.

        Args:
            to: The recipient: a number in international format (digits only, country code first, no
                +), or a group id that ends in `@g.us`.
            url: Public http(s) address of the image, fetched as soon as the message is accepted.
            reference: Your own ID for the message, such as an order number. It is returned with the
                message and in its events, and you can filter lists by it.
            caption: Caption shown below the file.
            idempotency_key: Names this message: a repeat with the same key and the same arguments
                within 24 hours never sends it twice. Use one for each message, such as
                order-1042-ready. Made for each call when left out.
            mode: "sync" waits for the outcome, "async" returns a queued message at once, and a
                number of seconds waits for at most so long. "sync" when left out.
            send_at: Schedules the message for this time, up to 30 days ahead. It needs a time zone.
            dry_run: Checks everything and sends nothing.
            expires_in_seconds: Seconds after which a message that still waits expires. When left
                out: 24 hours, or 40 seconds with "sync".
        """
        return await self._transport.send(
            "/messages/image",
            {"to": to, "url": url, "reference": reference, "caption": caption},
            SendOptions(
                idempotency_key=idempotency_key,
                mode=mode,
                send_at=send_at,
                dry_run=dry_run,
                expires_in_seconds=expires_in_seconds,
            ),
        )

    async def send_document(
        self,
        *,
        to: str,
        url: str,
        filename: str,
        reference: str | None = None,
        caption: str | None = None,
        idempotency_key: str | None = None,
        mode: Mode | None = None,
        send_at: datetime | str | None = None,
        dry_run: bool = False,
        expires_in_seconds: int | None = None,
    ) -> SendResult:
        """Send a document. Any file of 1 byte to 16 MB (16 × 1024 × 1024 bytes). It arrives as a
        document, even if it is an image.

        Args:
            to: The recipient: a number in international format (digits only, country code first, no
                +), or a group id that ends in `@g.us`.
            url: Public http(s) address of the file, fetched as soon as the message is accepted.
            filename: The file name that the recipient sees, such as offer.pdf.
            reference: Your own ID for the message, such as an order number. It is returned with the
                message and in its events, and you can filter lists by it.
            caption: Caption shown below the file.
            idempotency_key: Names this message: a repeat with the same key and the same arguments
                within 24 hours never sends it twice. Use one for each message, such as
                order-1042-ready. Made for each call when left out.
            mode: "sync" waits for the outcome, "async" returns a queued message at once, and a
                number of seconds waits for at most so long. "sync" when left out.
            send_at: Schedules the message for this time, up to 30 days ahead. It needs a time zone.
            dry_run: Checks everything and sends nothing.
            expires_in_seconds: Seconds after which a message that still waits expires. When left
                out: 24 hours, or 40 seconds with "sync".
        """
        return await self._transport.send(
            "/messages/document",
            {"to": to, "url": url, "filename": filename, "reference": reference, "caption": caption},
            SendOptions(
                idempotency_key=idempotency_key,
                mode=mode,
                send_at=send_at,
                dry_run=dry_run,
                expires_in_seconds=expires_in_seconds,
            ),
        )

    async def send_location(
        self,
        *,
        to: str,
        latitude: float,
        longitude: float,
        reference: str | None = None,
        name: str | None = None,
        address: str | None = None,
        idempotency_key: str | None = None,
        mode: Mode | None = None,
        send_at: datetime | str | None = None,
        dry_run: bool = False,
        expires_in_seconds: int | None = None,
    ) -> SendResult:
        """Send a location. A point on the map, optionally with the name and address of the place.

        Args:
            to: The recipient: a number in international format (digits only, country code first, no
                +), or a group id that ends in `@g.us`.
            latitude: Degrees, north is positive.
            longitude: Degrees, east is positive.
            reference: Your own ID for the message, such as an order number. It is returned with the
                message and in its events, and you can filter lists by it.
            name: Place name.
            address: Address of the place.
            idempotency_key: Names this message: a repeat with the same key and the same arguments
                within 24 hours never sends it twice. Use one for each message, such as
                order-1042-ready. Made for each call when left out.
            mode: "sync" waits for the outcome, "async" returns a queued message at once, and a
                number of seconds waits for at most so long. "sync" when left out.
            send_at: Schedules the message for this time, up to 30 days ahead. It needs a time zone.
            dry_run: Checks everything and sends nothing.
            expires_in_seconds: Seconds after which a message that still waits expires. When left
                out: 24 hours, or 40 seconds with "sync".
        """
        return await self._transport.send(
            "/messages/location",
            {"to": to, "latitude": latitude, "longitude": longitude, "reference": reference, "name": name, "address": address},
            SendOptions(
                idempotency_key=idempotency_key,
                mode=mode,
                send_at=send_at,
                dry_run=dry_run,
                expires_in_seconds=expires_in_seconds,
            ),
        )

    async def send_contact(
        self,
        *,
        to: str,
        contact_name: str,
        contact_phone: str,
        reference: str | None = None,
        idempotency_key: str | None = None,
        mode: Mode | None = None,
        send_at: datetime | str | None = None,
        dry_run: bool = False,
        expires_in_seconds: int | None = None,
    ) -> SendResult:
        """Send a contact card. The vCard is made from name and number.

        Args:
            to: The recipient: a number in international format (digits only, country code first, no
                +), or a group id that ends in `@g.us`.
            contact_name: Name of the contact.
            contact_phone: International format: digits only, country code first, no +.
            reference: Your own ID for the message, such as an order number. It is returned with the
                message and in its events, and you can filter lists by it.
            idempotency_key: Names this message: a repeat with the same key and the same arguments
                within 24 hours never sends it twice. Use one for each message, such as
                order-1042-ready. Made for each call when left out.
            mode: "sync" waits for the outcome, "async" returns a queued message at once, and a
                number of seconds waits for at most so long. "sync" when left out.
            send_at: Schedules the message for this time, up to 30 days ahead. It needs a time zone.
            dry_run: Checks everything and sends nothing.
            expires_in_seconds: Seconds after which a message that still waits expires. When left
                out: 24 hours, or 40 seconds with "sync".
        """
        return await self._transport.send(
            "/messages/contact",
            {"to": to, "contactName": contact_name, "contactPhone": contact_phone, "reference": reference},
            SendOptions(
                idempotency_key=idempotency_key,
                mode=mode,
                send_at=send_at,
                dry_run=dry_run,
                expires_in_seconds=expires_in_seconds,
            ),
        )

    async def send_audio(
        self,
        *,
        to: str,
        url: str,
        reference: str | None = None,
        idempotency_key: str | None = None,
        mode: Mode | None = None,
        send_at: datetime | str | None = None,
        dry_run: bool = False,
        expires_in_seconds: int | None = None,
    ) -> SendResult:
        """Send an audio file. MP3, AAC or M4A, OGG with Opus, or AMR, detected from the file’s
        content, not its name. WhatsApp Web does not read WAV, FLAC and OGG with Vorbis: send them
        as a document. At most 16 MB (16 × 1024 × 1024 bytes).

        Args:
            to: The recipient: a number in international format (digits only, country code first, no
                +), or a group id that ends in `@g.us`.
            url: Public http(s) address of the audio file, fetched as soon as the message is
                accepted.
            reference: Your own ID for the message, such as an order number. It is returned with the
                message and in its events, and you can filter lists by it.
            idempotency_key: Names this message: a repeat with the same key and the same arguments
                within 24 hours never sends it twice. Use one for each message, such as
                order-1042-ready. Made for each call when left out.
            mode: "sync" waits for the outcome, "async" returns a queued message at once, and a
                number of seconds waits for at most so long. "sync" when left out.
            send_at: Schedules the message for this time, up to 30 days ahead. It needs a time zone.
            dry_run: Checks everything and sends nothing.
            expires_in_seconds: Seconds after which a message that still waits expires. When left
                out: 24 hours, or 40 seconds with "sync".
        """
        return await self._transport.send(
            "/messages/audio",
            {"to": to, "url": url, "reference": reference},
            SendOptions(
                idempotency_key=idempotency_key,
                mode=mode,
                send_at=send_at,
                dry_run=dry_run,
                expires_in_seconds=expires_in_seconds,
            ),
        )

    async def get(
        self,
        id: str,
    ) -> Message:
        """Get a message and its outcome. Any message of the key’s number, by the `id` of its
        response or by `X-Message-Id`.

        Args:
            id: The message’s identifier.
        """
        data = await self._transport.call("GET", f"/messages/{quoted(id)}")
        return Message.from_json(data)

    def list(
        self,
        *,
        reference: str | None = None,
        status: MessageStatus | None = None,
        to: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> AsyncPages[Message]:
        """List messages. The messages of the key’s number, newest first. Filters can be combined.
        `next` is the `cursor` of the next page, or None on the last page.

        Args:
            reference: Messages with this ID of yours.
            status: Messages in this state.
            to: The recipient: a number in international format (digits only, country code first, no
                +), or a group id that ends in `@g.us`.
            since: Accepted at this time or later.
            until: Accepted before this time.
            limit: Messages in a page: 1 to 100.
            cursor: `next` of the previous page.
        """
        query = {"reference": reference, "status": status, "to": to, "since": since, "until": until, "limit": limit, "cursor": cursor}
        return AsyncPages(self._transport, "/messages", query, "messages", Message.from_json)

    async def cancel(
        self,
        id: str,
    ) -> Message:
        """Cancel a message. Cancels a waiting or scheduled message. A message that was given to
        WhatsApp Web or has ended does not change: the response is 409, with its state in
        `X-Message-Status`.

        Args:
            id: The message’s identifier.
        """
        data = await self._transport.call("POST", f"/messages/{quoted(id)}/cancel")
        return Message.from_json(data)


class AsyncRecipientsResource(AsyncResource):
    """Who is on WhatsApp."""

    async def check(
        self,
        to: str | Sequence[str],
    ) -> List[CheckedRecipient]:
        """Check whether people are on WhatsApp. Checks up to 50 phone numbers. For phone numbers
        that your number has checked or contacted before, the result is stored. The others are
        looked up one at a time, at your number’s interval. After 20 seconds the rest are `pending`:
        check them again later. The look-ups in 24 hours are limited, because bulk look-ups can lead
        to a ban.

        Args:
            to: A phone number in international format, or a list of up to 50.
        """
        data = await self._transport.call("POST", "/recipients/check", {"to": to})
        value: List[CheckedRecipient] = [CheckedRecipient.from_json(one) for one in data["recipients"]]
        return value


class AsyncNumberResource(AsyncResource):
    """The key's number."""

    async def get(
        self,
    ) -> Number:
        """Get the number and its health. The restrictions that WhatsApp reports for the key’s
        number, whether it can contact new people, and the outcomes of its recent messages. The
        status is 200 in every state.
        """
        data = await self._transport.call("GET", "/number")
        return Number.from_json(data)


class AsyncStatusResource(AsyncResource):
    """The state of the key's number."""

    async def get(
        self,
    ) -> NumberStatus:
        """Get the number’s state. The state of the key’s number, at most 15 seconds old. The status
        is 200 in every state. Send the key in a header.
        """
        data = await self._transport.call("GET", "/status")
        return NumberStatus.from_json(data)


class AsyncWebhooksResource(AsyncResource, VerifiesWebhooks):
    """The webhook endpoints of the key's number."""

    async def create(
        self,
        *,
        url: str,
        events: Sequence[EventType] | None = None,
    ) -> WebhookWithSecret:
        """Create a webhook endpoint. Events of the key’s number are posted to `url` from now on,
        signed according to Standard Webhooks. `secret` is only in this response. A number has at
        most 10 endpoints.

        Args:
            url: A public address. In production it begins with https://.
            events: The types of events to send. Default: all.
        """
        data = await self._transport.call("POST", "/webhooks", {"url": url, "events": events})
        return WebhookWithSecret.from_json(data)

    async def list(
        self,
    ) -> List[Webhook]:
        """List the webhook endpoints. The endpoints of the key’s number, oldest first.
        """
        data = await self._transport.call("GET", "/webhooks")
        value: List[Webhook] = [Webhook.from_json(one) for one in data["webhooks"]]
        return value

    async def update(
        self,
        id: str,
        *,
        url: str | None = None,
        events: Sequence[EventType] | None = None,
        active: bool | None = None,
    ) -> Webhook:
        """Change a webhook endpoint. Omitted fields do not change. `active: true` also re-enables
        an endpoint that was switched off after failures.

        Args:
            id: The endpoint’s identifier.
            url: A public address. In production it begins with https://.
            events: The types of events to send.
            active: `False` switches it off, `True` on.
        """
        data = await self._transport.call("PATCH", f"/webhooks/{quoted(id)}", {"url": url, "events": events, "active": active})
        return Webhook.from_json(data)

    async def delete(
        self,
        id: str,
    ) -> None:
        """Delete a webhook endpoint. It receives no more events. Its delivery log is deleted.

        Args:
            id: The endpoint’s identifier.
        """
        await self._transport.call("DELETE", f"/webhooks/{quoted(id)}")

    async def rotate(
        self,
        id: str,
    ) -> WebhookWithSecret:
        """Rotate the secret of a webhook endpoint. For 24 hours, requests are also signed with the
        old secret. That holds for each secret, however often you rotate.

        Args:
            id: The endpoint’s identifier.
        """
        data = await self._transport.call("POST", f"/webhooks/{quoted(id)}/rotate")
        return WebhookWithSecret.from_json(data)

    async def test(
        self,
        id: str,
    ) -> str:
        """Send a test event. Sends an event of the type `webhook.test` to this endpoint only,
        whatever it subscribes to. Its `data` has the endpoint’s `id` and a `sequence`. Also ends
        the wait of an endpoint that fails: its next request is sent at once.

        Args:
            id: The endpoint’s identifier.
        """
        data = await self._transport.call("POST", f"/webhooks/{quoted(id)}/test")
        value: str = data["eventId"]
        return value

    async def replay(
        self,
        id: str,
        since: datetime | str,
    ) -> int:
        """Send events again. Sends all stored events since a time, including those already
        delivered, with the same `webhook-id`.

        Args:
            id: The endpoint’s identifier.
            since: RFC 3339, with an offset.
        """
        data = await self._transport.call("POST", f"/webhooks/{quoted(id)}/replay", {"since": since})
        value: int = data["events"]
        return value
