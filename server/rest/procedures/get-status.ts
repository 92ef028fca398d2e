import type { CallerNumber } from '#server/api-keys/caller.ts';
import { readProcedure } from '../trpc.ts';
import { GetStatusAnswer, GetStatusRequest, getStatusMeta } from './get-status.types.ts';

/** What `GET /v1/status` says of the caller's number. */
export function numberStatus(number: CallerNumber) {
  return {
    instance: number.id,
    /** Digits, or empty when it was never linked. */
    phoneNumber: number.phoneNumber ?? '',
    status: number.status,
    connected: number.status === 'CONNECTED',
  };
}

export const getStatus = readProcedure
  .meta(getStatusMeta)
  .input(GetStatusRequest)
  .output(GetStatusAnswer)
  .query(({ ctx }) => ({ success: true as const, data: numberStatus(ctx.number) }));
