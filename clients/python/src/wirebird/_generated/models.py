"""What the API answers. Generated from `clients/openapi.json` by `python3 -m generate`: do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from .._time import parse_time

MessageKind = Literal[
    "text",
    "image",
    "document",
    "location",
    "contact",
    "audio",
]

SendStatus = Literal[
    "sent",
    "queued",
    "valid",
]

NumberState = Literal[
    "UNLINKED",
    "LINKING",
    "SYNCING",
    "CONNECTED",
    "RECONNECTING",
    "LOGGED_OUT",
    "CONFLICT",
    "BLOCKED",
    "SUSPENDED",
]

HealthLevel = Literal[
    "good",
    "watch",
    "limited",
]

NewContactsLimit = Literal[
    "timelock",
    "cap",
    "pause",
    "budget",
]

CapStatus = Literal[
    "NONE",
    "FIRST_WARNING",
    "SECOND_WARNING",
    "CAPPED",
]

RecipientStatus = Literal[
    "on_whatsapp",
    "not_on_whatsapp",
    "pending",
]

MessageStatus = Literal[
    "queued",
    "sending",
    "sent",
    "delivered",
    "read",
    "failed",
    "unknown",
    "expired",
    "cancelled",
]

ErrorCode = Literal[
    "unauthorized",
    "rate_limited",
    "plan_inactive",
    "instance_not_found",
    "not_found",
    "invalid_parameters",
    "idempotency_key_reused",
    "body_too_large",
    "not_connected",
    "queue_full",
    "new_contacts",
    "check_limit",
    "deadline_passed",
    "media_too_large",
    "media_unusable",
    "media_unavailable",
    "media_share_full",
    "no_room",
    "recipient_unknown",
    "send_failed",
    "send_unknown",
    "hung_up",
    "not_cancellable",
    "stopping",
    "unavailable",
    "internal",
    "key_revoked",
    "plan_ended",
    "suspended",
    "removed",
    "unlinked",
    "cancelled_by_caller",
    "cancelled_by_person",
]

EventType = Literal[
    "message.sent",
    "message.delivered",
    "message.read",
    "message.failed",
    "message.unknown",
    "message.expired",
    "message.cancelled",
    "number.status",
]

SendOutcome = Literal[
    "not_sent",
    "unknown",
]

LimitName = Literal[
    "rate",
    "queue",
    "new-contacts",
    "checks",
    "deadline",
    "media",
]


@dataclass(frozen=True)
class SendResult:
    id: str
    """Identifier of the message, the same in the dashboard and in logs. Empty after a dry run."""
    to: str
    """The recipient as WhatsApp names it."""
    type: MessageKind
    """The kind that was sent."""
    status: SendStatus
    """`sent`: WhatsApp’s server has accepted the message; this does not mean that a person has
    received it. `queued` comes only with 202, and `valid` only with `X-Dry-Run`.
    """
    estimated_send_at: datetime | None = None
    """With `send_at`: when the message will probably leave."""
    estimated_wait_seconds: int | None = None
    """After a dry run: for how long it would probably wait."""
    replayed: bool = False
    """This call sent nothing new: the message is of an earlier request with the same key, also of
    an earlier attempt.
    """

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SendResult:
        return cls(
            id=data["id"],
            to=data["to"],
            type=data["type"],
            status=data["status"],
        )


@dataclass(frozen=True)
class NumberStatus:
    instance: str
    """Identifier of the linked number."""
    phone_number: str
    """The number in international format, digits only; empty if it was never linked."""
    status: NumberState
    """`UNLINKED` never linked, or unlinked in the dashboard; `LINKING` a QR or code is being shown;
    `SYNCING` linked, not ready yet; `CONNECTED`; `RECONNECTING` lost, being restored automatically;
    `LOGGED_OUT` the phone is no longer linked: link it again; `CONFLICT` opened elsewhere;
    `BLOCKED` refused by WhatsApp; `SUSPENDED` by the administrator
    """
    connected: bool
    """`True` exactly when `status` is `CONNECTED`."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> NumberStatus:
        return cls(
            instance=data["instance"],
            phone_number=data["phoneNumber"],
            status=data["status"],
            connected=data["connected"],
        )


