import { z } from 'zod';
import { phoneText } from '#server/core/phone-text.ts';
import { pick } from '#server/core/pick.ts';
import {
  demandPasskey,
  drivePhone,
  enterPairingCode,
  PHONE_ACTIONS,
  receiveReply,
  setDelivery,
  setSurprise,
  signWithPhone,
} from '#server/sandbox/drive-sandbox-phone.ts';
import { SURPRISE_NAMES, sandboxPhone } from '#server/sandbox/sandbox-phone.ts';
import { memberProcedure, router } from '../trpc.ts';

const OfNumber = z.object({ numberId: z.string().max(64) });
const ofNumber = memberProcedure.input(OfNumber);

/** The virtual phones of an account's sandbox numbers. */
export const sandbox = router({
  phone: ofNumber.query(async ({ ctx, input }) => {
    const view = await sandboxPhone(ctx, input);
    return {
      ...view,
      // Linking codes are only for the account's members.
      ...(ctx.user.views ? { offered: { qr: false, pairingCode: null } } : {}),
      phoneText: phoneText(view.state.phone),
      chats: view.chats.map((chat) => ({
        ...chat,
        name: /^\+\d+$/.test(chat.name) ? phoneText(chat.name.slice(1)) : chat.name,
      })),
    };
  }),

  drive: memberProcedure
    .input(OfNumber.extend({ phoneAction: z.enum(PHONE_ACTIONS) }))
    .mutation(({ ctx, input }) => drivePhone(ctx, input)),

  demandPasskey: memberProcedure
    .input(OfNumber.extend({ demanded: z.boolean() }))
    .mutation(({ ctx, input }) => demandPasskey(ctx, input)),

  signPasskey: ofNumber.mutation(({ ctx, input }) =>
    signWithPhone(ctx, { ...input, ...pick(ctx.user, 'userId', 'signInId') }),
  ),

  enterCode: memberProcedure
    .input(OfNumber.extend({ code: z.string().min(1, 'Type the code first.').max(20) }))
    .mutation(({ ctx, input }) => enterPairingCode(ctx, input)),

  receive: memberProcedure
    .input(
      OfNumber.extend({
        from: z.string().max(20),
        body: z.string().trim().min(1, 'Write something first.').max(4000),
      }),
    )
    .mutation(({ ctx, input }) => receiveReply(ctx, input)),

  setDelivery: memberProcedure
    .input(OfNumber.extend({ delivered: z.boolean(), read: z.boolean() }))
    .mutation(({ ctx, input }) => setDelivery(ctx, input)),

  setSurprise: memberProcedure
    .input(OfNumber.extend({ surprise: z.enum(SURPRISE_NAMES), on: z.boolean() }))
    .mutation(({ ctx, input }) => setSurprise(ctx, input)),
});
