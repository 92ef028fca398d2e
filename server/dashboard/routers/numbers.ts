import { z } from 'zod';
import { acceptRisk, hasAcceptedRisk } from '#server/accounts/accept-risk.ts';
import { NETWORKS } from '#server/core/number-state.ts';
import { decideWaited } from '#server/messages/decide-waited.ts';
import { addNumber } from '#server/numbers/add-number.ts';
import { cancelLinking } from '#server/numbers/cancel-linking.ts';
import { getNumber } from '#server/numbers/get-number.ts';
import { holdNumber } from '#server/numbers/hold-number.ts';
import { linkingView } from '#server/numbers/linking-view.ts';
import { listNumbers } from '#server/numbers/list-numbers.ts';
import { askGroups, numberGroups } from '#server/numbers/number-groups.ts';
import { numberHealth } from '#server/numbers/number-health.ts';
import { numberHistory } from '#server/numbers/number-history.ts';
import { cancelQueue, numberQueue } from '#server/numbers/number-queue.ts';
import { openLinking } from '#server/numbers/open-linking.ts';
import { releaseNumber } from '#server/numbers/release-number.ts';
import { removeNumber } from '#server/numbers/remove-number.ts';
import { keepPhone, replacePhone } from '#server/numbers/replace-phone.ts';
import { setLabel } from '#server/numbers/set-label.ts';
import { setProtection } from '#server/numbers/set-protection.ts';
import { setSendInterval } from '#server/numbers/set-send-interval.ts';
import { takeOverSession } from '#server/numbers/take-over-session.ts';
import { unlinkNumber } from '#server/numbers/unlink-number.ts';
import { recipientText } from '../phone-text.ts';
import { presentLinking, presentNumber } from '../present.ts';
import { memberProcedure, ownerProcedure, requireConfirmed, router } from '../trpc.ts';

const OfNumber = z.object({ numberId: z.string().max(64) });
const ofNumber = memberProcedure.input(OfNumber);