@dataclass(frozen=True)
class NumberHealth:
    """Health of the number."""

    level: HealthLevel
    """`good`: no problem is known. `watch`: it sends, but something should change. `limited`: it
    cannot contact new people.
    """
    sentence: str
    """A sentence for people. The wording may change."""
    todo: str | None
    """What to do, as a sentence for people; None if there is nothing to do."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> NumberHealth:
        return cls(
            level=data["level"],
            sentence=data["sentence"],
            todo=data.get("todo"),
        )


@dataclass(frozen=True)
class NumberNewContacts:
    """New people: people the number has never exchanged messages with."""

    allowed: bool
    """Whether it can contact new people now."""
    limit: NewContactsLimit | None
    """Why not; None if it can. `timelock` and `cap` come from WhatsApp. `pause` (after refusals)
    and `budget` come from the number’s protection.
    """
    next_at: datetime | None
    """When it can contact new people again; None if it can now. UTC."""
    budget: int | None
    """How many new people the number may contact in 24 hours; None if it is not protected."""
    used: int
    """New people in the last 24 hours, including those whose messages are still waiting."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> NumberNewContacts:
        return cls(
            allowed=data["allowed"],
            limit=data.get("limit"),
            next_at=parse_time(data["nextAt"]) if data.get("nextAt") is not None else None,
            budget=data.get("budget"),
            used=data["used"],
        )


@dataclass(frozen=True)
class NumberTimelock:
    kind: str
    """As WhatsApp names it."""
    until: datetime | None
    """When it ends; None when it is not known. UTC."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> NumberTimelock:
        return cls(
            kind=data["kind"],
            until=parse_time(data["until"]) if data.get("until") is not None else None,
        )


@dataclass(frozen=True)
class NumberCap:
    status: CapStatus
    """As WhatsApp names it."""
    total: int | None
    """New conversations allowed in a cycle."""
    used: int | None
    """New conversations so far in this cycle."""
    until: datetime | None
    """The end of the cycle. UTC."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> NumberCap:
        return cls(
            status=data["status"],
            total=data.get("total"),
            used=data.get("used"),
            until=parse_time(data["until"]) if data.get("until") is not None else None,
        )


@dataclass(frozen=True)
class NumberLately:
    """The last 7 days. After a change of the phone number: since then."""

    messages: int
    """Messages given to WhatsApp Web, whatever their outcome."""
    not_taken: int
    """Those of them that failed or were not confirmed."""
    people: int
    """Recipients of these messages, groups included."""
    new_people: int
    """New people among them."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> NumberLately:
        return cls(
            messages=data["messages"],
            not_taken=data["notTaken"],
            people=data["people"],
            new_people=data["newPeople"],
        )


@dataclass(frozen=True)
class NumberKinds:
    """Each kind of message on the number’s build of WhatsApp Web. `ok`: WhatsApp has accepted one.
    `failing`: requests get 409, other kinds are sent. `unproven`: none was sent on this build yet;
    requests are accepted.
    """

    text: Literal["ok", "failing", "unproven"]
    """Messages of POST /v1/messages/text."""
    image: Literal["ok", "failing", "unproven"]
    """Messages of POST /v1/messages/image."""
    document: Literal["ok", "failing", "unproven"]
    """Messages of POST /v1/messages/document."""
    location: Literal["ok", "failing", "unproven"]
    """Messages of POST /v1/messages/location."""
    contact: Literal["ok", "failing", "unproven"]
    """Messages of POST /v1/messages/contact."""
    audio: Literal["ok", "failing", "unproven"]
    """Messages of POST /v1/messages/audio."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> NumberKinds:
        return cls(
            text=data["text"],
            image=data["image"],
            document=data["document"],
            location=data["location"],
            contact=data["contact"],
            audio=data["audio"],
        )


