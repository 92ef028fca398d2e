import { z } from 'zod';
import { accountSettings, renameAccount, setTimeZone } from '#server/accounts/account-settings.ts';
import { deleteAccount } from '#server/accounts/delete-account.ts';
import { overview } from '#server/accounts/overview.ts';
import { RETENTION_MOST, retentionOf, setRetention } from '#server/accounts/retention.ts';
import { deleteView, savedViews, saveView } from '#server/accounts/saved-views.ts';
import { planLoss } from '#server/alerts/plan-loss.ts';
import { AppError } from '#server/core/errors.ts';
import { recipientText, sentToText } from '#server/core/phone-text.ts';
import { planEndedText } from '#server/core/plan-end.ts';
import { VIEW_LISTS, VIEW_NAME_MAX, VIEW_QUERY_MAX } from '#server/core/saved-views.ts';
import { EmailField, LinkTokenField, PasswordField } from '#server/core/sign-in-fields.ts';
import { claimAdmin, setUp } from '#server/people/first-admin.ts';
import { confirmSignUp } from '#server/people/mail-sign-up.ts';
import { signUpAsVisitor } from '#server/people/sign-up.ts';
import { howToPay } from '#server/plans/how-to-pay.ts';
import { keepNumbers } from '#server/plans/keep-numbers.ts';
import { listPayments } from '#server/plans/list-payments.ts';
import { planOf } from '#server/plans/plan-of.ts';
import { planWithEnd } from '#server/plans/plan-with-end.ts';
import { planRequestOf, requestPlan, withdrawPlanRequest } from '#server/plans/request-plan.ts';
import { usageOf } from '#server/plans/usage.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { refusedToday } from '#server/requests/list-requests.ts';
import { unsentRequests } from '#server/requests/unsent-requests.ts';
import { settings } from '#server/settings.ts';
import { EXPORT_PATH } from '../paths.ts';
import {
  memberProcedure,
  openProcedure,
  ownerProcedure,
  requireConfirmed,
  router,
  userProcedure,
} from '../trpc.ts';

const NewUser = z.object({
  email: EmailField,
  password: PasswordField,
  accountName: z.string().max(500),
});

/** What the plan's end cancelled and refused, with recipients for reading; null if nothing. */
async function planLossOf(scope: AccountScope) {
  const loss = await planLoss(scope);
  if (!loss) return null;
  const { cancelledTo, refusedTo, ...rest } = loss;
  return {
    ...rest,
    sinceText: planEndedText(loss.since, settings.timeZone),
    cancelledToTexts: cancelledTo.map(sentToText),
    refusedToTexts: refusedTo.map(sentToText),
  };
}