/** An account's numbers. */
export const numbers = router({
  list: memberProcedure.query(async ({ ctx }) =>
    (await listNumbers(ctx.database.db, { accountId: ctx.accountId })).map(presentNumber),
  ),

  get: ofNumber.query(async ({ ctx, input }) =>
    presentNumber(await getNumber(ctx.database.db, { accountId: ctx.accountId, ...input })),
  ),

  /** QR and pairing code: for the account's own, current sessions alone, not for who only looks at it. */
  linking: ofNumber.query(async ({ ctx, input }) => {
    const view = await linkingView(ctx.database.db, { accountId: ctx.accountId, ...input });
    return presentLinking(ctx.user.views ? { ...view, qr: null, pairingCode: null } : view);
  }),

  history: ofNumber.query(({ ctx, input }) =>
    numberHistory(ctx.database.db, { accountId: ctx.accountId, ...input, limit: 50 }),
  ),

  /** What waits, in the order in which it leaves. */
  queue: ofNumber.query(async ({ ctx, input }) =>
    (await numberQueue(ctx.database.db, { accountId: ctx.accountId, ...input })).map((row) => ({
      ...row,
      toText: recipientText(row.to),
    })),
  ),

  cancelWaiting: memberProcedure
    .input(OfNumber.extend({ messageId: z.string().max(64).optional() }))
    .mutation(async ({ ctx, input: { messageId, ...number } }) => {
      const { cancelled } = await cancelQueue(ctx.database, {
        accountId: ctx.accountId,
        actor: ctx.actor,
        ...number,
        ...(messageId === undefined ? {} : { messageId }),
      });
      return { cancelled };
    }),

  groups: ofNumber.query(({ ctx, input }) =>
    numberGroups(ctx.database.db, { accountId: ctx.accountId, ...input }),
  ),

  askGroups: ofNumber.mutation(({ ctx, input }) =>
    askGroups(ctx.database, { accountId: ctx.accountId, ...input }),
  ),

  /** Names the phone that takes the linked one's place, and unlinks that. */
  replacePhone: memberProcedure
    .use(requireConfirmed)
    .input(OfNumber.extend({ phone: z.string().max(64) }))
    .mutation(async ({ ctx, input }) =>
      presentNumber(
        await replacePhone(ctx.database, { accountId: ctx.accountId, actor: ctx.actor, ...input }),
      ),
    ),

  keepPhone: ofNumber.mutation(async ({ ctx, input }) =>
    presentNumber(await keepPhone(ctx.database, { accountId: ctx.accountId, actor: ctx.actor, ...input })),
  ),

  /** Has somebody of the account read what linking a real number risks? */
  riskAccepted: memberProcedure.query(({ ctx }) =>
    hasAcceptedRisk(ctx.database.db, { accountId: ctx.accountId }),
  ),

  acceptRisk: memberProcedure.mutation(({ ctx }) =>
    acceptRisk(ctx.database, { accountId: ctx.accountId, actor: ctx.actor }),
  ),

  add: memberProcedure
    .input(z.object({ network: z.enum(NETWORKS), label: z.string().max(500) }))
    .mutation(async ({ ctx, input }) =>
      presentNumber(await addNumber(ctx.database, { accountId: ctx.accountId, actor: ctx.actor, ...input })),
    ),

  openLinking: memberProcedure
    .input(OfNumber.extend({ pairingPhone: z.string().max(64).optional() }))
    .mutation(async ({ ctx, input: { pairingPhone, ...number } }) =>
      presentNumber(
        await openLinking(ctx.database, {
          accountId: ctx.accountId,
          actor: ctx.actor,
          ...number,
          ...(pairingPhone === undefined ? {} : { pairingPhone }),
        }),
      ),
    ),

  cancelLinking: ofNumber.mutation(async ({ ctx, input }) =>
    presentNumber(
      await cancelLinking(ctx.database, { accountId: ctx.accountId, actor: ctx.actor, ...input }),
    ),
  ),

  setLabel: memberProcedure
    .input(OfNumber.extend({ label: z.string().max(500) }))
    .mutation(async ({ ctx, input }) =>
      presentNumber(await setLabel(ctx.database, { accountId: ctx.accountId, actor: ctx.actor, ...input })),
    ),

  setSendInterval: memberProcedure
    .input(OfNumber.extend({ sendIntervalSeconds: z.number() }))
    .mutation(async ({ ctx, input }) =>
      presentNumber(
        await setSendInterval(ctx.database, { accountId: ctx.accountId, actor: ctx.actor, ...input }),
      ),
    ),

  /** How it stands with WhatsApp. */
  health: ofNumber.query(({ ctx, input }) =>
    numberHealth(ctx.database.db, { accountId: ctx.accountId, ...input }),
  ),

  setProtection: memberProcedure
    .input(OfNumber.extend({ on: z.boolean() }))
    .mutation(async ({ ctx, input }) =>
      presentNumber(
        await setProtection(ctx.database, { accountId: ctx.accountId, actor: ctx.actor, ...input }),
      ),
    ),

  hold: ofNumber.mutation(async ({ ctx, input }) =>
    presentNumber(await holdNumber(ctx.database, { accountId: ctx.accountId, actor: ctx.actor, ...input })),
  ),

  release: ofNumber.mutation(async ({ ctx, input }) =>
    presentNumber(
      await releaseNumber(ctx.database, { accountId: ctx.accountId, actor: ctx.actor, ...input }),
    ),
  ),

  /** Sends or discards what was set aside when the number was linked again. */
  decideWaited: memberProcedure
    .input(OfNumber.extend({ send: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      const { decided } = await decideWaited(ctx.database, {
        accountId: ctx.accountId,
        actor: ctx.actor,
        ...input,
      });
      return { decided };
    }),

  takeOverSession: ofNumber.mutation(async ({ ctx, input }) =>
    presentNumber(
      await takeOverSession(ctx.database, { accountId: ctx.accountId, actor: ctx.actor, ...input }),
    ),
  ),

  unlink: ofNumber.mutation(async ({ ctx, input }) =>
    presentNumber(await unlinkNumber(ctx.database, { accountId: ctx.accountId, actor: ctx.actor, ...input })),
  ),

  remove: ownerProcedure
    .use(requireConfirmed)
    .input(OfNumber)
    .mutation(({ ctx, input }) =>
      removeNumber(ctx.database, { accountId: ctx.accountId, actor: ctx.actor, ...input }),
    ),
});
