import { z } from 'zod';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { MESSAGE_STATUSES } from '#server/core/message-state.ts';
import { API_ERROR_CODES } from '#server/core/outcomes.ts';
import { DateTime } from './date-time.ts';

/** The filters of the message list, and of its CSV file. */
export const MessageFilters = z.object({
  numberId: z.string().max(64).optional(),
  status: z.enum(MESSAGE_STATUSES).optional(),
  type: z.enum(MESSAGE_TYPES).optional(),
  /** The key that it was sent with. */
  keyId: z.string().max(64).optional(),
  errorCode: z.string().max(64).optional(),
  search: z
    .string()
    .max(200)
    .trim()
    .transform((text) => text || undefined)
    .optional(),
  since: DateTime.optional(),
  until: DateTime.optional(),
});

/** The filters of the request log, and of its CSV file. */
export const RequestFilters = z.object({
  refused: z.boolean().optional(),
  unsent: z.boolean().optional(),
  errorCode: z.enum(API_ERROR_CODES).optional(),
  httpStatus: z
    .string()
    .max(3)
    .regex(/^[2-5](\d\d|xx)$/)
    .optional(),
  keyId: z.string().max(64).optional(),
  numberId: z.string().max(64).optional(),
  requestId: z.string().max(64).optional(),
  recipient: z.string().max(64).optional(),
  since: DateTime.optional(),
  until: DateTime.optional(),
});

export const withDates = <Filter extends { since?: string | undefined; until?: string | undefined }>({
  since,
  until,
  ...rest
}: Filter) => ({
  ...rest,
  since: since === undefined ? undefined : new Date(since),
  until: until === undefined ? undefined : new Date(until),
});
