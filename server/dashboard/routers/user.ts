import { z } from 'zod';
import { mailTimesOf, setMailTime } from '#server/alerts/mail-times.ts';
import { ALERT_TOPICS, MAIL_TIMES } from '#server/core/alert.ts';
import {
  CodeField as Code,
  EmailField,
  LinkTokenField,
  PasswordField as Password,
} from '#server/core/sign-in-fields.ts';
import { changePassword, openResetLink, resetPassword } from '#server/people/change-password.ts';
import { mailResetLink } from '#server/people/mail-reset-link.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorOf,
} from '#server/people/second-factor.ts';
import { confirmPassword, endAllSignIns, endSignIn, listSignIns } from '#server/people/sign-in.ts';
import { drawQr } from '../present.ts';
import { openProcedure, requireConfirmed, router, userProcedure } from '../trpc.ts';

const confirmedProcedure = userProcedure.use(requireConfirmed);

/** A user's password, second factor, sign-ins and choices. */
export const user = router({
  /** When alerts are mailed to the user. */
  mailTimes: userProcedure.query(({ ctx }) => mailTimesOf(ctx)),

  setMailTime: userProcedure
    .input(z.object({ topic: z.enum(ALERT_TOPICS), time: z.enum(MAIL_TIMES) }))
    .mutation(({ ctx, input }) => setMailTime(ctx, input)),

  signIns: userProcedure.query(({ ctx }) => listSignIns(ctx, ctx.user)),

  secondFactor: userProcedure.query(({ ctx }) => secondFactorOf(ctx, ctx.user)),

  /** The password again, for critical changes. */
  confirmPassword: userProcedure
    .input(z.object({ password: Password, code: Code.optional() }))
    .mutation(async ({ ctx, input }) => {
      const { userId, signInId } = ctx.user;
      const renewals = await confirmPassword(ctx, { ...input, signInId });
      await ctx.renewSession?.({ userId, signInId, renewals });
    }),

  changePassword: userProcedure
    .input(z.object({ current: Password, password: Password, code: Code.optional() }))
    .mutation(async ({ ctx, input }) => {
      const { userId, signInId } = ctx.user;
      const renewals = await changePassword(ctx, { ...input, signInId });
      if (renewals !== null) await ctx.renewSession?.({ userId, signInId, renewals });
    }),

  /** Whether a one-time link can still set a password. */
  openReset: openProcedure
    .input(z.object({ token: LinkTokenField }))
    .mutation(({ ctx, input }) => openResetLink(ctx, input)),

  /** Sets a password by a one-time link. */
  resetPassword: openProcedure
    .input(z.object({ token: LinkTokenField, password: Password }))
    .mutation(({ ctx, input }) => resetPassword(ctx, input)),

  /** The answer and its time are the same whether or not a user has the address. */
  mailResetLink: openProcedure.input(z.object({ email: EmailField })).mutation(async ({ ctx, input }) => {
    await mailResetLink(ctx, input);
  }),

  endSignIn: userProcedure
    .input(z.object({ signInId: z.string().max(64) }))
    .mutation(({ ctx, input }) => endSignIn(ctx, input)),

  /** Signs out everywhere, this browser included. */
  endAllSignIns: userProcedure.mutation(({ ctx }) => endAllSignIns(ctx)),

  /** Only this answer contains the app's secret. */
  beginSecondFactor: confirmedProcedure.mutation(async ({ ctx }) => {
    const { secret, uri } = await beginSecondFactor(ctx);
    return { secret, qr: drawQr(uri) };
  }),

  confirmSecondFactor: confirmedProcedure
    .input(z.object({ code: Code }))
    .mutation(({ ctx, input }) => confirmSecondFactor(ctx, input)),

  renewRecoveryCodes: confirmedProcedure.mutation(({ ctx }) => renewRecoveryCodes(ctx)),

  removeSecondFactor: confirmedProcedure.mutation(({ ctx }) => removeSecondFactor(ctx)),
});