/** The signed-in user, their account and its plan. */
export const account = router({
  me: memberProcedure.query(async ({ ctx }) => ({
    userId: ctx.user.userId,
    email: ctx.user.email,
    admin: ctx.user.admin && ctx.user.views === null,
    viewing: ctx.user.views !== null,
    accounts: ctx.user.views ? [ctx.user.views] : ctx.user.accounts,
    account: ctx.account,
    plan: await planWithEnd(ctx),
    sandbox: settings.sandbox,
    publicUrl: settings.publicUrl,
  })),

  plan: memberProcedure.query(({ ctx }) => planWithEnd(ctx)),

  /** The use of the plan, how to pay, in the operator's words, and what the plan's end cancelled and refused. */
  usage: memberProcedure.query(async ({ ctx }) => {
    const { database } = ctx;
    const [usage, pay, loss] = await Promise.all([usageOf(ctx), howToPay({ database }), planLossOf(ctx)]);
    return { ...usage, howToPay: pay, planLoss: loss };
  }),

  /** The recorded payments, without the administrator's name. */
  payments: ownerProcedure.query(async ({ ctx }) => {
    const rows = await listPayments(ctx);
    return rows.map(({ recordedByEmail: _, ...payment }) => payment);
  }),

  /** The open request for a plan, and whether its answer is mailed. */
  planRequest: memberProcedure.query(async ({ ctx }) => ({
    request: await planRequestOf(ctx),
    mailed: settings.smtpUrl !== undefined,
  })),

  /** Asks for a plan, or changes the open request. */
  requestPlan: ownerProcedure
    .input(z.object({ numbers: z.number(), contact: z.string().max(1000), note: z.string().max(2000) }))
    .mutation(({ ctx, input }) => requestPlan(ctx, input)),

  withdrawPlanRequest: ownerProcedure.mutation(({ ctx }) => withdrawPlanRequest(ctx)),

  keepNumbers: ownerProcedure
    .input(z.object({ numberIds: z.array(z.string().max(64)).max(10_000) }))
    .mutation(({ ctx, input }) => keepNumbers(ctx, input)),

  settings: memberProcedure.query(({ ctx }) => accountSettings(ctx)),

  rename: ownerProcedure
    .input(z.object({ name: z.string().max(500) }))
    .mutation(({ ctx, input }) => renameAccount(ctx, input)),

  setTimeZone: ownerProcedure
    .input(z.object({ timeZone: z.string().max(64).nullable() }))
    .mutation(({ ctx, input }) => setTimeZone(ctx, input)),

  /** The saved filters of a list, for all members. */
  views: memberProcedure
    .input(z.object({ list: z.enum(VIEW_LISTS) }))
    .query(({ ctx, input }) => savedViews(ctx, input)),

  saveView: memberProcedure
    .input(
      z.object({
        list: z.enum(VIEW_LISTS),
        name: z.string().max(VIEW_NAME_MAX),
        query: z.string().max(VIEW_QUERY_MAX),
      }),
    )
    .mutation(({ ctx, input }) => saveView(ctx, input)),

  deleteView: memberProcedure
    .input(z.object({ list: z.enum(VIEW_LISTS), name: z.string().max(VIEW_NAME_MAX) }))
    .mutation(({ ctx, input }) => deleteView(ctx, input)),

  /** The limits of the account's requests. */
  limits: memberProcedure.query(async ({ ctx }) => {
    const { numbersIncluded } = await planOf(ctx);
    const numbers = Math.max(1, numbersIncluded);
    return {
      sendsPerMinute: settings.rateSendsPerMinute * numbers,
      readsPerMinute: settings.rateReadsPerMinute * numbers,
      waitingMax: settings.queueAsyncMax,
    };
  }),

  overview: memberProcedure.query(async ({ ctx }) => {
    const { database } = ctx;
    const isAdmin = ctx.user.admin && ctx.user.views === null;
    const [view, refused, unsent, loss, pay] = await Promise.all([
      overview(ctx),
      refusedToday(ctx),
      unsentRequests(ctx),
      planLossOf(ctx),
      isAdmin ? howToPay({ database }) : null,
    ]);
    return {
      ...view,
      refused,
      planLoss: loss,
      /** What an administrator has set up; null for others. */
      setUp: pay && { howToPay: pay.text !== '', mail: settings.smtpUrl !== undefined },
      /** Refused requests to send, by number. */
      unsent: unsent.map(({ to, ...row }) => ({ ...row, toTexts: to.map(sentToText) })),
      troubles: view.troubles.map((row) => ({ ...row, toText: recipientText(row.to) })),
    };
  }),

  /** How long it keeps its messages. */
  retention: memberProcedure.query(async ({ ctx }) => ({
    ...(await retentionOf(ctx)),
    most: RETENTION_MOST,
  })),

  setRetention: ownerProcedure
    .input(
      z.object({
        textRetentionDays: z.number(),
        metadataRetentionDays: z.number(),
      }),
    )
    .mutation(({ ctx, input }) => setRetention(ctx, input)),

  /** Called before the export is fetched, so that the page can ask for the password. */
  prepareExport: ownerProcedure.use(requireConfirmed).mutation(() => ({ path: EXPORT_PATH })),

  /** Deletes the account that the page shows; its name was typed as a confirmation. */
  delete: ownerProcedure
    .use(requireConfirmed)
    .input(z.object({ accountId: z.string().max(64), accountName: z.string().max(500) }))
    .mutation(async ({ ctx, input: { accountId, accountName } }) => {
      if (accountId !== ctx.accountId) throw new AppError('not_found', 'This account does not exist.');
      await deleteAccount({ database: ctx.database, accountId, actor: ctx.actor }, { accountName });
    }),

  /** `mailed`: the user is made when they open the mailed link. */
  signUp: openProcedure.input(NewUser).mutation(async ({ ctx, input }) => {
    const { mailed } = await signUpAsVisitor(ctx, input);
    return { mailed };
  }),

  /** Makes the user who opened that link and enters the password of their sign-up. */
  confirmSignUp: openProcedure
    .input(z.object({ token: LinkTokenField, password: PasswordField }))
    .mutation(({ ctx, input }) => confirmSignUp(ctx, input)),

  /** Makes the administrator by the one-time link, also if sign-up is closed. */
  setUp: openProcedure.input(NewUser.extend({ token: LinkTokenField })).mutation(async ({ ctx, input }) => {
    await setUp(ctx, input);
  }),

  claimAdmin: userProcedure.input(z.object({ token: LinkTokenField })).mutation(async ({ ctx, input }) => {
    if (ctx.user.admin) throw new AppError('already_exists', 'You are already the administrator.');
    await claimAdmin(ctx, input);
  }),
});