@dataclass(frozen=True)
class Number:
    instance: str
    """Identifier of the linked number."""
    phone_number: str
    """Digits; empty if it was never linked."""
    status: NumberState
    """Same as in GET /v1/status."""
    connected: bool
    """`True` exactly when `status` is `CONNECTED`."""
    status_reason: str | None
    """Why it has this status and what WhatsApp asks for, such as a passkey while it is being
    linked; while it is connected, which kinds of messages fail: a sentence for people. The wording
    may change. Null if there is nothing to say.
    """
    linked_at: datetime | None
    """When this phone was linked; None if never. UTC."""
    blocked_until: datetime | None
    """While the status is BLOCKED: WhatsApp has blocked the number until then. Null otherwise, or
    if no end is known. UTC.
    """
    health: NumberHealth
    """Health of the number."""
    new_contacts: NumberNewContacts
    """New people: people the number has never exchanged messages with."""
    timelock: NumberTimelock | None
    """The restriction that stops the number from starting conversations; None if there is none."""
    cap: NumberCap | None
    """WhatsApp’s cap for new conversations; None if none is known."""
    checkpoint: str | None
    """How WhatsApp asks to verify who uses the number, such as `PASSKEY`; None if it does not ask.
    """
    protected: bool
    """Whether “Protect this number” is on."""
    lately: NumberLately
    """The last 7 days. After a change of the phone number: since then."""
    kinds: NumberKinds
    """Each kind of message on the number’s build of WhatsApp Web. `ok`: WhatsApp has accepted one.
    `failing`: requests get 409, other kinds are sent. `unproven`: none was sent on this build yet;
    requests are accepted.
    """

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Number:
        return cls(
            instance=data["instance"],
            phone_number=data["phoneNumber"],
            status=data["status"],
            connected=data["connected"],
            status_reason=data.get("statusReason"),
            linked_at=parse_time(data["linkedAt"]) if data.get("linkedAt") is not None else None,
            blocked_until=parse_time(data["blockedUntil"]) if data.get("blockedUntil") is not None else None,
            health=NumberHealth.from_json(data["health"]),
            new_contacts=NumberNewContacts.from_json(data["newContacts"]),
            timelock=NumberTimelock.from_json(data["timelock"]) if data.get("timelock") is not None else None,
            cap=NumberCap.from_json(data["cap"]) if data.get("cap") is not None else None,
            checkpoint=data.get("checkpoint"),
            protected=data["protected"],
            lately=NumberLately.from_json(data["lately"]),
            kinds=NumberKinds.from_json(data["kinds"]),
        )


@dataclass(frozen=True)
class CheckedRecipient:
    to: str
    """The phone number that was asked about."""
    status: RecipientStatus
    """`pending`: WhatsApp has not been asked yet. Check again later."""
    checked_at: datetime | None
    """When WhatsApp was asked or a message was exchanged, or None."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CheckedRecipient:
        return cls(
            to=data["to"],
            status=data["status"],
            checked_at=parse_time(data["checkedAt"]) if data.get("checkedAt") is not None else None,
        )


@dataclass(frozen=True)
class MessageEvent:
    event: str
    """A state of the message, or one of these. `accepted`: its request was accepted. `media_ready`:
    its file was downloaded. `slot_claimed`: its turn came. `recipient_resolved`: the recipient is
    on WhatsApp. `handed_over`: given to WhatsApp Web, not yet confirmed by WhatsApp. `repeated`:
    the same request came again, and nothing was sent twice.
    """
    at: datetime
    """When it happened. A state after `unknown`: when it became known."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> MessageEvent:
        return cls(
            event=data["event"],
            at=parse_time(data["at"]),
        )


