"""A class for each error code. Generated from `clients/openapi.json` by `python3 -m generate`: do not edit."""

from __future__ import annotations

from .._errors import WirebirdError


class UnauthorizedError(WirebirdError):
    code = "unauthorized"


class RateLimitedError(WirebirdError):
    code = "rate_limited"


class PlanInactiveError(WirebirdError):
    code = "plan_inactive"


class InstanceNotFoundError(WirebirdError):
    code = "instance_not_found"


class NotFoundError(WirebirdError):
    code = "not_found"


class InvalidParametersError(WirebirdError):
    code = "invalid_parameters"


class IdempotencyKeyReusedError(WirebirdError):
    code = "idempotency_key_reused"
    _may_be_sent = True


class BodyTooLargeError(WirebirdError):
    code = "body_too_large"


class NotConnectedError(WirebirdError):
    code = "not_connected"


class QueueFullError(WirebirdError):
    code = "queue_full"


class NewContactsError(WirebirdError):
    code = "new_contacts"


class CheckLimitError(WirebirdError):
    code = "check_limit"


class DeadlinePassedError(WirebirdError):
    code = "deadline_passed"


class MediaTooLargeError(WirebirdError):
    code = "media_too_large"


class MediaUnusableError(WirebirdError):
    code = "media_unusable"


class MediaUnavailableError(WirebirdError):
    code = "media_unavailable"


class MediaShareFullError(WirebirdError):
    code = "media_share_full"


class NoRoomError(WirebirdError):
    code = "no_room"


class RecipientUnknownError(WirebirdError):
    code = "recipient_unknown"


class SendFailedError(WirebirdError):
    code = "send_failed"


class SendUnknownError(WirebirdError):
    code = "send_unknown"
    _may_be_sent = True


class HungUpError(WirebirdError):
    code = "hung_up"
    _may_be_sent = True


class NotCancellableError(WirebirdError):
    code = "not_cancellable"
    _may_be_sent = True


class StoppingError(WirebirdError):
    code = "stopping"


class UnavailableError(WirebirdError):
    code = "unavailable"


class InternalError(WirebirdError):
    code = "internal"
    _may_be_sent = True


class KeyRevokedError(WirebirdError):
    code = "key_revoked"


class PlanEndedError(WirebirdError):
    code = "plan_ended"


class SuspendedError(WirebirdError):
    code = "suspended"


class RemovedError(WirebirdError):
    code = "removed"


class UnlinkedError(WirebirdError):
    code = "unlinked"


class CancelledByCallerError(WirebirdError):
    code = "cancelled_by_caller"


class CancelledByPersonError(WirebirdError):
    code = "cancelled_by_person"


ERROR_CLASSES: dict[str, type[WirebirdError]] = {
    "unauthorized": UnauthorizedError,
    "rate_limited": RateLimitedError,
    "plan_inactive": PlanInactiveError,
    "instance_not_found": InstanceNotFoundError,
    "not_found": NotFoundError,
    "invalid_parameters": InvalidParametersError,
    "idempotency_key_reused": IdempotencyKeyReusedError,
    "body_too_large": BodyTooLargeError,
    "not_connected": NotConnectedError,
    "queue_full": QueueFullError,
    "new_contacts": NewContactsError,
    "check_limit": CheckLimitError,
    "deadline_passed": DeadlinePassedError,
    "media_too_large": MediaTooLargeError,
    "media_unusable": MediaUnusableError,
    "media_unavailable": MediaUnavailableError,
    "media_share_full": MediaShareFullError,
    "no_room": NoRoomError,
    "recipient_unknown": RecipientUnknownError,
    "send_failed": SendFailedError,
    "send_unknown": SendUnknownError,
    "hung_up": HungUpError,
    "not_cancellable": NotCancellableError,
    "stopping": StoppingError,
    "unavailable": UnavailableError,
    "internal": InternalError,
    "key_revoked": KeyRevokedError,
    "plan_ended": PlanEndedError,
    "suspended": SuspendedError,
    "removed": RemovedError,
    "unlinked": UnlinkedError,
    "cancelled_by_caller": CancelledByCallerError,
    "cancelled_by_person": CancelledByPersonError,
}

__all__ = [
    "UnauthorizedError",
    "RateLimitedError",
    "PlanInactiveError",
    "InstanceNotFoundError",
    "NotFoundError",
    "InvalidParametersError",
    "IdempotencyKeyReusedError",
    "BodyTooLargeError",
    "NotConnectedError",
    "QueueFullError",
    "NewContactsError",
    "CheckLimitError",
    "DeadlinePassedError",
    "MediaTooLargeError",
    "MediaUnusableError",
    "MediaUnavailableError",
    "MediaShareFullError",
    "NoRoomError",
    "RecipientUnknownError",
    "SendFailedError",
    "SendUnknownError",
    "HungUpError",
    "NotCancellableError",
    "StoppingError",
    "UnavailableError",
    "InternalError",
    "KeyRevokedError",
    "PlanEndedError",
    "SuspendedError",
    "RemovedError",
    "UnlinkedError",
    "CancelledByCallerError",
    "CancelledByPersonError",
]
