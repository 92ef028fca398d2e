import type { CallerNumber } from '#server/api-keys/caller.ts';
import { readProcedure } from '../trpc.ts';
import { GetStatusAnswer, GetStatusRequest, getStatusMeta } from './get-status.types.ts';

export function numberStatus(number: CallerNumber) {
  return {
    instance: number.id,
    /** Digits; empty if it was never linked. */
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
