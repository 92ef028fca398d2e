import { z } from 'zod';
import { activatePlan } from '#server/services/activate-plan.ts';
import { listAudit } from '#server/services/audit.ts';
import { makeResetLink } from '#server/services/change-password.ts';
import { deactivatePlan } from '#server/services/deactivate-plan.ts';
import { drainWorker } from '#server/services/drain-worker.ts';
import { findAccount } from '#server/services/find-account.ts';
import { listAccounts } from '#server/services/list-accounts.ts';
import { listPayments } from '#server/services/list-payments.ts';
import { listWorkers } from '#server/services/list-workers.ts';
import { planOf } from '#server/services/plan-of.ts';
import { suspendAccount } from '#server/services/suspend-account.ts';
import { beginView, endView } from '#server/services/view-account.ts';
import { adminProcedure, requireConfirmed, router } from '../trpc.ts';

const OfAccount = z.object({ accountId: z.string().max(64) });
const AUDIT_PAGE = 50;

/** What the installation's administrator does. */
export const admin = router({
  accounts: adminProcedure
    .input(z.object({ search: z.string().max(200) }))
    .query(({ ctx, input }) => listAccounts(ctx.database.db, input)),

  account: adminProcedure.input(OfAccount).query(async ({ ctx, input }) => {
    const { db } = ctx.database;
    const [account, plan, payments] = await Promise.all([
      findAccount(db, input),
      planOf(db, input),
      listPayments(db, input),
    ]);
    return { ...account, plan, payments };
  }),

  activatePlan: adminProcedure
    .use(requireConfirmed)
    .input(
      OfAccount.extend({
        numbersIncluded: z.number(),
        paidUntil: z.string().max(10),
        amountCents: z.number().nullable(),
        note: z.string().max(500),
        paidOn: z.string().max(10).nullable(),
        reference: z.string().max(200),
      }),
    )
    .mutation(({ ctx, input: { amountCents, paidOn, ...rest } }) =>
      activatePlan(ctx.database, {
        ...rest,
        ...(amountCents === null ? {} : { amountCents }),
        ...(paidOn === null ? {} : { paidOn }),
        actor: ctx.actor,
      }),
    ),

  deactivatePlan: adminProcedure
    .use(requireConfirmed)
    .input(OfAccount)
    .mutation(({ ctx, input }) => deactivatePlan(ctx.database, { ...input, actor: ctx.actor })),

  /** For somebody who forgot their password, where no mail can be sent. In this answer and nowhere else. */
  resetLink: adminProcedure
    .use(requireConfirmed)
    .input(z.object({ email: z.string().max(254) }))
    .mutation(({ ctx, input }) => makeResetLink(ctx.database, { ...input, actor: ctx.actor })),

  audit: adminProcedure
    .input(z.object({ accountId: z.string().max(64).optional(), cursor: z.number().int().nullish() }))
    .query(({ ctx, input: { accountId, cursor } }) =>
      listAudit(ctx.database.db, {
        ...(accountId === undefined ? {} : { accountId }),
        ...(cursor == null ? {} : { before: cursor }),
        limit: AUDIT_PAGE,
      }),
    ),

  workers: adminProcedure.query(({ ctx }) => listWorkers(ctx.database)),

  drainWorker: adminProcedure
    .input(z.object({ workerId: z.string().max(64), drain: z.boolean() }))
    .mutation(({ ctx, input }) => drainWorker(ctx.database, { ...input, actor: ctx.actor })),

  /** The account as its people see it, in this browser, until the view is ended: read only. */
  beginView: adminProcedure
    .use(requireConfirmed)
    .input(OfAccount)
    .mutation(({ ctx, input }) =>
      beginView(ctx.database, { ...input, signInId: ctx.user.signInId, actor: ctx.actor }),
    ),

  endView: adminProcedure.mutation(({ ctx }) =>
    endView(ctx.database, { signInId: ctx.user.signInId, actor: ctx.actor }),
  ),

  suspendAccount: adminProcedure
    .use(requireConfirmed)
    .input(OfAccount.extend({ suspended: z.boolean() }))
    .mutation(({ ctx, input }) => suspendAccount(ctx.database, { ...input, actor: ctx.actor })),
});
