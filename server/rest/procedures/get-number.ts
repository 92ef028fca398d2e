import { numberHealth } from '#server/numbers/number-health.ts';
import { numberKinds } from '#server/operations/number-kinds.ts';
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
    const { database } = ctx;
    const status = numberStatus(ctx.number);
    const numberId = status.instance;
    const [view, { kinds, failing }] = await Promise.all([
      numberHealth({ database, accountId }, { numberId }),
      numberKinds({ database, numberId }),
    ]);
    const { level, sentence, todo, newContacts, timelock, cap, checkpoint, lately } = view;
    return {
      success: true as const,
      data: {
        ...status,
        statusReason: view.statusReason ?? (status.connected ? failing : null),
        linkedAt: text(view.linkedAt),
        blockedUntil: text(view.blockedUntil),
        health: { level, sentence, todo },
        newContacts: { ...newContacts, nextAt: text(newContacts.nextAt) },
        timelock: timelock && { ...timelock, until: text(timelock.until) },
        cap: cap && { ...cap, until: text(cap.until) },
        checkpoint,
        protected: view.protected,
        lately,
        kinds,
      },
    };
  });
