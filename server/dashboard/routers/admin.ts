import { z } from 'zod';
import { findAccount } from '#server/accounts/find-account.ts';
import { ACCOUNT_SHOWS, countAccounts, pageOfAccounts } from '#server/accounts/list-accounts.ts';
import { suspendAccount } from '#server/accounts/suspend-account.ts';
import { PLAN_PRICE_EUROS_PER_MONTH } from '#server/core/access.ts';
import { EmailField } from '#server/core/sign-in-fields.ts';
import { listNumbers } from '#server/numbers/get-number.ts';
import { resumeNumber, suspendNumber } from '#server/numbers/suspend-number.ts';
import { makeResetLink } from '#server/people/change-password.ts';
import { listPeople } from '#server/people/people.ts';
import { confirmEmail, releaseEmail } from '#server/people/user-status.ts';
import { beginView, endView } from '#server/people/view-account.ts';
import { activatePlan, deactivatePlan } from '#server/plans/activate-plan.ts';
import { howToPay, setHowToPay } from '#server/plans/how-to-pay.ts';
import { listPayments } from '#server/plans/list-payments.ts';
import { planWithEnd } from '#server/plans/plan-with-end.ts';
import { renewAccounts } from '#server/plans/renew-accounts.ts';
import { listPlanRequests, planRequestOf, withdrawPlanRequest } from '#server/plans/request-plan.ts';
import { presentNumber } from '../present.ts';
import { adminProcedure, inAccount, requireConfirmed, router } from '../trpc.ts';
import { operation } from './admin-operation.ts';

const OfAccount = z.object({ accountId: z.string().max(64) });
const OfNumber = z.object({ numberId: z.string().max(64) });
/** Procedures about the account that the input names. */
const ofAccount = adminProcedure.input(OfAccount).use(inAccount);
const graveProcedure = adminProcedure.use(requireConfirmed);
const graveOfAccount = graveProcedure.input(OfAccount).use(inAccount);
const graveOfUser = graveProcedure.input(z.object({ email: EmailField }));

const RENEWED_MAX = 200;
const PayTexts = z.object({
  text: z.string().max(20_000),
  contactName: z.string().max(500),
  contactAddress: z.string().max(500),
});
/** The plan that the page shows. */
const Seen = z.object({ numbersIncluded: z.number(), paidUntil: z.string().max(10).nullable() }).optional();

/** Procedures of the installation's administrator. */
export const admin = router({
  ...operation,

  accounts: adminProcedure
    .input(
      z.object({
        search: z.string().max(200),
        show: z.enum(ACCOUNT_SHOWS).optional(),
        cursor: z.string().max(64).nullish(),
      }),
    )
    .query(async ({ ctx, input: { cursor, ...filter } }) => {
      const { db } = ctx.database;
      const [page, counts] = await Promise.all([
        pageOfAccounts({ database: { db } }, { ...filter, before: cursor ?? null }),
        countAccounts({ database: { db } }, filter),
      ]);
      return { ...page, counts, price: PLAN_PRICE_EUROS_PER_MONTH };
    }),

  account: ofAccount.query(async ({ ctx, input }) => {
    const { db } = ctx.database;
    const [account, plan, planRequest, payments, numbers, people] = await Promise.all([
      findAccount({ database: { db } }, input),
      planWithEnd(ctx),
      planRequestOf(ctx),
      listPayments(ctx),
      listNumbers(ctx),
      listPeople(ctx),
    ]);
    const unconfirmed = people.filter(({ confirmed }) => !confirmed).map(({ email }) => email);
    return { ...account, plan, planRequest, payments, unconfirmed, numbers: numbers.map(presentNumber) };
  }),

  /** The open requests for a plan, oldest first. */
  planRequests: adminProcedure.query(({ ctx }) => {
    const { db } = ctx.database;
    return listPlanRequests({ database: { db } });
  }),

  dismissPlanRequest: ofAccount.mutation(({ ctx }) => withdrawPlanRequest(ctx)),

  activatePlan: graveOfAccount
    .input(
      z.object({
        numbersIncluded: z.number(),
        paidUntil: z.string().max(10),
        amountCents: z.number().nullable(),
        note: z.string().max(500),
        paidOn: z.string().max(10).nullable(),
        reference: z.string().max(200),
        seen: Seen,
      }),
    )
    .mutation(({ ctx, input }) => activatePlan(ctx, input)),

  /** Renews several plans with a payment for each, in one transaction. */
  renew: graveProcedure
    .input(
      z.object({
        renewals: z
          .array(
            OfAccount.extend({
              paidUntil: z.string().max(10),
              amountCents: z.number().nullable(),
              reference: z.string().max(200),
              seen: Seen,
            }),
          )
          .min(1)
          .max(RENEWED_MAX),
        paidOn: z.string().max(10).nullable(),
        note: z.string().max(500),
      }),
    )
    .mutation(({ ctx, input }) => renewAccounts(ctx, input)),

  deactivatePlan: graveOfAccount
    .input(z.object({ seen: Seen }))
    .mutation(({ ctx, input }) => deactivatePlan(ctx, input)),

  /** A link for a user who forgot their password, if no mail can be sent. Only this answer contains it. */
  resetLink: graveOfUser.mutation(({ ctx, input }) => makeResetLink(ctx, input)),

  /** The administrator confirms that an address is its user's. */
  confirmEmail: graveOfUser.mutation(({ ctx, input }) => confirmEmail(ctx, input)),

  /** The address is not its user's: frees it, so that its owner can sign up with it. */
  releaseEmail: graveOfUser.mutation(({ ctx, input }) => releaseEmail(ctx, input)),

  /** Shows the account as its members see it, read-only, until the view is ended. */
  beginView: graveOfAccount.mutation(({ ctx }) => beginView(ctx, ctx.user)),

  endView: adminProcedure.mutation(({ ctx }) => endView(ctx, ctx.user)),

  howToPay: adminProcedure.query(({ ctx }) => howToPay(ctx)),

  /** Payment instructions are a critical change. */
  setHowToPay: graveProcedure
    .input(PayTexts.extend({ seen: PayTexts.optional() }))
    .mutation(({ ctx, input }) => setHowToPay(ctx, input)),

  suspendAccount: graveOfAccount
    .input(z.object({ suspended: z.boolean() }))
    .mutation(({ ctx, input }) => suspendAccount(ctx, input)),

  suspendNumber: graveOfAccount
    .input(OfNumber.extend({ reason: z.string().max(500) }))
    .mutation(async ({ ctx, input }) => presentNumber(await suspendNumber(ctx, input))),

  resumeNumber: graveOfAccount
    .input(OfNumber)
    .mutation(async ({ ctx, input }) => presentNumber(await resumeNumber(ctx, input))),
});
