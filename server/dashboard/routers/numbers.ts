import { z } from 'zod';
import { acceptRisk, hasAcceptedRisk } from '#server/accounts/account-settings.ts';
import { NETWORKS } from '#server/core/number-state.ts';
import { recipientText, sentToText } from '#server/core/phone-text.ts';
import { pick } from '#server/core/pick.ts';
import { typedPhone } from '#server/core/recipient.ts';
import { addNumber } from '#server/numbers/add-number.ts';
import { cancelledLately } from '#server/numbers/cancelled-lately.ts';
import { decideWaited } from '#server/numbers/decide-waited.ts';
import { getNumber, listNumbers, numberHistory } from '#server/numbers/get-number.ts';
import { holdNumber, releaseNumber } from '#server/numbers/hold-number.ts';
import { cancelLinking, linkingView, openLinking, showLinking } from '#server/numbers/link-number.ts';
import { askGroups, numberGroups } from '#server/numbers/number-groups.ts';
import { numberHealth } from '#server/numbers/number-health.ts';
import { cancelQueue, numberQueue } from '#server/numbers/number-queue.ts';
import { setLabel, setProtection, setSendInterval } from '#server/numbers/number-settings.ts';
import type { NumberView } from '#server/numbers/number-view.ts';
import { answerPasskey, continuePasskey, passkeyToSign } from '#server/numbers/passkey.ts';
import { keepPhone, replacePhone } from '#server/numbers/replace-phone.ts';
import { restoredLately } from '#server/numbers/restored-lately.ts';
import { startTrial } from '#server/numbers/start-trial.ts';
import { takeOverSession } from '#server/numbers/take-over-session.ts';
import { removeNumber, unlinkNumber } from '#server/numbers/unlink-number.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { requestsOfNumber } from '#server/requests/requests-of-number.ts';
import { presentLinking, presentNumber } from '../present.ts';
import { memberProcedure, ownerProcedure, requireConfirmed, router } from '../trpc.ts';

const OfNumber = z.object({ numberId: z.string().max(64) });
/** As a person types it. The use case refuses a text that is not a number. */
const Phone = z
  .string()
  .max(64)
  .transform((text) => typedPhone(text) ?? text.trim());
const ofNumber = memberProcedure.input(OfNumber);

/** Changes a number and returns it as pages show it. */
function shown<I>(change: (context: AccountContext, input: I) => Promise<NumberView>) {
  return async ({ ctx, input }: { ctx: AccountContext; input: I }) => presentNumber(await change(ctx, input));
}

export const numbers = router({
  list: memberProcedure.query(async ({ ctx }) => (await listNumbers(ctx)).map(presentNumber)),

  get: ofNumber.query(async ({ ctx, input }) => presentNumber(await getNumber(ctx, input))),

  /** QR and pairing code: only for members, not for an administrator who views the account. */
  linking: ofNumber.query(async ({ ctx, input }) => {
    if (!ctx.user.views) return presentLinking(await showLinking(ctx, input));
    const view = await linkingView(ctx, input);
    return presentLinking({ ...view, qr: null, pairingCode: null, passkey: null });
  }),

  history: ofNumber.query(({ ctx, input }) => numberHistory(ctx, { ...input, limit: 50 })),

  /** The waiting messages, in the expected order. */
  queue: ofNumber.query(async ({ ctx, input }) =>
    (await numberQueue(ctx, input)).map((row) => ({
      ...row,
      toText: recipientText(row.to),
    })),
  ),

  cancelWaiting: memberProcedure
    .input(OfNumber.extend({ messageId: z.string().max(64).optional() }))
    .mutation(async ({ ctx, input }) => {
      const { cancelled } = await cancelQueue(ctx, input);
      return { cancelled };
    }),

  /** What its last unlinking or change of the phone number cancelled. */
  cancelledLately: ofNumber.query(({ ctx, input }) => cancelledLately(ctx, input)),

  /** What a restore or a move left unknown or expired. */
  restoredLately: ofNumber.query(({ ctx, input }) => restoredLately(ctx, input)),

  /** Requests that were refused or that its program did not wait for. */
  requestsLately: ofNumber.query(async ({ ctx, input }) => {
    const { unsent, hungUp } = await requestsOfNumber(ctx, input);
    return { hungUp, unsent: unsent && { ...unsent, to: unsent.to.map(sentToText) } };
  }),

  groups: ofNumber.query(({ ctx, input }) => numberGroups(ctx, input)),

  askGroups: ofNumber.mutation(({ ctx, input }) => askGroups(ctx, input)),

  /** Names the phone that replaces the linked one, and unlinks that one. */
  replacePhone: memberProcedure
    .use(requireConfirmed)
    .input(OfNumber.extend({ phone: Phone }))
    .mutation(shown(replacePhone)),

  keepPhone: ofNumber.mutation(shown(keepPhone)),

  /** Has a member read the risks of linking a real number? */
  riskAccepted: memberProcedure.query(({ ctx }) => hasAcceptedRisk(ctx)),

  acceptRisk: memberProcedure.mutation(({ ctx }) => acceptRisk(ctx)),

  add: memberProcedure
    .input(z.object({ network: z.enum(NETWORKS), label: z.string().max(500) }))
    .mutation(shown(addNumber)),

  openLinking: memberProcedure
    .input(OfNumber.extend({ pairingPhone: Phone.optional() }))
    .mutation(shown(openLinking)),

  cancelLinking: ofNumber.mutation(shown(cancelLinking)),

  /** What a browser signs on WhatsApp's site, with a token for the answer. A mutation, so that nothing caches it. */
  passkeyToSign: ofNumber.mutation(({ ctx, input }) =>
    passkeyToSign(ctx, { ...input, ...pick(ctx.user, 'userId', 'signInId') }),
  ),

  answerPasskey: memberProcedure
    .input(OfNumber.extend({ answer: z.string().max(65_536) }))
    .mutation(({ ctx, input }) => answerPasskey(ctx, { ...input, ...pick(ctx.user, 'userId', 'signInId') })),

  continuePasskey: memberProcedure
    .input(OfNumber.extend({ attempt: z.string().max(64), kind: z.enum(['confirm', 'retry']) }))
    .mutation(({ ctx, input }) => continuePasskey(ctx, input)),

  setLabel: memberProcedure.input(OfNumber.extend({ label: z.string().max(500) })).mutation(shown(setLabel)),

  setSendInterval: memberProcedure
    .input(OfNumber.extend({ sendIntervalSeconds: z.number() }))
    .mutation(shown(setSendInterval)),

  /** Its health: WhatsApp's restrictions. */
  health: ofNumber.query(({ ctx, input }) => numberHealth(ctx, input)),

  setProtection: memberProcedure.input(OfNumber.extend({ on: z.boolean() })).mutation(shown(setProtection)),

  hold: ofNumber.mutation(shown(holdNumber)),

  release: ofNumber.mutation(shown(releaseNumber)),

  /** Sends or discards the messages that are set aside. */
  decideWaited: memberProcedure
    .input(OfNumber.extend({ send: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      const { decided } = await decideWaited(ctx, input);
      return { decided };
    }),

  /** Starts the stopped session of a trial number. */
  startTrial: ofNumber.mutation(shown(startTrial)),

  takeOverSession: ofNumber.mutation(shown(takeOverSession)),

  unlink: ofNumber.mutation(shown(unlinkNumber)),

  remove: ownerProcedure
    .use(requireConfirmed)
    .input(OfNumber)
    .mutation(({ ctx, input }) => removeNumber(ctx, input)),
});
