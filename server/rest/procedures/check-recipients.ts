import { checkRecipients as check } from '#server/numbers/check-recipients.ts';
import { readProcedure } from '../trpc.ts';
import * as types from './check-recipients.types.ts';

export const checkRecipients = readProcedure
  .meta(types.checkRecipientsMeta)
  .input(types.CheckRecipientsRequest)
  .output(types.CheckRecipientsAnswer)
  .mutation(async ({ ctx, input: { to } }) => {
    const { accountId } = ctx.caller;
    const scope = { database: ctx.database, accountId, numberId: ctx.number.id };
    const digits = typeof to === 'string' ? [to] : to;
    const checked = await check(scope, { digits, signal: ctx.request.signal() });
    const recipients = checked.map(({ digits: one, status, checkedAt }) => ({
      to: one,
      status,
      checkedAt: checkedAt?.toISOString() ?? null,
    }));
    return { success: true as const, data: { recipients } };
  });
