import { numberStatus } from '#server/numbers/number-status.ts';
import { readProcedure } from '../trpc.ts';
import { GetStatusAnswer, GetStatusRequest, getStatusMeta } from './get-status.types.ts';

export const getStatus = readProcedure
  .meta(getStatusMeta)
  .input(GetStatusRequest)
  .output(GetStatusAnswer)
  .query(({ ctx }) => ({ success: true as const, data: numberStatus(ctx.number) }));