@dataclass(frozen=True)
class Message:
    id: str
    """The message’s identifier."""
    to: str
    """The recipient as WhatsApp names it."""
    type: MessageKind
    """The kind of message."""
    status: MessageStatus
    """`queued`: waits for its slot. `sending`: given to WhatsApp Web, not yet confirmed by
    WhatsApp. `sent`: WhatsApp’s server confirmed it. `delivered`: on the recipient’s phone. `read`:
    opened. `failed`, `expired`, `cancelled`: definitely not sent. `unknown`: may have been sent;
    changes when WhatsApp shows the outcome.
    """
    error: str | None
    """What went wrong, in a sentence, or None."""
    error_code: ErrorCode | None
    """The same as a code, or None. Use this code in programs, never the sentence."""
    reference: str | None
    """Your own ID for the message, or None."""
    created_at: datetime
    """When it was accepted."""
    send_at: datetime | None
    """When it was scheduled for, or None."""
    sent_at: datetime | None
    """When WhatsApp’s server confirmed it, or None. If it was `unknown` before: when its outcome
    became known. It may have been sent earlier.
    """
    delivered_at: datetime | None
    """When it was reported as delivered, or as read if that came first, or None. The report comes
    late if the number was not connected.
    """
    read_at: datetime | None
    """When it was reported as read, or None. The report comes late if the number was not connected.
    """
    events: list[MessageEvent]
    """The message’s states, in order."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Message:
        return cls(
            id=data["id"],
            to=data["to"],
            type=data["type"],
            status=data["status"],
            error=data.get("error"),
            error_code=data.get("errorCode"),
            reference=data.get("reference"),
            created_at=parse_time(data["createdAt"]),
            send_at=parse_time(data["sendAt"]) if data.get("sendAt") is not None else None,
            sent_at=parse_time(data["sentAt"]) if data.get("sentAt") is not None else None,
            delivered_at=parse_time(data["deliveredAt"]) if data.get("deliveredAt") is not None else None,
            read_at=parse_time(data["readAt"]) if data.get("readAt") is not None else None,
            events=[MessageEvent.from_json(one) for one in data["events"]],
        )


@dataclass(frozen=True)
class WebhookWithSecret:
    id: str
    """The endpoint’s identifier."""
    url: str
    """The address that receives the events."""
    events: list[EventType]
    """The types of events that are sent."""
    active: bool
    """False after `active: false`, after the endpoint returns 410, and after 3 days of failures."""
    secret: str
    """`whsec_…`; shown only once."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> WebhookWithSecret:
        return cls(
            id=data["id"],
            url=data["url"],
            events=data["events"],
            active=data["active"],
            secret=data["secret"],
        )


@dataclass(frozen=True)
class Webhook:
    id: str
    """The endpoint’s identifier."""
    url: str
    """The address that receives the events."""
    events: list[EventType]
    """The types of events that are sent."""
    active: bool
    """False after `active: false`, after the endpoint returns 410, and after 3 days of failures."""
    disabled_reason: Literal["person", "gone", "failing"] | None
    """Why it is not active: `person` after `active: false` or in the dashboard, `gone` after 410,
    `failing` after 3 days of failures. Otherwise None.
    """
    failing_since: datetime | None
    """When the first request since its last success failed, or None. Its events are sent again
    until they succeed.
    """

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Webhook:
        return cls(
            id=data["id"],
            url=data["url"],
            events=data["events"],
            active=data["active"],
            disabled_reason=data.get("disabledReason"),
            failing_since=parse_time(data["failingSince"]) if data.get("failingSince") is not None else None,
        )


__all__ = [
    "CapStatus",
    "CheckedRecipient",
    "ErrorCode",
    "EventType",
    "HealthLevel",
    "LimitName",
    "Message",
    "MessageEvent",
    "MessageKind",
    "MessageStatus",
    "NewContactsLimit",
    "Number",
    "NumberCap",
    "NumberHealth",
    "NumberKinds",
    "NumberLately",
    "NumberNewContacts",
    "NumberState",
    "NumberStatus",
    "NumberTimelock",
    "RecipientStatus",
    "SendOutcome",
    "SendResult",
    "SendStatus",
    "Webhook",
    "WebhookWithSecret",
]
