import { numberHealth } from '#server/numbers/number-health.ts';
import { readProcedure } from '../trpc.ts';
import { GetNumberAnswer, GetNumberRequest, getNumberMeta } from './get-number.types.ts';
import { numberStatus } from './get-status.ts';

const text = (at: Date | null) => at?.toISOString() ?? null;

export const getNumber = readProcedure
  .meta(getNumberMeta)
  .input(GetNumberRequest)
  .output(GetNumberAnswer)
  .query(async ({ ctx }) => {
    const { accountId } = ctx.caller;
    const view = await numberHealth({ database: ctx.database, accountId }, { numberId: ctx.number.id });
    const { level, sentence, todo, newContacts, timelock, cap, checkpoint, lately } = view;
    return {
      success: true as const,
      data: {
        ...numberStatus(ctx.number),
        statusReason: view.statusReason,
        linkedAt: text(view.linkedAt),
        blockedUntil: text(view.blockedUntil),
        health: { level, sentence, todo },
        newContacts: { ...newContacts, nextAt: text(newContacts.nextAt) },
        timelock: timelock && { ...timelock, until: text(timelock.until) },
        cap: cap && { ...cap, until: text(cap.until) },
        checkpoint,
        protected: view.protected,
        lately,
      },
    };
  });
