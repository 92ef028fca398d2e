import type { TRPCError } from '@trpc/server';
import type { ErrorCode } from '#server/core/errors.ts';

interface Transport {
  /** HTTP status of the customers' API. */
  status: number;
  /** Code of the dashboard's API. */
  trpc: TRPCError['code'];
}

/** What each error is called on the wire: the one table for both routers. */
export const STATUS_BY_CODE = {
  unauthorized: { status: 401, trpc: 'UNAUTHORIZED' },
  forbidden: { status: 403, trpc: 'FORBIDDEN' },
  second_factor: { status: 403, trpc: 'FORBIDDEN' },
  confirm_password: { status: 403, trpc: 'FORBIDDEN' },
  rate_limited: { status: 429, trpc: 'TOO_MANY_REQUESTS' },
  plan_inactive: { status: 402, trpc: 'PAYMENT_REQUIRED' },
  instance_not_found: { status: 404, trpc: 'NOT_FOUND' },
  not_found: { status: 404, trpc: 'NOT_FOUND' },
  invalid_parameters: { status: 400, trpc: 'BAD_REQUEST' },
  already_exists: { status: 409, trpc: 'CONFLICT' },
  not_connected: { status: 409, trpc: 'CONFLICT' },
  queue_full: { status: 429, trpc: 'TOO_MANY_REQUESTS' },
  new_contacts: { status: 429, trpc: 'TOO_MANY_REQUESTS' },
  deadline_passed: { status: 429, trpc: 'TOO_MANY_REQUESTS' },
  cancelled: { status: 409, trpc: 'CONFLICT' },
  body_too_large: { status: 413, trpc: 'PAYLOAD_TOO_LARGE' },
  media_too_large: { status: 413, trpc: 'PAYLOAD_TOO_LARGE' },
  media_unusable: { status: 400, trpc: 'BAD_REQUEST' },
  media_unavailable: { status: 400, trpc: 'BAD_REQUEST' },
  media_share_full: { status: 429, trpc: 'TOO_MANY_REQUESTS' },
  no_room: { status: 503, trpc: 'SERVICE_UNAVAILABLE' },
  recipient_unknown: { status: 400, trpc: 'BAD_REQUEST' },
  send_failed: { status: 502, trpc: 'BAD_GATEWAY' },
  send_unknown: { status: 502, trpc: 'BAD_GATEWAY' },
  stopping: { status: 503, trpc: 'SERVICE_UNAVAILABLE' },
  unavailable: { status: 503, trpc: 'SERVICE_UNAVAILABLE' },
  internal: { status: 500, trpc: 'INTERNAL_SERVER_ERROR' },
} as const satisfies Record<ErrorCode, Transport>;
